"""sed scripts: the commands that write a file or run a program; everything else edits text."""

from __future__ import annotations

from phocinae_cli.analysis.inline.deeds import Deeds, joined
from phocinae_cli.analysis.values import Unknown, Value, known


class Sed:
    """Reads a sed script command by command; what sed itself would refuse does nothing."""

    def __init__(self, deeds: Deeds, text: str) -> None:
        self.deeds = deeds
        self.text = text
        self.at = 0

    def walk(self) -> None:
        """Record every command that writes a file or runs a program."""
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in " \t\n;{}":
                self.at += 1
            elif char == "#":
                self._line()
            else:
                self._address()
                self._command()

    def _address(self) -> None:
        text = self.text
        while self.at < len(text):
            char = text[self.at]
            if char.isdigit() or char in "$,~+! \t":
                self.at += 1
            elif char == "/":
                self._field("/")
            elif char == "\\" and self.at + 1 < len(text):
                self.at += 1
                self._field(text[self.at])
            elif char in "IM" and text[self.at - 1 : self.at] not in ("", "\n", ";", "{", " "):
                self.at += 1
            else:
                return

    def _field(self, mark: str) -> str:
        """Return what stands up to the next mark, from behind the one here; escapes and brackets are skipped."""
        text, start = self.text, self.at + 1
        self.at = start
        bracket = False
        while self.at < len(text):
            char = text[self.at]
            if char == "\\":
                self.at += 1
            elif bracket:
                bracket = char != "]" or (text[self.at - 1] in "[^" and text[self.at - 2 : self.at] in ("[", "[^"))
            elif (
                char == "["
                and mark != "["
                and "]" in text[self.at : self.at + 80]
                and not self._ends_before_bracket(mark)
            ):
                bracket = True
            elif char == mark:
                break
            self.at += 1
        found = text[start : self.at]
        self.at += 1
        return found

    def _ends_before_bracket(self, mark: str) -> bool:
        """Whether the closing bracket stands behind the end of the line, so that this one opens nothing."""
        close = self.text.find("]", self.at)
        line = self.text.find("\n", self.at)
        return close < 0 or 0 <= line < close

    def _line(self) -> str:
        """Return the rest of the line, joined lines included."""
        text, start = self.text, self.at
        while self.at < len(text) and not (text[self.at] == "\n" and text[self.at - 1] != "\\"):
            self.at += 1
        return text[start : self.at].strip()

    def _command(self) -> None:
        if self.at >= len(self.text):
            return
        char = self.text[self.at]
        if char == "s":
            self._substitution()
        elif char == "y":
            self.at += 1
            mark = self.text[self.at : self.at + 1]
            self._field(mark)
            self.at -= 1
            self._field(mark)
        elif char in "wW":
            self.at += 1
            self._writes(self._line())
        elif char == "e":
            self.at += 1
            command = self._line()
            self._runs(known(command) if command else None)
        elif char in "aicrR":
            self.at += 1
            self._line()
        elif char in ":btT":
            while self.at < len(self.text) and self.text[self.at] not in ";\n}":
                self.at += 1
        else:
            self.at += 1

    def _substitution(self) -> None:
        self.at += 1
        mark = self.text[self.at : self.at + 1]
        if mark in ("", "\n"):
            return
        pattern = self._field(mark)
        self.at -= 1
        start = self.at + 1
        replacement = self._replacement(mark)
        del start
        while self.at < len(self.text):
            flag = self.text[self.at]
            if flag == "w":
                self.at += 1
                self._writes(self._line())
                return
            if flag == "e":
                self._runs(_replaced(pattern, replacement))
            elif not (flag.isdigit() or flag in "gpiImM"):
                return
            self.at += 1

    def _replacement(self, mark: str) -> str:
        text = self.text
        self.at += 1
        start = self.at
        while self.at < len(text) and text[self.at] != mark:
            self.at += 2 if text[self.at] == "\\" else 1
        found = text[start : self.at]
        self.at += 1
        return found

    def _writes(self, name: str) -> None:
        if name:
            self.deeds.write(known(name), what="write")

    def _runs(self, command: Value | None) -> None:
        if command is None:
            self.deeds.unsure("the lines it reads", "each line that it reads is run as a command")
        else:
            self.deeds.shell(command)


def _replaced(pattern: str, replacement: str) -> Value:
    """Return what a substitution makes of a line: the whole of it when the pattern takes all of the line."""
    parts: list[Value] = []
    text = ""
    index = 0
    while index < len(replacement):
        char = replacement[index]
        if char == "&" or (char == "\\" and replacement[index + 1 : index + 2].isdigit()):
            parts += [known(text), Value((Unknown("part of a line", True),))]
            text = ""
            index += 1 if char == "&" else 2
            continue
        if char == "\\":
            index += 1
            char = "\n" if replacement[index : index + 1] == "n" else replacement[index : index + 1]
        text += char
        index += 1
    parts.append(known(text))
    rest = Value((Unknown("the rest of a line", True),))
    if pattern not in (".*", "^.*", "^.*$", ".*$", "$", "^"):
        parts = [rest, *parts, rest] if not pattern.startswith("^") else [*parts, rest]
    return joined([part for part in parts if part.parts != ("",)] or [known("")])
