"""Every example of the shipped knowledge base holds."""

from __future__ import annotations

from pathlib import Path

from phocinae_cli.analysis.prove import contradictions
from phocinae_cli.kb.compile import Tool, compile_tools, load_directory
from phocinae_cli.kb.lookup import Knowledge

COMMANDS = Path(__file__).parents[2] / "phocinae_cli" / "kb" / "commands"


def shipped() -> list[Tool]:
    return load_directory(COMMANDS)


def test_every_example_holds() -> None:
    tools = shipped()
    examples = [example for tool in tools for example in tool.examples]
    faults = contradictions(examples, Knowledge(compile_tools(tools)))
    assert not faults, "\n".join(faults)
    assert len(examples) > 50


def test_every_described_name_is_found() -> None:
    tools = shipped()
    knowledge = Knowledge(compile_tools(tools))
    for tool in tools:
        for name in tool.names:
            assert knowledge.find(name) is not None, name
