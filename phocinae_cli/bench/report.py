"""A run as Markdown for people and as JUnit for a CI server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from phocinae_cli.bench import table
from phocinae_cli.bench.gates import Result
from phocinae_cli.core.redact import redact
from phocinae_cli.render.marks import clean

SHOWN = 25


def as_markdown(
    summary: Mapping[str, Any], timing: Mapping[str, Any], machine: Mapping[str, Any], results: list[Result]
) -> str:
    """Return the report as Markdown."""
    lines = ["# phocinae bench", "", made_by(machine), ""]
    if summary["stopped"]:
        lines += [f"**Interrupted**: {summary['rows']:,} rows were measured.", ""]
    lines += grid(*table.main_table(summary, timing, interval=True))
    lines += ["", table.EXPLAINED + ". In brackets the 95 % bootstrap interval.", ""]
    for title, rows in (
        ("Requirements", [f"* {result}" for result in results]),
        ("Calibration", grid(*table.calibration_table(summary)) if table.calibration_table(summary)[1] else []),
        ("Speed", [f"* {line}" for line in table.timing_lines(timing)]),
        ("Besides", [f"* {line}" for line in table.other_lines(summary)]),
    ):
        if rows:
            lines += [f"## {title}", "", *rows, ""]
    for name, judge in summary["judges"].items():
        lines += _judge(name, judge)
    for found in summary["differences"]:
        lines += _differences(found)
    if changed := summary.get("baseline"):
        lines += _changes(changed)
    return "\n".join(lines).rstrip() + "\n"


def made_by(machine: Mapping[str, Any]) -> str:
    """Return the sentence on when and with what a run was made."""
    versions = ", ".join(f"{name} {number}" for name, number in machine["versions"].items() if number)
    return (
        f"{machine['date'][:10]}; {machine['implementation']} {machine['python']} on {machine['system']} "
        f"{machine['machine']}, {machine['cores']} cores; {versions}."
    )


def grid(heads: list[str], rows: list[list[str]]) -> list[str]:
    """Return a table as lines of Markdown."""
    lines = [heads, ["---"] * len(heads), *([_plain(text) for text in row] for row in rows)]
    return ["| " + " | ".join(line) + " |" for line in lines]


def quoted(command: str) -> str:
    """Return a command as it may be shown: one line, secrets and control characters taken out."""
    return clean(redact(command)).replace("\n", "\\n")


def as_junit(summary: Mapping[str, Any], results: list[Result]) -> str:
    """Return the run as JUnit XML: a case for each requirement, and one for each destructive row that passed."""
    suites = ElementTree.Element("testsuites", name="phocinae bench")
    suite = ElementTree.SubElement(suites, "testsuite", name="requirements", tests=str(len(results)))
    suite.set("failures", str(sum(not result.met for result in results)))
    for result in results:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"bench.{result.judge}", name=result.requirement.text
        )
        if not result.met:
            ElementTree.SubElement(case, "failure", message=str(result)).text = str(result)
    for name, judge in summary["judges"].items():
        _rows_suite(suites, name, judge)
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode") + "\n"


def _rows_suite(suites: ElementTree.Element, name: str, judge: Mapping[str, Any]) -> None:
    """Add the mistakes of a judge for reading: as skipped cases, so that only requirements decide the build."""
    mistakes = judge["worst"]
    suite = ElementTree.SubElement(suites, "testsuite", name=f"mistakes of {name}", tests=str(len(mistakes)))
    suite.set("failures", "0")
    suite.set("skipped", str(len(mistakes)))
    for row in mistakes:
        case = ElementTree.SubElement(suite, "testcase", classname=f"bench.{name}.{row['label']}", name=row["id"])
        said = f"{row['label']} -> {row['outcome']['decision']}: {quoted(row['command'])}"
        ElementTree.SubElement(case, "skipped", message=said)


def _judge(name: str, judge: Mapping[str, Any]) -> list[str]:
    lines = [f"## {name}", ""]
    for kind in ("source", "shell", "split", "tag"):
        if len(judge["groups"][kind]) > 1:
            lines += [f"### By {kind}", "", *grid(*table.group_table(judge, kind)), ""]
    if judge["worst"]:
        heads = ["label", "decision", "confidence", "command", "why"]
        lines += ["### Worst mistakes", "", *grid(heads, mistake_rows(judge["worst"][:SHOWN])), ""]
    if judge["alarms"]:
        alarms = [[f"{count:,}", f"`{cause}`"] for cause, count in judge["alarms"].items()]
        lines += ["### What alarms about harmless rows came from", "", *grid(["rows", "cause"], alarms), ""]
    return lines


def mistake_rows(worst: list[Mapping[str, Any]]) -> list[list[str]]:
    """Return mistakes as rows of text: label, decision, confidence, command, why."""
    return [
        [
            row["label"],
            row["outcome"]["decision"],
            "-" if row["outcome"].get("confidence") is None else f"{row['outcome']['confidence']:.2f}",
            f"`{quoted(row['command'])}`",
            row.get("why", ""),
        ]
        for row in worst
    ]


def difference_rows(found: Mapping[str, Any], most: int = SHOWN) -> list[list[str]]:
    """Return rows that two judges decide differently on as text: label, both decisions, command."""
    one, two = found["judges"]
    return [
        [
            row["label"],
            row["outcomes"][one]["decision"],
            row["outcomes"][two]["decision"],
            f"`{quoted(row['command'])}`",
        ]
        for row in found["gravest"][:most]
    ]


def _differences(found: Mapping[str, Any]) -> list[str]:
    one, two = found["judges"]
    lines = [f"## {one} against {two}", "", f"They differ on {found['differ']:,} of {found['rows']:,} rows.", ""]
    if found["gravest"]:
        lines += [*grid(["label", one, two, "command"], difference_rows(found)), ""]
    return lines


def _changes(changed: Mapping[str, Any]) -> list[str]:
    lines = ["## Since the baseline", "", changed_line(changed), ""]
    if changed["changed"]:
        rows = [[row["label"], row["was"], row["is"], f"`{quoted(row['command'])}`"] for row in changed["changed"]]
        lines += [*grid(["label", "was", "is", "command"], rows), ""]
    return lines


def changed_line(changed: Mapping[str, Any]) -> str:
    """Return the sentence on what changed since a baseline."""
    missing = changed["only_before"] + changed["only_after"]
    text = f"{changed['worse']:,} decisions got worse and {changed['better']:,} better, of {changed['rows']:,}"
    return text + (f"; {missing:,} rows are in one of the two runs only" if missing else "")


def _plain(text: str) -> str:
    return text.replace("|", "\\|")
