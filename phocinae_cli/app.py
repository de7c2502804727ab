"""The one place where the parts are put together: settings, knowledge, facts and a judge make a checker."""

from __future__ import annotations

import os
from time import perf_counter

from phocinae_cli import kb
from phocinae_cli.analysis.analyze import analyze
from phocinae_cli.backends.embedded import judge
from phocinae_cli.config.load import load
from phocinae_cli.core.effects import Analysis
from phocinae_cli.core.queries import Facts
from phocinae_cli.core.reasons import APPROVED, INTERNAL_ERROR, MESSAGES
from phocinae_cli.core.report import Report
from phocinae_cli.core.request import SHELLS, Request
from phocinae_cli.core.verdict import ASK, Verdict
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.facts import observe
from phocinae_cli.gate.case import Case
from phocinae_cli.gate.decide import decide
from phocinae_cli.kb.lookup import Knowledge
from phocinae_cli.render.steps import facts_in_words, steps_of
from phocinae_cli.state import places
from phocinae_cli.state.approvals import Approvals
from phocinae_cli.state.audit import Audit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from phocinae_cli.core.effects import Effect
    from phocinae_cli.core.queries import Query
    from phocinae_cli.core.questions import Judgement
    from phocinae_cli.core.settings import Settings
    from phocinae_cli.gate.case import Ask
    from phocinae_cli.kb.compile import Example

    Look = Callable[[tuple[Query, ...], Facts], None]

ROUNDS = 4
"""How often the machine is looked at for one line: each look may raise questions on what it found."""

LOOK_S = 1.0
"""After this no further look is begun, so that a file system that hangs can't hold up a prompt for long."""

UNKNOWN = "unknown"
"""The kind of effect of a program, or a use of one, that nobody described: see `kb.schema`."""

READ_AS = {"dash": "sh", "ash": "sh", "ksh": "sh", "mksh": "sh", "rbash": "bash", "pwsh": "powershell"}
"""Shells that are read as another one is."""


class Checker:
    """Vets requests, as many as one likes, with the settings and the knowledge it was made with.

    `ask` judges a case; `look` answers queries about the machine, None judges the text alone; `audit` and
    `approvals` are left out where nothing is kept; `env` is what requests are filled from; `notices` are told
    with every report. `spends` says that a line which passes on a one-time approval uses it up: true of all that may
    run behind the answer.
    """

    __slots__ = ("approvals", "ask", "audit", "env", "knowledge", "look", "notices", "settings", "spends")

    @classmethod
    def from_environment(
        cls,
        env: Mapping[str, str] | None = None,
        flags: Mapping[str, object] | None = None,
        cwd: str = "",
        facts: bool = True,
        knowledge: Knowledge | None = None,
        recording: str | None = None,
        replaying: str | None = None,
    ) -> Checker:
        """Return a checker with the configuration in force in a directory, the current one without `cwd`.

        `flags` are settings by name and outrank the configuration; without `facts` the machine is never looked
        at; `knowledge` is what was read before; `recording` and `replaying` name a file as in `judge_of`. Raises
        PhocinaeError: INVALID_CONFIG, INVALID_ARGUMENTS where only flags or such a file are at fault, or what the
        user's own knowledge entries are at fault in.
        """
        env = os.environ if env is None else env
        known = load_knowledge(env) if knowledge is None else knowledge
        loaded = load(env, cwd or own_cwd(env), flags, lambda: known)
        settings = loaded.settings
        approvals = places.approvals_file(env)
        return cls(
            settings,
            known,
            judge_of(settings, env, recording, replaying),
            look=observe if facts else None,
            audit=Audit(places.audit_file(env)) if settings.gate_audit else None,
            approvals=None if approvals is None else Approvals(approvals),
            env=env,
            notices=loaded.notices,
        )

    def __init__(
        self,
        settings: Settings,
        knowledge: Knowledge,
        ask: Ask,
        look: Look | None = observe,
        audit: Audit | None = None,
        approvals: Approvals | None = None,
        env: Mapping[str, str] | None = None,
        notices: tuple[str, ...] = (),
    ) -> None:
        self.settings = settings
        self.knowledge = knowledge
        self.ask = ask
        self.look = look
        self.audit = audit
        self.approvals = approvals
        self.env: Mapping[str, str] = {} if env is None else env
        self.notices = notices
        self.spends = True

    def request(
        self,
        text: str,
        *,
        shell: str = "",
        cwd: str = "",
        audience: str = "agent",
        tool: str | None = "shell",
        aliases: dict[str, str] | None = None,
    ) -> Request:
        """Return a request for a text, filled with what the environment says.

        Without `shell` the name of $SHELL counts, else bash; `cwd` may be relative to the current directory. A
        line end behind the text is not part of it, and line ends of Windows are read as line feeds.
        """
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        home = places.home_dir(self.env) or "/"
        return Request(
            text[:-1] if text.endswith("\n") else text,
            shell=shell or own_shell(self.env),
            cwd=os.path.normpath(os.path.join(own_cwd(self.env), cwd)) if cwd[:1] != "/" else cwd,
            env=dict(self.env),
            aliases=aliases,
            home=home,
            user=self.env.get("USER") or self.env.get("LOGNAME") or home.rpartition("/")[2],
            audience=audience,
            tool=tool,
        )

    def check(self, request: Request) -> Report:
        """Return the report on a request; a failure of ours is an ASK with `error` set, never an exception."""
        began = perf_counter()
        facts = Facts()
        analysis, failed = self.analysis(request, facts)
        return self.report(request, analysis, facts, began, failed)

    def analysis(self, request: Request, facts: Facts) -> tuple[Analysis, Exception | None]:
        """Return what a text would do, `facts` filled with what was looked up for it, and what failed on the way."""
        try:
            found = analyze(request, facts, self.knowledge)
            began = perf_counter()
            for _ in range(ROUNDS):
                if self.look is None or not found.queries or perf_counter() - began > LOOK_S:
                    break  # what was not looked up counts as unknown
                self.look(found.queries, facts)
                found = analyze(request, facts, self.knowledge)
        except Exception as error:  # whatever it is, it is no claim that the line is harmless
            return Analysis(unreadable="phocinae failed to read it"), error
        return found, None

    def report(
        self, request: Request, analysis: Analysis, facts: Facts, began: float, failed: Exception | None = None
    ) -> Report:
        """Return the report on an analysis, kept in the audit log; `began` is when the check began (perf_counter)."""
        failures = [] if failed is None else [failed]

        def ask(case: Case) -> Judgement:
            try:
                return self.ask(case)
            except Exception as error:
                failures.append(error)
                raise

        try:
            if request.audience == "person" and self.approvals is not None:
                analysis.effects = vouched(analysis.effects, self.approvals)
            verdict = self._decided(request, analysis, ask)
        except Exception as error:
            failures.append(error)
            verdict = Verdict(ASK, INTERNAL_ERROR)
        if failed is not None and verdict.decision == ASK:
            verdict = Verdict(ASK, INTERNAL_ERROR, trail=verdict.trail)
        report = Report(
            request,
            verdict,
            lambda: (steps_of(analysis), facts_in_words(facts)),
            error=error_of(failures[0]) if failures else None,
            notices=self.notices,
        )
        if report.error is not None and verdict.reason == INTERNAL_ERROR:
            verdict.message = f"{MESSAGES[INTERNAL_ERROR]}: {report.error[1]}"
        report.taken_ms = (perf_counter() - began) * 1000
        self._keep(report)
        return report

    def _decided(self, request: Request, analysis: Analysis, ask: Ask) -> Verdict:
        """Return the gate's verdict; a one-time approval is spent by the line that passes on it, and by no other."""
        approvals = self.approvals
        approved = approvals is not None and approvals.allows(request)
        verdict = decide(Case(request, self.settings, analysis, approved), ask)
        if verdict.reason != APPROVED or not self.spends or approvals is None:
            return verdict
        if approvals.spend(request.text, request.cwd):
            return verdict
        return decide(Case(request, self.settings, analysis), ask)  # another process had the last use

    def _keep(self, report: Report) -> None:
        problem = None if self.audit is None else self.audit.append(report)
        if problem is not None:
            report.notices += (problem,)


# --- what a checker is made of ---------------------------------------------------------------------------------------


def load_knowledge(env: Mapping[str, str]) -> Knowledge:
    """Return the knowledge base of the package, with the user's own entries in front.

    Raises PhocinaeError when it is not there, or when an entry of the user's is at fault.
    """
    place = kb.__file__.rpartition("/")[0]
    root = place.removesuffix("/phocinae_cli/kb")
    try:
        with open(f"{place}/kb.txt", "rb") as file:
            text = file.read()
    except OSError as error:
        raise PhocinaeError(
            INVALID_CONFIG,
            f"the knowledge base {place}/kb.txt can't be read: {error.strerror}",
            f"run `make kb` in {root}" if os.path.isfile(f"{root}/Makefile") else "install phocinae anew",
        ) from error
    config = places.config_dir(env)
    folder = f"{config}/kb"
    if config is None or not os.path.isdir(folder):
        return Knowledge(text)
    from phocinae_cli.analysis.prove import contradictions  # for the few who have entries of their own
    from phocinae_cli.kb.overlay import load_overlay

    def prove(examples: list[Example], overlay: str) -> list[str]:
        return contradictions(examples, Knowledge(text, overlay))

    return Knowledge(text, load_overlay(folder, places.cache_dir(env), prove))


def judge_of(
    settings: Settings, env: Mapping[str, str], recording: str | None = None, replaying: str | None = None
) -> Ask:
    """Return the judge that the settings name; raises PhocinaeError when it can't be had.

    Every exchange with a service is added to the file `recording`, or answered from the file `replaying`; with the
    engine alone there is none, so that a name is INVALID_ARGUMENTS.
    """
    if settings.backend != "embedded":
        from phocinae_cli.backends.service import make_ask  # brings HTTP, which a check by the engine never needs

        return make_ask(settings, judge, env, recording, replaying)
    if recording is not None or replaying is not None:
        option = "--record" if replaying is None else "--replay"
        raise PhocinaeError(
            INVALID_ARGUMENTS,
            f"{option} is about a decision service, and with the backend `embedded` none is asked",
            "add `--set backend=service`, or `backend=both`",
        )
    return lambda case: judge(case.analysis, case.request)


def vouched(effects: tuple[Effect, ...], approvals: Approvals) -> tuple[Effect, ...]:
    """Return the effects without those that say no more than that nobody described a program the person vouches for.

    What such a program writes to, is fed, or is run by still counts.
    """
    if not any(effect.kind == UNKNOWN for effect in effects):
        return effects
    programs = approvals.programs()
    return tuple(
        effect
        for effect in effects
        if not (effect.kind == UNKNOWN and effect.target.text in programs and not effect.action.via)
    )


def own_shell(env: Mapping[str, str]) -> str:
    """Return the shell that $SHELL names, bash when it names none that is known."""
    name = env.get("SHELL", "").rpartition("/")[2]
    name = READ_AS.get(name, name)
    return name if name in SHELLS else "bash"


def own_cwd(env: Mapping[str, str]) -> str:
    """Return the current directory; where it was removed, the one the shell still names, else `/`."""
    try:
        return os.getcwd()
    except OSError:
        named = env.get("PWD", "")
        return named if named.startswith("/") else "/"


def error_of(error: Exception) -> tuple[str, str]:
    """Return an exception as the code and the message of a report."""
    if isinstance(error, PhocinaeError):
        return error.code, error.message
    return INTERNAL_ERROR, f"{type(error).__name__}: {error}"
