"""A simulation decides what cannot be computed, in turns, and says so."""

from __future__ import annotations

from engine.events import EventType
from engine.status import Status
from tests.engine.models import edges, end, gateway, model, script, start
from tests.engine.running import Run

SIMULATE = {"simulate": True}


def _flow(identifier: str, source: str, target: str, condition: str) -> str:
    return (
        f'<sequenceFlow id="{identifier}" sourceRef="{source}" targetRef="{target}">'
        f"<conditionExpression>{condition}</conditionExpression></sequenceFlow>"
    )


def _loop(again: str, out: str) -> bytes:
    return model(
        start(), gateway("m", "exclusive"), script("a", "x = 1"), gateway("g", "exclusive"), end(),
        edges("s > m > a > g"), _flow("again", "g", "m", again), _flow("out", "g", "e", out),
    )  # fmt: skip


def _notices(run: Run) -> list[str]:
    return [event.data["message"] for event in run.events(EventType.NOTICE)]


def test_flows_that_nothing_decides_are_taken_in_turns() -> None:
    run = Run(_loop("missing == 1", "missing == 2"), settings=SIMULATE)
    assert run.status is Status.COMPLETED
    assert run.done() == ["a", "a"]
    assert [text.split(",")[0] for text in _notices(run)] == ["simulated: again is taken", "simulated: out is taken"]


def test_outside_a_simulation_a_missing_variable_is_an_incident() -> None:
    run = Run(_loop("missing == 1", "missing == 2"))
    assert run.status is Status.FAILED
    assert "there is no variable missing" in str(run.instance.reason)


def test_conditions_that_can_be_computed_hold() -> None:
    run = Run(_loop("x == 2", "x == 1"), settings=SIMULATE)
    assert run.done() == ["a"]
    assert not _notices(run)


def test_a_loop_that_placeholders_never_end_is_left() -> None:
    run = Run(_loop("x == 1", "x == 2"), settings=SIMULATE)
    assert run.status is Status.COMPLETED
    assert len(run.done()) == 102
    assert run.memory.counters["visits"]["simulated g"] == 102  # kept, as a run may be stopped and go on
    assert "100 rounds end nothing" in _notices(run)[-1]


def test_a_script_that_cannot_run_on_what_is_there_is_passed_over() -> None:
    source = model(start(), script("a", "y = missing + 1"), end(), edges("s > a > e"))
    run = Run(source, settings=SIMULATE)
    assert (run.status, run.done(), run.variables) == (Status.COMPLETED, ["a"], {})
    assert "passed over" in _notices(run)[0]
    assert Run(source).status is Status.FAILED


def test_a_collection_that_is_not_there_has_one_item() -> None:
    task = (
        '<scriptTask id="a"><multiInstanceLoopCharacteristics><loopDataInputRef>things</loopDataInputRef>'
        '<inputDataItem id="thing"/></multiInstanceLoopCharacteristics><script>y = thing</script></scriptTask>'
    )
    run = Run(model(start(), task, end(), edges("s > a > e")), settings=SIMULATE)
    assert (run.status, run.done().count("a")) == (Status.COMPLETED, 1)
