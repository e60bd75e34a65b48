"""What the panel of a run says, event by event."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from engine.cli.screen.live import LiveScreen
from engine.cli.telling.panel import RunPanel
from engine.cli.telling.path import Path
from engine.events import Event, EventType

D1 = {"before": {"pressure": 1.2}, "after": {"pressure": 0.4}, "compressed": True}
LEFT, RIGHT = "/fork@1:2.left", "/fork@1:2.right"


class Told:
    """A panel that hears events, and its clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.panel = RunPanel(Path(lambda: self.now))
        self.tell(EventType.INSTANCE_STARTED, process="review")

    def tell(self, type: EventType, element: str | None = None, branch: str = "", /, **data: Any) -> None:
        self.panel(Event(0, "", type, element, branch, data))

    def lines(self, width: int = 110, height: int = 20) -> list[str]:
        lines = self.panel.lines(width, height)
        return ["".join(span if isinstance(span, str) else span[0] for span in line) for line in lines]

    def steps(self, **size: int) -> list[str]:
        """The lines between the headline and the numbers."""
        lines = self.lines(**size)[1:]
        return lines[: next(place for place, line in enumerate(lines) if line.startswith("  D1 "))]


@pytest.fixture
def told() -> Told:
    return Told()


def test_what_is_being_done_has_its_time_and_its_pressure(told: Told) -> None:
    told.tell(EventType.D1, "a", **D1)
    told.tell(EventType.ACTIVITY_STARTED, "a")
    told.now = 65.0
    (step,) = told.steps()
    assert re.fullmatch(r"  ⠋ a +1:05   ████░░░░░░  40% from 120%", step)
    headline = told.lines()[0]
    assert headline.startswith("── review ── 0 done, 1 at work ──")
    assert headline.endswith(" 1:05 ──")
    assert len(headline) == 109


def test_compression_while_it_is_being_done_counts_from_the_first_look(told: Told) -> None:
    told.tell(EventType.ACTIVITY_STARTED, "a")
    told.tell(EventType.D1, "a", **D1)
    told.tell(EventType.D1, "a", before={"pressure": 0.5}, after={"pressure": 0.2}, compressed=True)
    assert "20% from 120%" in told.steps()[0]


def test_what_was_done_has_tokens_and_attention(told: Told) -> None:
    told.tell(EventType.ACTIVITY_STARTED, "a")
    told.tell(EventType.ACTIVITY_COMPLETED, "a", d1=[0.4, 0.1], tokens=[900, 1800], attention=[0.71, [], "CONTINUE"])
    told.tell(EventType.ACTIVITY_COMPLETED, "b", d1=[0.0, 0.0], attention=[0.93, [], "CONTINUE"])
    first, second = told.steps()
    assert re.fullmatch(r"  ✓ a +████░░░░░░  40%   900 of 1,800 tokens   attention 0.71", first)
    assert second.endswith("░░░░░░░░░░   0%   attention 0.93")
    numbers = told.lines()[3:]
    assert numbers == ["  D1 0 of 2 compressed", "  tokens 900 of 1,800 (50%)   attention 0.93   lowest 0.71 at a"]


def test_branches_are_indented_between_split_and_merge(told: Told) -> None:
    told.tell(EventType.D2, "fork", branches=[LEFT, RIGHT])
    told.tell(EventType.ACTIVITY_COMPLETED, "left", LEFT)
    told.tell(EventType.ACTIVITY_STARTED, "right", RIGHT)
    assert [step[:11].rstrip() for step in told.steps()] == ["  ┬ fork", "    ✓ left", "    ⠋ right"]
    conflict = {"key": "WORKING/x", "values": [{"branch": LEFT, "value": 1}, {"branch": RIGHT, "value": 2}]}
    settled = {"key": "WORKING/x", "winner": LEFT, "value": 1, "lost": [{"branch": RIGHT, "value": 2}]}
    told.tell(EventType.ACTIVITY_COMPLETED, "right", RIGHT)
    merge = {"branches": [LEFT, RIGHT], "conflicts": [conflict], "record": {"conflicts": [settled]}}
    told.tell(EventType.D3, "join", **merge)
    assert re.fullmatch(r"  ┴ join +2 branches, 1 conflict", told.steps()[-1])
    assert told.lines()[-2:] == [
        "  D1 0 of 0 compressed   D2 1 split   D3 1 merge   conflicts 1",
        "  conflict x: 1 of left won over 2 of right",
    ]


def test_what_waits_for_people_says_for_what_until_it_is_answered(told: Told) -> None:
    asked = {"kind": "conflict", "message": "branches disagree about x"}
    told.tell(EventType.INTERVENTION_RAISED, "join", **asked)
    told.tell(EventType.WORK_ITEM_CREATED, "approve")
    assert "2 waiting" in told.lines()[0]
    assert re.fullmatch(r"  \? join +branches disagree about x", told.steps()[0])
    assert re.fullmatch(r"  \? approve +to be done by a person", told.steps()[1])
    told.tell(EventType.INTERVENTION_ANSWERED, "join", decision="resolve")
    told.tell(EventType.ACTIVITY_COMPLETED, "approve")
    assert "waiting" not in told.lines()[0]


def test_a_change_of_system_is_no_step(told: Told) -> None:
    told.tell(EventType.INTERVENTION_RAISED, "review", kind="system_write", message="wants to change role")
    assert told.steps() == []
    assert "questions 1" in told.lines()[-1]


def test_what_failed_stays_until_it_is_tried_again(told: Told) -> None:
    told.tell(EventType.INCIDENT, "gate", error="amount is missing")
    assert re.fullmatch(r"  ✗ gate +amount is missing", told.steps()[0])
    assert "1 failed" in told.lines()[0]
    told.tell(EventType.INCIDENT_RESOLVED, "gate")
    told.tell(EventType.GATEWAY, "gate", taken=["a"])
    assert told.steps()[0].startswith("  ✓ gate")


def test_what_was_interrupted_is_at_work_no_more(told: Told) -> None:
    told.tell(EventType.ACTIVITY_STARTED, "slow")
    told.tell(EventType.INTERRUPTED, "timer", interrupted="slow, other")
    assert told.steps()[0].startswith("  - slow")
    assert "at work" not in told.lines()[0]


def test_what_goes_on_is_shown_before_what_is_over(told: Told) -> None:
    told.tell(EventType.ACTIVITY_STARTED, "long", LEFT)
    for number in range(300):
        told.tell(EventType.ACTIVITY_COMPLETED, f"n{number}", RIGHT)
    assert [step.split()[1] for step in told.steps(height=6)] == ["298", "long", "n298", "n299"]


@pytest.mark.parametrize("height", [1, 2, 3, 5, 40])
def test_it_is_never_higher_than_its_room(told: Told, height: int) -> None:
    for number in range(30):
        told.tell(EventType.ACTIVITY_COMPLETED, f"n{number}", d1=[0.0, 0.0], attention=[0.9, [], "CONTINUE"])
    lines = told.lines(height=height)
    assert len(lines) == min(height, 16)
    assert lines[0].startswith("── review")


def test_where_it_is_narrow_facts_are_left_out_and_numbers_take_more_lines(told: Told) -> None:
    told.tell(EventType.ACTIVITY_COMPLETED, "a", d1=[0.4, 0.1], tokens=[900, 1800], attention=[0.71, [], "CONTINUE"])
    told.tell(EventType.D2, "fork", branches=[LEFT, RIGHT])
    lines = told.lines(width=60)
    assert all(len(line) < 60 for line in lines)
    assert not any("900 of 1,800 tokens" in line for line in lines)
    assert lines[-2:] == ["  tokens 900 of 1,800 (50%)   attention 0.71", "  lowest 0.71 at a"]


def test_a_screen_cuts_the_panel_to_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "4")
    stream = io.StringIO()
    screen = LiveScreen(stream, interval=60)
    with screen.showing(lambda width, height: [["x" * 50], ["価" * 50], ["c"], ["d"], ["e"]][: height + 3]):
        screen.line("told")
        screen.draw()
        written = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue())
    assert written.split("\n") == ["\rtold", "x" * 28 + "…", "価" * 14 + "…", "c"]
    assert re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", stream.getvalue()).endswith("c\r")


def test_what_is_told_last_is_there_when_the_panel_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    screen = LiveScreen(stream, interval=60)
    with screen.showing(lambda width, height: [["panel"]]):
        screen.line("told")
        with screen.away():
            assert stream.getvalue() == "told\n"
            screen.line("asked")
            assert stream.getvalue() == "told\nasked\n"
    assert stream.getvalue() == "told\nasked\n"


def test_what_a_model_says_goes_by_and_is_gone_when_it_has_said_it(told: Told) -> None:
    told.tell(EventType.ACTIVITY_STARTED, "a")
    for piece in ("The order was lost\n", "on its way, ", "it seems."):
        told.panel.say(piece)
    assert "  » The order was lost on its way, it seems." in told.lines()
    told.panel.say(" and so on" * 200)
    (line,) = [line for line in told.lines(width=60) if line.startswith("  » ")]
    assert len(line) <= 60
    assert line.endswith("and so on")
    told.tell(EventType.MODEL_CALL, "a", tokens=[1, 1], tokens_ungoverned=1, reported=[1, 1], chars=1)
    assert not [line for line in told.lines() if line.startswith("  » ")]
