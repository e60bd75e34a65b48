"""A simulation decides what cannot be computed, in turns, and says so."""

from __future__ import annotations

from bpmn.load import load
from engine.events import EventType
from engine.launch import deploy
from engine.status import Status
from tests.engine.models import boundary, edges, end, gateway, instances, model, script, start, sub, timer, user
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


def _catch(text: str) -> bytes:
    event = f'<intermediateCatchEvent id="c">{timer(text)}</intermediateCatchEvent>'
    return model(start(), event, script("a", "x = 1"), end(), edges("s > c > a > e"))


def test_a_time_that_cannot_be_computed_has_come() -> None:
    run = Run(_catch("${when}"), settings=SIMULATE)
    assert (run.status, run.done()) == (Status.COMPLETED, ["a"])
    assert "a time that cannot be computed has come" in _notices(run)[0]
    assert Run(_catch("${when}")).status is Status.FAILED


def test_nor_one_that_a_placeholder_stands_for() -> None:
    assert Run(_catch("${when}"), {"when": "<when>"}, settings=SIMULATE).status is Status.COMPLETED


def test_beside_something_it_never_comes() -> None:
    for kind in ("timeDuration", "timeCycle"):
        source = model(
            start(), user("u"), boundary("b", "u", timer("${when}", kind)), script("h", "x = 1"), end(), end("e2"),
            edges("s > u > e", "b > h > e2"),
        )  # fmt: skip
        run = Run(source, settings=SIMULATE)
        assert (run.status, run.done()) == (Status.COMPLETED, ["u"])
        assert "never comes" in _notices(run)[0]


def test_flows_of_a_drawing_are_taken_in_turns() -> None:
    source = model(
        start(), gateway("m", "exclusive"), script("a", "x = 1"), gateway("g", "exclusive"), end(),
        edges("s > m > a > g > m", "g > e"),
    )  # fmt: skip
    drawn = load(source, file="model.bpmn", simulate=True)
    run = Run(source, settings=SIMULATE, deployed=deploy(drawn.definition, "hash", "p"))
    assert (run.status, run.done()) == (Status.COMPLETED, ["a", "a"])


def test_an_ad_hoc_sub_process_ends_whose_condition_nothing_makes_true() -> None:
    tools = '<adHocSubProcess id="h"><scriptTask id="a"><script>x = 1</script></scriptTask><completionCondition>'
    source = model(start(), tools + "done</completionCondition></adHocSubProcess>", end(), edges("s > h > e"))
    assert Run(source, settings=SIMULATE).status is Status.COMPLETED
    assert Run(source).status is Status.FAILED


CIRCLE = (gateway("m", "exclusive"), script("a", "x = 1"), script("b", "x = 2"))


def test_a_loop_that_nothing_leads_out_of_is_an_incident() -> None:
    run = Run(model(start(), *CIRCLE, edges("s > m > a > b > m")), settings=SIMULATE)
    assert run.status is Status.FAILED
    assert "m: a token came here 1000 times in this simulation: nothing ends the loop" in str(run.instance.reason)


def test_nor_is_one_inside_an_instance_gone_through_for_ever() -> None:
    inside = sub("x", start("s1"), *CIRCLE, edges("s1 > m > a > b > m"), inside=instances(cardinality="2"))
    run = Run(model(start(), inside, end(), edges("s > x > e")), settings=SIMULATE)
    assert run.status is Status.FAILED


def test_instances_do_not_count_as_rounds() -> None:
    task = script("a", "x = 1", inside=instances(cardinality="1001"))
    within = sub("x", start("s1"), script("b", "x = 1"), edges("s1 > b"), inside=instances(cardinality="1001"))
    run = Run(model(start(), task, within, end(), edges("s > a > x > e")), settings=SIMULATE)
    assert run.status is Status.COMPLETED
