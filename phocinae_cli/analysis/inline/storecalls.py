"""Calls of libraries for databases by the names of their chain: whether they empty a store or touch what is picked."""

from __future__ import annotations

from phocinae_cli.analysis.inline.wordlist import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.inline.deeds import Deeds
    from phocinae_cli.analysis.inline.tokens import Token

NONE, EMPTY_FILTER, EVERYTHING, SOME = "none", "empty", "everything", "some"
"""What is given to a call: nothing, a filter without conditions, words that mean everything, something else."""

DROPS = frozenset(
    listed(
        """
        dropDatabase drop_database dropDb drop_all dropAll dropAllTables drop_tables dropTable drop_table
        dropTableIfExists dropTablesIfExist dropTables dropSchema drop_schema dropSchemaIfExists dropCollection
        drop_collection dropAllCollections delete_collection deleteCollection delete_topics deleteTopics flushall
        flushdb flushAll flushDb reset_database truncateTable truncate_table truncate_tables truncate_all
        dropAllObjects drop_keyspace delete_keyspace delete_repo deleteRepo clean_with dropAllSchemas
        """
    )
)
PICKING = frozenset(
    listed(
        """
        deleteMany delete_many updateMany update_many delete_all destroy_all update_all deleteAll destroyAll
        delete_by_query deleteByQuery update_by_query updateByQuery
        """
    )
)
WHOLE = frozenset(("delete", "del", "truncate", "drop", "update", "destroy", "create", "save", "commit"))
WRITES = frozenset(
    listed(
        """
        insertOne insertMany updateOne deleteOne replaceOne findOneAndDelete findOneAndUpdate findOneAndReplace
        bulkWrite bulk_write insert_one insert_many update_one delete_one replace_one bulk_create bulk_update
        bulkCreate findByIdAndDelete findByIdAndUpdate createMany upsert get_or_create update_or_create
        """
    )
)
NARROWING = frozenset(
    listed(
        """
        where whereIn whereNull whereNot whereBetween whereRaw where_in filter filter_by exclude eq match find
        find_by findBy findOne find_one findByPk get first last limit one findUnique pick in_ andWhere having
        """
    )
)
EVIDENCE = frozenset(
    listed(
        """
        objects query session knex table DB from collection prisma getRepository createQueryBuilder deleteFrom db
        Sequel Model models sequelize schema mongoose PrismaClient MongoClient queryset repository repo Repo indices
        __table__ metadata getCollection
        """
    )
)
CYPHER = ("MATCH ", "CALL APOC.", "DROP DATABASE", "MERGE (", "DETACH ")
QUERIES = frozenset(("run", "execute_query", "executeQuery", "executeWrite", "query", "cypher"))
TRIGGERS = (
    "delete", "del(", "drop", "truncate", "destroy", "update", "flush", "insert", "bulk", "Query", "upsert",
    "create", "force", "MATCH", "dbExecute", "dbSend", "dbGet", "dbRemove", "dbWrite", "dbAppend", "clean_with",
    "save(", "session.commit",
)  # fmt: skip
"""Parts of these names: a text without any of them calls none."""


def mentions(text: str) -> bool:
    """Return whether a text may call one of the names; a quick look, so that most code is not looked at again."""
    return any(word in text for word in TRIGGERS) or "Delete" in text or "Drop" in text


def judge(deeds: Deeds, name: str, chain: frozenset[str], given: str) -> None:
    """Record what a call does; `chain` are the other names of its chain, `given` what stands in its brackets."""
    narrowed = not chain.isdisjoint(NARROWING)
    if name in DROPS:
        _destroys(deeds, name, "what it holds is gone for good")
    elif name in PICKING:
        if narrowed or given == SOME:
            _writes(deeds, name)
        else:
            _destroys(deeds, name, "no condition keeps it to some rows")
    elif name in WHOLE:
        _whole(deeds, name, chain, given, narrowed)
    elif name in WRITES:
        _writes(deeds, name)


def _whole(deeds: Deeds, name: str, chain: frozenset[str], given: str, narrowed: bool) -> None:
    stored = not chain.isdisjoint(EVIDENCE)
    if name == "commit":
        if "session" in chain:
            _writes(deeds, name)
        return
    if name in ("create", "save"):
        if (name == "create" and "objects" in chain) or (name == "save" and given == NONE):
            _writes(deeds, name)
        return
    if name == "destroy" and given in (NONE, SOME) and not stored:
        return  # a stream is destroyed as well
    if name == "delete" and "indices" in chain:
        _destroys(deeds, name, "it deletes a whole index")
    elif name == "drop" and "__table__" in chain:
        _destroys(deeds, name, "what it holds is gone for good")
    elif name in ("drop", "truncate") and given != SOME and not narrowed:
        _destroys(deeds, name, "what it holds is gone for good")
    elif given in (EMPTY_FILTER, EVERYTHING) and name in ("delete", "destroy", "del") and not narrowed:
        _destroys(deeds, name, "no condition keeps it to some rows")
    elif narrowed and (stored or (given == NONE and name in ("delete", "del"))):
        _writes(deeds, name)
    elif stored and name == "update" and "objects" in chain:
        _destroys(deeds, name, "no condition keeps it to some rows")
    elif stored and given == NONE and name in ("delete", "del"):
        _destroys(deeds, name, "no condition keeps it to some rows")
    elif stored and name in ("delete", "destroy", "update"):
        _writes(deeds, name)


def _destroys(deeds: Deeds, name: str, why: str) -> None:
    deeds.plain("db-destroy", name, f"store-{name.replace('_', '-')}", why)


def _writes(deeds: Deeds, name: str) -> None:
    deeds.plain("db-write", name, f"store-{name.replace('_', '-')}", "it changes rows of a database")


# --- calls among the tokens of a scripting language ------------------------------------------------------------------


def sweep(deeds: Deeds, found: list[Token], nested: bool) -> None:
    """Judge each call of a method among tokens; `nested` says whether those inside braces count as run."""
    depth = 0
    for at, token in enumerate(found):
        if token.kind == "op" and token.text in ("{", "}"):
            depth += 1 if token.text == "{" else -1
        if token.kind != "name" or (at < 1 and deeds.language != "r") or (depth and not nested):
            continue
        name = token.text.rstrip("!")
        if deeds.language == "r" and name.startswith("db") and name in OF_R:
            _of_r(deeds, name, _inside(found, at) or [])
            continue
        if found[at - 1].kind != "op" or found[at - 1].text not in (".", "?.", "->", "::", ":"):
            continue
        if found[at - 1].text == ":":
            if deeds.language == "lua":
                judge(deeds, name, _chain(found, at, 0), given(_inside(found, at) or []))
            elif at > 2 and found[at - 2].text == "&":  # `.each(&:drop)` calls it on each
                every = name == "destroy"
                judge(
                    deeds, name, _chain(found, at, 0) | ({"Model"} if every else set()), EVERYTHING if every else NONE
                )
            continue
        inside = _inside(found, at)
        if name == "sync" and _sets(inside, "force"):
            _destroys(deeds, name, "it drops each table before it makes it anew")
        elif name in QUERIES and inside and inside[0].kind == "str":
            cypher(deeds, inside[0].text)
        elif inside is not None or deeds.language in ("ruby", "perl"):
            chain = _chain(found, at, len(inside or []))
            if name == "destroy" and inside and inside[0].text == "{" and "where" in [one.text for one in inside]:
                chain |= {"Model"}  # of Sequelize: a stream takes no conditions
            judge(deeds, name, chain, given(inside or []))


def _of_r(deeds: Deeds, name: str, inside: list[Token]) -> None:
    """Judge a call of R's library for databases."""
    from phocinae_cli.analysis.values import known

    texts = [token.text for token in inside if token.kind == "str"]
    if name == "dbRemoveTable":
        _destroys(deeds, name, "what it holds is gone for good")
    elif name in ("dbWriteTable", "dbCreateTable", "dbAppendTable"):
        over = any(token.text == "overwrite" for token in inside) and any(t.text in ("TRUE", "T") for t in inside)
        if over:
            _destroys(deeds, name, "the table that is there is replaced")
        else:
            _writes(deeds, name)
    elif texts:
        deeds.code("sql", known(texts[0]))
    elif name in ("dbExecute", "dbSendStatement"):
        _writes(deeds, name)


OF_R = frozenset(
    listed(
        """
        dbExecute dbSendQuery dbSendStatement dbGetQuery dbRemoveTable dbWriteTable dbCreateTable dbAppendTable
        """
    )
)


def cypher(deeds: Deeds, text: str) -> None:
    """Judge a text that is a statement of a graph database."""
    if text.lstrip().upper().startswith(CYPHER):
        from phocinae_cli.analysis.values import known

        deeds.code("cypher", known(text))


def _inside(found: list[Token], at: int) -> list[Token] | None:
    """Return the tokens in the brackets behind a name, or None when there are no brackets."""
    if at + 1 >= len(found) or found[at + 1].kind != "op" or found[at + 1].text != "(":
        return None
    depth, end = 0, at + 1
    while end < len(found):
        if found[end].kind == "op":
            depth += {"(": 1, ")": -1}.get(found[end].text, 0)
            if not depth:
                break
        end += 1
    return found[at + 2 : end]


def _sets(inside: list[Token] | None, name: str) -> bool:
    texts = [token.text for token in inside or []]
    return any(one == name and texts[n + 1 : n + 3] == [":", "true"] for n, one in enumerate(texts))


def given(inside: list[Token]) -> str:
    """Return what kind of thing stands in the brackets of a call."""
    texts = [token.text for token in inside if token.text not in ("(", ")")]
    if not texts:
        return NONE
    if "match_all" in texts or _sets(inside, "truncate"):
        return EVERYTHING
    if texts[0] != "{":
        return SOME
    keys = [one for one in texts if one not in ("{", "}", ":", ",", "where", "filter", "query", "=>")]
    if not keys or texts[:2] == ["{", "}"]:
        return EMPTY_FILTER
    return EVERYTHING if "data" in texts and "where" not in texts else SOME


def _chain(found: list[Token], at: int, size: int) -> frozenset[str]:
    """Return the names of the statement around a call, but for those in its brackets, which hold `size` tokens."""
    start = at
    while start > 0 and not _ends(found[start - 1]):
        start -= 1
    end = at
    while end < len(found) and not _ends(found[end]):
        end += 1
    around = [*found[start:at], *found[at + 1 + (size + 2 if size else 0) : end]]
    return frozenset(token.text.lstrip("$") for token in around if token.kind == "name")


def _ends(token: Token) -> bool:
    return token.kind == "end" or (token.kind == "op" and token.text == ";")
