"""`governor --help` lists every command under what it is for."""

from __future__ import annotations

from typer.main import get_command

from engine.cli.app import app
from engine.cli.sections import OTHERS, SECTIONS, in_sections


def test_every_command_stands_in_one_section_and_every_section_holds_commands() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(commands)


def test_a_command_that_stands_nowhere_is_listed_last() -> None:
    assert in_sections(["new", "show", "run"]) == [
        ("Run processes", ["run"]), ("Look at runs", ["show"]), (OTHERS, ["new"]),
    ]  # fmt: skip
