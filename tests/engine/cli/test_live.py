"""The panel beneath a run on a terminal. A handler waits at a pipe until the test has seen what it wants to see."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.engine.cli.command import governor, governor_child
from tests.engine.cli.files import OUTAGE, OUTAGE_ANSWERS, OUTAGE_HANDLERS, STEPS, Folder
from tests.engine.cli.terminal import Terminal, on_screen

CTRL_C = "\x03"
WAITING = OUTAGE_HANDLERS.replace(
    'lambda job: {"log": LOG,',
    'lambda job: print("from the handler") or open(f"{__file__}.pipe").read() and {"log": LOG,',
)


class Held:
    """An outage review whose first handler waits."""

    def __init__(self, folder: Folder) -> None:
        handlers = folder.put("waiting.py", WAITING)
        self._pipe = f"{handlers}.pipe"
        os.mkfifo(self._pipe)
        answers = folder.put("answers.yaml", OUTAGE_ANSWERS)
        process = folder.put("outage.bpmn", OUTAGE)
        self.arguments = ["run", process, "--handlers", handlers, "--db", folder.db, "--answers", answers]

    def release(self) -> None:
        Path(self._pipe).write_text("go on")


@pytest.fixture
def held(folder: Folder) -> Held:
    return Held(folder)


def test_a_panel_shows_what_is_being_done(held: Held) -> None:
    with Terminal(*held.arguments) as terminal:
        terminal.until("1 at work")
        terminal.until("compressed")
        lines = on_screen(terminal)
        headline = next(place for place, line in enumerate(lines) if line.startswith("── Outage review ──"))
        assert re.fullmatch(r"  \S Collect logs +\d s", lines[headline + 1])
        assert lines[headline + 2].startswith("  D1 0 of 0 compressed")
        held.release()
        assert terminal.end() == 0


def test_when_it_is_gone_the_lines_stay(held: Held, folder: Folder) -> None:
    with Terminal(*held.arguments) as terminal:
        terminal.until("1 at work")
        held.release()
        assert terminal.end() == 0
        lines = on_screen(terminal)
    assert not any("──" in line or "at work" in line for line in lines)
    starts = ["start ", "service   Collect", "D2", "answer", "D3", "conflict  severity", "Outage review completed"]
    places = [next(place for place, line in enumerate(lines) if line.startswith(start)) for start in starts]
    assert places == sorted(places)


def test_what_a_handler_prints_goes_by_above_the_panel(held: Held) -> None:
    with Terminal(*held.arguments) as terminal:
        terminal.until("from the handler")
        terminal.until("1 at work")
        held.release()
        terminal.end()
        assert on_screen(terminal).count("from the handler") == 1


def test_a_line_on_the_screen_is_there_once(held: Held) -> None:
    with Terminal(*held.arguments) as terminal:
        terminal.until("1 at work")
        held.release()
        terminal.end()
        lines = on_screen(terminal)
    assert sum("Collect logs" in line and line.startswith("service") for line in lines) == 1


def test_an_interrupt_takes_the_panel_away(held: Held) -> None:
    with Terminal(*held.arguments) as terminal:
        terminal.until("1 at work")
        terminal.key(CTRL_C)
        assert terminal.end() == 130
        lines = on_screen(terminal)
    assert "governor resume" in lines[-1]
    assert not any("──" in line for line in lines)


def test_a_question_has_the_screen_for_itself(folder: Folder) -> None:
    with Terminal(*folder.outage()) as terminal:
        terminal.until("decide: [r]esolve, [d]eny, [l]ater: ")
        lines = on_screen(terminal)
        assert lines[-1] == "  decide: [r]esolve, [d]eny, [l]ater:"
        assert not any(line.startswith("──") and "done" in line for line in lines)
        terminal.type("l")
        assert terminal.end() == 3


def test_plain_lines_are_those_of_a_pipe(folder: Folder) -> None:
    arguments = ["run", folder.put("steps.bpmn", STEPS), "--db", folder.db]
    piped = governor_child(*arguments)
    with Terminal(*arguments, "--plain") as terminal:
        assert terminal.end() == 0
        assert "\x1b" not in terminal.raw
        told = terminal.text.partition("\nThree steps completed")[0]
    assert told == piped.err


def test_quiet_and_json_have_no_panel(folder: Folder) -> None:
    for option in ("--quiet", "--json"):
        with Terminal("run", folder.put("steps.bpmn", STEPS), "--db", folder.db, option) as terminal:
            assert terminal.end() == 0
            assert "\x1b[?2026h" not in terminal.raw


def test_a_terminal_without_letters_for_it_has_lines_alone(folder: Folder) -> None:
    steps = folder.put("steps.bpmn", STEPS)
    with Terminal("run", steps, "--db", folder.db, PYTHONIOENCODING="ascii") as terminal:
        assert terminal.end() == 0
        assert "\x1b[?2026h" not in terminal.raw


def test_a_resumed_run_shows_its_path_from_the_start(folder: Folder, held: Held) -> None:
    instance = governor(*folder.outage(), "--json").json["instance"]
    waiting = folder.put("fix.py", WAITING.replace('"fix": lambda job:', '"fix": lambda job: open(PIPE).read() and'))
    pipe = f"{waiting}.fix"
    Path(waiting).write_text(f"PIPE = {pipe!r}\n{Path(waiting).read_text()}")
    os.mkfifo(pipe)
    answers = str(folder.path / "answers.yaml")
    with Terminal("resume", instance, "--db", folder.db, "--answers", answers, "--handlers", waiting) as terminal:
        terminal.until("1 at work")
        terminal.until("won over")
        terminal.until("deploys")
        lines = on_screen(terminal)
        Path(pipe).write_text("go on")
        assert terminal.end() == 0
    path = lines[next(place for place, line in enumerate(lines) if line.startswith("── Outage review")) :]
    assert path[1].startswith("  ✓ Collect logs ")
    assert "  ┬ Investigate" in path[2]
    assert any(line.startswith("    ✓ Read logs ") and "from" in line for line in path)
    assert any('conflict severity: "high" of Read logs won over "medium" of Check deploys' in line for line in path)
