"""The files that a configuration is read from: where they lie, and what is in them.

A file that is there but can't be read is broken, not absent.
"""

from __future__ import annotations

import os
import stat

from phocinae_cli.config.layers import PROJECT, USER, Layer
from phocinae_cli.config.problems import Problem
from phocinae_cli.state.places import config_dir, home_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

USER_FILE = "config.toml"
PROJECT_FILE = ".phocinae.toml"
MAX_BYTES = 1_000_000


def user_file(env: Mapping[str, str]) -> str | None:
    """Return the path of the user's file, which need not exist; None without any home."""
    folder = config_dir(env)
    return None if folder is None else f"{folder}/{USER_FILE}"


def project_file(env: Mapping[str, str], cwd: str) -> str | None:
    """Return the nearest project's file in `cwd` or above, up to the top of the git tree or the home directory.

    None when there is none, or when `cwd` is not an absolute path.
    """
    if not cwd.startswith("/"):
        return None
    home = (home_dir(env) or "").rstrip("/")
    folder = os.path.normpath(cwd)
    while True:
        path = f"{folder.rstrip('/')}/{PROJECT_FILE}"
        if exists(path):
            return path
        if folder in (home, "/") or exists(f"{folder}/.git"):
            return None
        folder = folder.rpartition("/")[0] or "/"


def exists(path: str) -> bool:
    """Return whether something is there; what can't be looked at for any other reason than absence counts."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return os.path.islink(path)  # a dangling link is a broken file
    except ValueError:  # a NUL in the path: no such file can exist
        return False
    except OSError:
        return True
    return True


def read_file(path: str, project: bool = False) -> Layer | Problem:
    """Return the content of a file as a layer, or what keeps it from being read."""
    content = read_bytes(path)
    if isinstance(content, Problem):
        return content
    return parse_file(path, content, project)


def read_bytes(path: str) -> bytes | Problem:
    """Return the bytes of a plain file of a reasonable size, or what keeps them from being read."""
    try:
        # Without O_NONBLOCK opening a FIFO would wait for a writer that never comes.
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        remedy = "make it readable for you, or remove it"
        return Problem(path, "", f"the file can't be read: {error.strerror}", remedy)
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            return Problem(path, "", "this is not a plain file", "put a file there, or remove it")
        content = b""
        while len(content) <= MAX_BYTES and (block := os.read(number, 65536)):
            content += block
    except OSError as error:
        return Problem(path, "", f"the file can't be read: {error.strerror}", "check the disk, or remove it")
    finally:
        os.close(number)
    if len(content) > MAX_BYTES:
        return Problem(path, "", f"the file holds more than {MAX_BYTES} bytes", "remove what is not configuration")
    return content


def parse_file(path: str, content: bytes, project: bool = False) -> Layer | Problem:
    """Return TOML bytes as a layer, or where they are no TOML."""
    import tomllib  # costs more than a whole check, so it waits until there is a file

    try:
        text = content.decode("utf-8-sig")
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Problem(path, "", "the file is not UTF-8", "save it as UTF-8", line)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        return Problem(path, "", f"this is not TOML: {message}", "mend that line", _line_in(message, text))
    except RecursionError:
        return Problem(path, "", "this is not TOML: nested too deep", "write plain lists and tables")
    return Layer(PROJECT if project else USER, path, data, text, os.path.dirname(path))


def _line_in(message: str, text: str) -> int:
    """Return the line that a TOML error names; an error at the end of the text means its last line."""
    digits = message.partition("at line ")[2].partition(",")[0]
    if digits.isdecimal():
        return int(digits)
    return len(text.splitlines()) if "end of document" in message else 0
