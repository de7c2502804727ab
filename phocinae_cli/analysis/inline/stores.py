"""Redis commands and the shell of MongoDB: what only reads, changes some, or empties a whole store."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import Deeds
from phocinae_cli.analysis.inline.wordlist import listed
from phocinae_cli.analysis.production import names_production
from phocinae_cli.analysis.store_outputs import EVERY_KEY
from phocinae_cli.analysis.values import Stream, known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from phocinae_cli.analysis.commands import Invocation
    from phocinae_cli.analysis.inline.tokens import Token

REDIS_READS = frozenset(
    listed(
        """
        get mget keys scan exists type ttl pttl strlen getrange hget hgetall hmget hkeys hvals hlen hexists hscan
        lrange llen lindex lpos smembers scard sismember sscan srandmember sinter sunion sdiff zrange zrangebyscore
        zrevrange zscore zcard zcount zrank zscan info ping echo dbsize time monitor memory object randomkey select
        auth hello client command lastsave slowlog latency pubsub subscribe psubscribe xrange xread xlen xinfo
        xpending role quit exit multi exec discard watch unwatch bitcount getbit geopos geodist georadius geosearch
        dump wait readonly readwrite asking bgsave save bgrewriteaof expiretime substr zrevrangebyscore pfcount touch
        help ft.search ft.info ft._list ft.aggregate ft.explain json.get json.mget json.type json.objlen json.arrlen
        json.strlen graph.ro_query graph.list graph.explain bf.exists bf.info cf.exists topk.list ts.get ts.mget
        ts.mrange ts.info eval_ro fcall_ro sort_ro zlexcount zmscore smismember hrandfield zrandmember lcs touch
        bitpos sintercard zdiff zinter zunion zrangebylex zrevrank hstrlen ft.profile json.get ts.range lolwut cluster
        acl function script sentinel config module debug
        """
    )
)
REDIS_DESTROY = {
    "flushall": "it deletes every key of every database", "flushdb": "it deletes every key of the database",
}  # fmt: skip
REDIS_TAKEOVER = {
    "slaveof": "it makes the store a copy of another one, and drops what it holds",
    "replicaof": "it makes the store a copy of another one, and drops what it holds",
}
SETTINGS_OF_FILES = listed(
    """
    dir dbfilename logfile requirepass masterauth protected-mode rename-command aclfile enable-module-command
    slave-read-only replica-read-only
    """
)
MONGO_DESTROY = ("dropDatabase", "drop", "dropAllUsersFromDatabase", "dropAllRolesFromDatabase")
MONGO_WRITES = listed(
    """
    insertOne insertMany insert save updateOne updateMany update replaceOne deleteOne findOneAndDelete
    findOneAndUpdate findOneAndReplace findAndModify bulkWrite renameCollection
    """
)
MONGO_SCHEMA = listed(
    """
    createCollection createIndex createIndexes dropIndex dropIndexes createView enableSharding shardCollection
    reIndex hideIndex compact
    """
)
MONGO_ACCOUNTS = (
    "createUser",
    "dropUser",
    "updateUser",
    "grantRolesToUser",
    "revokeRolesFromUser",
    "createRole",
    "dropRole",
    "changeUserPassword",
)
MONGO_SERVER = listed(
    """
    shutdownServer fsyncLock reconfig initiate stepDown killOp killSessions addShard removeShard setParameter
    """
)


def read(invocation: Invocation, language: str, text: str, remote: bool) -> Stream:
    """Record what commands of Redis or code of the MongoDB shell do."""
    deeds = Deeds(invocation, language, remote)
    if language == "redis":
        for line in text.split("\n"):
            redis(deeds, line)
    else:
        mongo(deeds, text)
    return Stream(None, frozenset(), "what a store holds")


# --- redis -------------------------------------------------------------------------------------------------------


def redis(deeds: Deeds, line: str) -> None:
    """Record what one Redis command does."""
    words = _words(line)
    while words and words[0].isdigit():
        words = words[1:]  # `redis-cli 5 GET x` repeats
    if not words or words[0].startswith("#"):
        return
    verb = words[0].lower()
    second = words[1].lower() if len(words) > 1 else ""
    if verb in REDIS_DESTROY:
        deeds.plain("db-destroy", line, verb, REDIS_DESTROY[verb])
    elif (
        verb in REDIS_TAKEOVER
        and words[1:3] != ["NO", "ONE"]
        and [word.lower() for word in words[1:3]] != ["no", "one"]
    ):
        deeds.plain("db-destroy", line, verb, REDIS_TAKEOVER[verb])
    elif verb in ("del", "unlink") and _every_key(deeds):
        deeds.plain("db-destroy", line, verb, "it deletes every key that the store lists")
    elif verb == "config" and second == "set":
        _setting(deeds, words, line)
    elif verb == "config" and second in ("rewrite", "resetstat"):
        deeds.plain("system-config", line, "config", "it changes the store's configuration")
    elif verb == "module" and second in ("load", "loadex"):
        deeds.plain("back-door", line, "module-load", "it loads a library that then runs inside the store")
    elif verb == "shutdown":
        kind = "power" if names_production(deeds.invocation) else "service"
        deeds.plain(kind, line, "shutdown", "it stops the store")
    elif verb == "debug" and second == "flushall":
        deeds.plain("db-destroy", line, "flushall", REDIS_DESTROY["flushall"])
    elif verb == "debug" and second in ("segfault", "sleep", "reload", "loadaof", "restart", "crash-and-recover"):
        deeds.plain("service", line, "debug", "it stops or restarts the store")
    elif verb in ("eval", "evalsha", "fcall"):
        _script(deeds, words, line)
    elif verb == "acl" and second in ("setuser", "deluser", "load", "save"):
        deeds.plain("account", line, "acl", "it changes who may do what")
    elif verb == "cluster" and second == "reset" and "hard" in line.lower():
        deeds.plain("db-destroy", line, "cluster-reset", "the node forgets its cluster and drops what it holds")
    elif verb == "ft.dropindex" and "dd" in [word.lower() for word in words[2:]]:
        deeds.plain("db-destroy", line, "dropindex", "the documents of the index go with it")
    elif verb in ("graph.delete", "ft.drop"):
        deeds.plain("db-destroy", line, verb, "what it holds is gone for good")
    elif verb == "function" and second in ("flush", "restore"):
        deeds.plain("db-write", line, verb, "it replaces every stored function")
    elif verb == "cluster" and second in ("reset", "flushslots", "forget", "failover", "addslots", "delslots", "meet"):
        deeds.plain("service", line, "cluster", "it changes the cluster")
    elif verb in ("script", "function") and second in ("flush", "delete", "kill", "load"):
        deeds.plain("db-write", line, verb, "it changes stored scripts")
    elif verb == "client" and second in ("kill", "pause"):
        deeds.plain("kill", line, "client-kill", "it ends or stops connections")
    elif verb not in REDIS_READS:
        known_write = verb.replace(".", "").isalpha() and verb.isascii()
        if known_write:
            deeds.plain("db-write", line, verb, "it changes what is stored")
        else:
            deeds.unsure(line, "no command that is known starts like this")


def _every_key(deeds: Deeds) -> bool:
    """Return whether the words are what a list of all keys gave."""
    return any(
        not isinstance(part, str) and part.why.endswith(EVERY_KEY)
        for value in deeds.invocation.arguments.operands
        for part in value.parts
    )


def _setting(deeds: Deeds, words: list[str], line: str) -> None:
    names = [word.lower() for word in words[2:3]]
    if any(name in SETTINGS_OF_FILES for name in names):
        deeds.plain("back-door", line, "config-set", "it lets the store write its file anywhere, or opens it to others")
    else:
        deeds.plain("system-config", line, "config-set", "it changes a setting of the running store")


def _script(deeds: Deeds, words: list[str], line: str) -> None:
    text = _folded(line.lower())
    for name in ("flushall", "flushdb"):
        if name in text:
            deeds.plain("db-destroy", line, name, REDIS_DESTROY[name])
            return
    called = _called(text)
    if (
        called & {"del", "unlink"}
        and ("keys" in called or "scan" in called)
        and EVERY_PATTERN.intersection(text.split("'"))
    ):
        deeds.plain("db-destroy", line, "eval-del", "it deletes every key of the database")
        return
    if words[0].lower() in ("evalsha", "fcall") or not called or not called <= REDIS_READS:
        deeds.plain("db-write", line, "eval", "it runs a script inside the store")


EVERY_PATTERN = frozenset(("*",))


def _folded(text: str) -> str:
    """Return a script with strings that are written in pieces (`'flush'..'all'`) in one, all in single quotes."""
    text = text.replace('"', "'").replace("\\'", "'")
    pieces = text.split("..")
    folded = pieces[0]
    for piece in pieces[1:]:
        if folded.rstrip().endswith("'") and piece.lstrip().startswith("'"):
            folded = folded.rstrip()[:-1] + piece.lstrip()[1:]
        else:
            folded += ".." + piece
    return folded


def _called(text: str) -> frozenset[str]:
    """Return the commands that a script gives to the store; `?` for one that is put together only then."""
    found = set()
    for piece in text.split("call(")[1:]:
        word = piece.strip()
        found.add(word[1:].partition("'")[0] if word.startswith("'") else "?")
    return frozenset(found)


def _words(line: str) -> list[str]:
    words: list[str] = []
    word, quote, open_word = "", "", False
    for char in line.strip():
        if quote:
            if char == quote:
                quote = ""
            else:
                word += char
        elif char in "\"'":
            quote, open_word = char, True
        elif char.isspace():
            if word or open_word:
                words.append(word)
            word, open_word = "", False
        else:
            word += char
    if word or open_word:
        words.append(word)
    return words


# --- mongo -------------------------------------------------------------------------------------------------------


def mongo(deeds: Deeds, text: str) -> None:
    """Record what code for the MongoDB shell does: method calls by name, a filter that is empty takes everything."""
    from phocinae_cli.analysis.inline.tokenizer import Tokenizer
    from phocinae_cli.analysis.inline.tokens import GRAMMARS, Unreadable

    try:
        found = Tokenizer(text, GRAMMARS["mongo"]).read()
    except Unreadable:
        deeds.unsure(text[:60], "part of the code can't be read")
        return
    for at, token in enumerate(found):
        called = at + 1 < len(found) and found[at + 1].kind == "op" and found[at + 1].text == "("
        if (
            token.kind == "str"
            and at >= 2
            and found[at - 1].text == "["
            and found[at + 1 : at + 2]
            and found[at + 1].text == "]"
        ):
            called = found[at + 2 : at + 3] != [] and found[at + 2].text == "("  # db["dropDatabase"]()
        if token.kind not in ("name", "str") or not called:
            continue
        _mongo_call(deeds, token.text, found, at)


def _mongo_call(deeds: Deeds, name: str, found: list[Token], at: int) -> None:
    inside = _arguments(found, at)
    shown = f"{name}({' '.join(inside)[:60]})"
    if name in MONGO_DESTROY:
        deeds.plain("db-destroy", shown, name, "what it holds is gone for good")
    elif name in ("deleteMany", "remove"):
        if inside[:2] in (["{", "}"], []) and (name != "remove" or inside[:1] == ["{"]):
            deeds.plain("db-destroy", shown, f"{name}-all", "it deletes every document of the collection")
        elif inside:
            deeds.plain("db-write", shown, name, "it deletes documents")
    elif name in ("updateMany",) and inside[:2] == ["{", "}"]:
        deeds.plain("db-destroy", shown, "updateMany-all", "it changes every document of the collection")
    elif name == "bulkWrite" and _takes_all(inside, "filter"):
        deeds.plain("db-destroy", shown, "bulkWrite-all", "one of its filters takes every document")
    elif name in MONGO_WRITES:
        deeds.plain("db-write", shown, name, "it changes documents")
    elif name in MONGO_SCHEMA:
        deeds.plain("db-schema", shown, name, "it changes a collection")
    elif name in MONGO_ACCOUNTS:
        deeds.plain("account", shown, name, "it changes who may do what")
    elif name in MONGO_SERVER:
        deeds.plain("service", shown, name, "it changes what the server does")
    elif name in ("runCommand", "adminCommand"):
        _run_command(deeds, inside, shown)
    elif name == "aggregate" and "$out" in inside and not _beside(found, at, inside):
        deeds.plain("db-destroy", shown, "aggregate-out", "its result replaces everything in that collection")
    elif name == "aggregate" and ("$out" in inside or "$merge" in inside):
        deeds.plain("db-write", shown, "aggregate-out", "it writes its result into a collection")
    elif name == "load" and inside:
        deeds.script("mongo", known(inside[0]))
    elif name in ("run", "runProgram", "execSync", "exec", "spawnSync") and inside:
        deeds.shell(known(inside[0]))
    elif name == "eval":
        deeds.unsure(shown, "it runs a text as code")


def _beside(found: list[Token], at: int, inside: list[str]) -> bool:
    """Return whether `$out` goes, by its name, to a collection that is made for it: a copy, a summary."""
    behind = inside[inside.index("$out") + 1 :]
    names = [text for text in behind if text not in (":", "{", "}", "db", "coll", ",", "]")]
    target = names[-1].lower() if names else ""
    source = found[at - 2].text.lower() if at >= 2 else ""
    return any(mark in target for mark in RESULT_NAMES) or (target.startswith(source) and target != source)


RESULT_NAMES = listed(
    """
    tmp temp test scratch backup bak copy archive summary report stats total result output export by_ per_ daily weekly
    monthly hourly agg rollup snapshot staging _new new_ _v2 view cache
    """
)


def _takes_all(inside: list[str], key: str) -> bool:
    """Return whether an empty filter stands under a key: `filter: {}`."""
    return any(inside[at : at + 4] == [key, ":", "{", "}"] for at in range(len(inside)))


def _run_command(deeds: Deeds, inside: list[str], shown: str) -> None:
    words = set(inside)
    if words & {"delete", "update"} and _takes_all(inside, "q"):
        deeds.plain("db-destroy", shown, "run-command", "its filter takes every document")
    elif words & {"dropDatabase", "drop", "dropAllUsersFromDatabase"}:
        deeds.plain("db-destroy", shown, "run-command", "what it holds is gone for good")
    elif words & {
        "delete",
        "update",
        "insert",
        "findAndModify",
        "renameCollection",
        "create",
        "createIndexes",
        "shutdown",
        "setParameter",
        "createUser",
        "dropUser",
        "replSetReconfig",
        "collMod",
        "eval",
    }:
        deeds.plain("db-write", shown, "run-command", "it changes the database")


def _arguments(found: list[Token], at: int) -> list[str]:
    """Return the texts of what stands between the brackets of a call."""
    texts: list[str] = []
    depth = 0
    for token in found[at + 1 :]:
        kind, text = token.kind, token.text
        if kind == "op" and text == "]" and depth == 0:
            continue
        if kind == "op" and text in "([{" and text:
            depth += 1
            if depth == 1:
                continue
        elif kind == "op" and text in ")]}":
            depth -= 1
            if depth <= 0:
                break
        texts.append(text)
    return texts
