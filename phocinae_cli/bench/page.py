"""A run as one HTML file: pictures inlined, nothing loaded from anywhere, light and dark, no JavaScript."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from phocinae_cli.bench import table
from phocinae_cli.bench.gates import Result
from phocinae_cli.bench.report import changed_line, difference_rows, made_by, mistake_rows, quoted

SHOWN = 100

STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --dim: #5b6570; --line: #d5dae0; --row: #f5f7f9; }
@media (prefers-color-scheme: dark) {
  :root { --back: #12161b; --text: #e3e8ee; --dim: #9aa6b2; --line: #343c46; --row: #1b2129; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p.dim, figcaption { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; min-width: 60%; }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--row); }
td small { display: block; color: var(--dim); white-space: nowrap; }
td code { white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.4 ui-monospace, monospace; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.2rem; }
figure { margin: 0; border: 1px solid var(--line); border-radius: .5rem; padding: .8rem; }
figure svg { width: 100%; height: auto; color: var(--text); }
figcaption { font-weight: 600; margin-bottom: .3rem; }
.missed { color: #c2410c; font-weight: 600; }
.met { color: #0f7b4f; }
@media (prefers-color-scheme: dark) { .missed { color: #fb923c; } .met { color: #4ade80; } }
details { margin: .6rem 0; }
summary { cursor: pointer; font-weight: 600; }
"""


def as_page(
    summary: Mapping[str, Any],
    timing: Mapping[str, Any],
    machine: Mapping[str, Any],
    results: list[Result],
    pictures: Mapping[str, str],
) -> str:
    """Return the report as an HTML document; without pictures it says what they need."""
    parts = [f"<h1>phocinae bench</h1><p class=dim>{escape(made_by(machine))}</p>"]
    if summary["stopped"]:
        parts.append(f"<p class=missed>Interrupted: {summary['rows']:,} rows were measured.</p>")
    parts.append(_grid(*table.main_table(summary, timing, interval=True)))
    parts.append(f"<p class=dim>{escape(table.EXPLAINED)}. The small figures are the 95 % bootstrap interval.</p>")
    if results:
        parts.append("<h2>Requirements</h2>" + _list((str(result), _word(result)) for result in results))
    parts.append("<h2>Pictures</h2>" + _pictures(pictures))
    fit = table.calibration_table(summary)
    if fit[1]:
        parts.append("<h2>Calibration</h2>" + _grid(*fit))
    lines = [*table.timing_lines(timing), *table.other_lines(summary)]
    if lines:
        parts.append("<h2>Speed, and besides</h2>" + _list((line, "") for line in lines))
    if changed := summary.get("baseline"):
        rows = [[row["label"], row["was"], row["is"], f"`{quoted(row['command'])}`"] for row in changed["changed"]]
        parts.append(f"<h2>Since the baseline</h2><p>{escape(changed_line(changed))}</p>")
        parts.append(_grid(["label", "was", "is", "command"], rows[:SHOWN]) if rows else "")
    parts += [_judge(name, judge) for name, judge in summary["judges"].items()]
    parts += [_differences(found) for found in summary["differences"]]
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>phocinae bench, {escape(machine['date'][:10])}</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _judge(name: str, judge: Mapping[str, Any]) -> str:
    parts = [f"<h2>{escape(name)}</h2>"]
    if judge["worst"]:
        heads = ["label", "decision", "confidence", "command", "why"]
        parts.append("<h3>Worst mistakes</h3>" + _grid(heads, mistake_rows(judge["worst"][:SHOWN])))
    for kind in ("source", "shell", "split", "tag"):
        if len(judge["groups"][kind]) > 1:
            grid = _grid(*table.group_table(judge, kind))
            parts.append(f"<details><summary>By {kind}</summary>{grid}</details>")
    if judge["alarms"]:
        rows = [[f"{count:,}", f"`{cause}`"] for cause, count in judge["alarms"].items()]
        parts.append("<h3>What alarms about harmless rows came from</h3>" + _grid(["rows", "cause"], rows))
    if differing := (judge.get("invariance") or {}).get("differing"):
        rows = [[row["was"], row["is"], f"`{quoted(row['spelling'])}`"] for row in differing]
        parts.append("<h3>Spellings that change the verdict</h3>" + _grid(["was", "is", "spelling"], rows))
    return "".join(parts)


def _differences(found: Mapping[str, Any]) -> str:
    one, two = found["judges"]
    title = f"<h2>{escape(one)} against {escape(two)}</h2>"
    said = f"<p>They differ on {found['differ']:,} of {found['rows']:,} rows.</p>"
    rows = difference_rows(found, SHOWN)
    return title + said + (_grid(["label", one, two, "command"], rows) if rows else "")


def _pictures(pictures: Mapping[str, str]) -> str:
    if not pictures:
        return "<p class=dim>There are none: <code>pip install 'phocinae[plots]'</code> draws them.</p>"
    found = []
    for title, svg in pictures.items():
        named = svg.replace("<svg ", f'<svg role="img" aria-label="{escape(title, quote=True)}" ', 1)
        found.append(f"<figure><figcaption>{escape(title)}</figcaption>{named}</figure>")
    return f"<div class=pictures>{''.join(found)}</div>"


def _grid(heads: list[str], rows: list[list[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join("<tr>" + "".join(f"<td>{_text(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def _text(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == "`":
        return f"<code>{escape(text[1:-1])}</code>"
    figure, bracket, interval = text.partition(" (")
    if bracket and text.endswith(")") and " to " in interval:
        return f"{escape(figure)}<small>{escape(interval[:-1])}</small>"
    return escape(text)


def _list(lines: Iterable[tuple[str, str]]) -> str:
    return "<ul>" + "".join(f"<li{kind}>{escape(line)}</li>" for line, kind in lines) + "</ul>"


def _word(result: Result) -> str:
    return " class=met" if result.met else " class=missed"
