"""The configuration in force for a directory: files, environment and flags, found, read and merged.

Loaded by every check, so nothing is imported for what is not there.
"""

from __future__ import annotations

from phocinae_cli.config.files import exists, project_file, user_file
from phocinae_cli.config.layers import ENVIRONMENT, FLAG, Layer, Loaded
from phocinae_cli.core.settings import Settings
from phocinae_cli.errors import INVALID_ARGUMENTS, INVALID_CONFIG, PhocinaeError
from phocinae_cli.state.places import home_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from phocinae_cli.config.problems import Problem
    from phocinae_cli.kb.lookup import Knowledge

PREFIX = "PHOCINAE_"
OTHER_VARIABLES = ("PHOCINAE_OFF", "PHOCINAE_TOKEN", "PHOCINAE_TOKEN_FILE", "PHOCINAE_COMPLETE")
"""Names with this prefix that are no settings: the shell hook's, the service client's, and completion's."""

NO_HOME = "there is no home directory, so no configuration of yours was read"


def load(
    env: Mapping[str, str],
    cwd: str,
    flags: Mapping[str, object] | None = None,
    knowledge: Callable[[], Knowledge] | None = None,
) -> Loaded:
    """Return the settings in force for an absolute directory.

    `flags` are values by key name, texts read as in the environment. `knowledge` is called only when a rule
    brings examples to be proven. Raises PhocinaeError with every fault among its details: INVALID_ARGUMENTS
    when only flags are at fault, else INVALID_CONFIG.
    """
    loaded = survey(env, cwd, flags, knowledge)
    if loaded.faults:
        raise _error(loaded.faults)
    return loaded


def survey(
    env: Mapping[str, str],
    cwd: str,
    flags: Mapping[str, object] | None = None,
    knowledge: Callable[[], Knowledge] | None = None,
) -> Loaded:
    """Return the same with the faults in it: what is legal is merged, what is not stands in `faults`."""
    user = user_file(env)
    project = project_file(env, cwd)
    variables = {
        name: value for name, value in env.items() if name.startswith(PREFIX) and value and name not in OTHER_VARIABLES
    }
    notices = () if user is not None else (NO_HOME,)
    if not (user is not None and exists(user)):
        user = None
    if user is None and project is None and not variables and not flags:
        return Loaded(Settings(), notices=notices)
    loaded = _merged(env, user, project, variables, flags or {})
    loaded.notices = notices + loaded.notices
    if any(entry.match or entry.no_match for entry in loaded.entries):
        from phocinae_cli.config.prove import prove, read_knowledge

        home = home_dir(env) or "/root"
        loaded.faults += tuple(prove(loaded.entries, (knowledge or read_knowledge)(), home))
    return loaded


def _merged(
    env: Mapping[str, str],
    user: str | None,
    project: str | None,
    variables: dict[str, str],
    flags: Mapping[str, object],
) -> Loaded:
    from phocinae_cli.config.files import parse_file, read_bytes, read_file
    from phocinae_cli.config.problems import Problem
    from phocinae_cli.config.resolve import merge

    faults: list[Problem] = []
    layers: list[Layer] = []
    content = b""
    if user is not None:
        _sort(read_file(user), layers, faults)
    if project is not None:
        read = read_bytes(project)
        if isinstance(read, Problem):
            faults.append(read)
        else:
            content = read
            _sort(parse_file(project, content, project=True), layers, faults)
    layers += [Layer(ENVIRONMENT, "", variables), Layer(FLAG, "", flags)]
    loaded = merge(layers)
    if loaded.problems and project is not None:
        from phocinae_cli.config.trust import is_trusted

        if is_trusted(env, project, content):
            for layer in layers:
                layer.trusted = layer.origin == project
            loaded = merge(layers)
    loaded.faults = (*faults, *loaded.faults)
    return loaded


def _sort(read: Layer | Problem, layers: list[Layer], faults: list[Problem]) -> None:
    from phocinae_cli.config.problems import Problem

    if isinstance(read, Problem):
        faults.append(read)
    else:
        layers.append(read)


def _error(faults: tuple[Problem, ...]) -> PhocinaeError:
    from phocinae_cli.config.problems import summary

    details = summary(faults)
    if all(fault.where == FLAG for fault in faults):
        return PhocinaeError(INVALID_ARGUMENTS, details[0], details=details)
    count = "a fault" if len(details) == 1 else f"{len(details)} faults"
    do = "mend what is named; `phocinae config check` reads it again"
    return PhocinaeError(INVALID_CONFIG, f"the configuration has {count}", do, details)
