"""What activities produce: written once, judged where a model or the policy says so, sent back with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.status import Status
from governance.vocabulary import Producer
from tests.bpmn.files import policy
from tests.engine.models import edges, end, instances, model, script, service, start, user
from tests.engine.running import Run


def agent(*, confidence: float | None = 0.9, problems: tuple[str, ...] = (), **outputs: Any) -> Any:
    return lambda work: Outcome(outputs=outputs, confidence=confidence, problems=problems, producer=Producer.AGENT)


def one(inside: str = "") -> bytes:
    return model(start(), service("a", inside=inside), end(), edges("s > a > e"))


def test_outputs_become_variables_and_a_record() -> None:
    run = Run(one(), {"y": 1}, handlers={"a": agent(x=2)})
    contents = run.instance.graph.contents(run.head)
    (record,) = [run.instance.graph.values.get(item.value) for _, item in contents.items("HISTORY")]
    assert run.variables == {"x": 2, "y": 1}
    assert record["outputs"] == {"x": contents.item("WORKING/x").value}  # type: ignore[union-attr]
    assert record["confidence"] == 0.9


def test_an_activity_that_changes_nothing_writes_nothing() -> None:
    run = Run(model(start(), script("a", "x = 1"), end(), edges("s > a > e")), {"x": 1})
    commit = run.instance.graph.get(run.head)
    assert [key for key in commit.writes if key.startswith("WORKING")] == []


@pytest.mark.parametrize(
    ("doer", "status", "level", "kind"),
    [
        pytest.param(agent(confidence=0.7, x=1), Status.COMPLETED, None, None, id="sure"),
        pytest.param(agent(confidence=None, x=1), Status.COMPLETED, None, None, id="states none"),
        pytest.param(agent(confidence=0.5, x=1), Status.COMPLETED, "MICRO_SUGGESTION", None, id="fairly sure"),
        pytest.param(agent(confidence=0.3, x=1), Status.WAITING, "DIFF_PREVIEW", "quality", id="unsure"),
        pytest.param(agent(problems=("missing: x",)), Status.WAITING, "EXPLICIT_APPROVAL", "quality", id="missing"),
        pytest.param(
            agent(problems=("mistyped: x",), x="a"), Status.WAITING, "EXPLICIT_APPROVAL", "quality", id="mistyped"
        ),
    ],
)
def test_the_quality_gate(doer: Any, status: Status, level: str | None, kind: str | None) -> None:
    run = Run(one(), handlers={"a": doer})
    assert run.status is status
    asked = list(run.instance.interventions.values())
    if kind is None:
        told = [event.data["level"] for event in run.events(EventType.NOTICE)]
        assert (asked, told) == ([], [] if level is None else [level])
    else:
        assert [(each.level.value, each.kind) for each in asked] == [(level, kind)]
        assert "x" not in run.variables


def held() -> Run:
    return Run(one(), {"x": "before"}, handlers={"a": agent(confidence=0.1, x="after", y=1)})


def test_a_person_sees_what_would_change() -> None:
    (asked,) = held().instance.interventions.values()
    assert isinstance(asked.shown, dict)
    assert asked.shown["outputs"] == {"x": "after", "y": 1}
    assert asked.shown["before"] == {"x": "before"}
    assert asked.options == ("approve", "edit", "deny")


def test_an_approval_lets_the_outputs_through_also_after_a_restart() -> None:
    run = held().reload()
    run.answer(next(iter(run.instance.held)), "approve")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": "after", "y": 1})


def test_an_edit_replaces_what_it_names() -> None:
    run = held()
    run.answer(next(iter(run.instance.held)), "edit", values={"x": "mended"}, reason="tone")
    assert run.variables == {"x": "mended", "y": 1}
    names = run.instance.graph.contents(run.head).names("HISTORY")
    record = run.instance.graph.values.get(run.instance.graph.contents(run.head).item(f"HISTORY/{names[0]}").value)  # type: ignore[union-attr]
    assert record["decision"] == "edited by ann: tone"


def test_a_denial_sends_the_reason_back_to_the_agent() -> None:
    seen: list[str | None] = []

    def work(work: Work) -> Outcome:
        seen.append(work.feedback)
        return Outcome(outputs={"x": len(seen)}, confidence=0.1 if len(seen) == 1 else 0.9, producer=Producer.AGENT)

    run = Run(one(), handlers={"a": work})
    run.answer(next(iter(run.instance.held)), "deny", reason="too vague")
    assert seen == [None, "ann: too vague"]
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": 2})


def test_the_floor_of_a_policy_asks_about_any_output() -> None:
    floor = policy('<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>')
    run = Run(model(start(), user("a", floor), end(), edges("s > a > e")))
    run.do("a", {"x": 1})
    (asked,) = run.instance.interventions.values()
    assert (run.status, asked.kind, asked.level.value) == (Status.WAITING, "output_preview", "EXPLICIT_APPROVAL")


def test_an_incident_of_a_script_names_the_variable_and_can_be_retried() -> None:
    source = model(start(), script("a", "x = amount + 1"), end(), edges("s > a > e"))
    run = Run(source, {"amuont": 1})
    assert run.status is Status.FAILED
    assert "amount" in (run.instance.reason or "")
    assert "amuont" in (run.instance.reason or "")
    run.reload()
    assert [each.element for each in run.instance.incidents.values()] == ["a"]


def test_an_instance_tells_its_doer_which_variables_are_its_own() -> None:
    seen: list[tuple[frozenset[str], Any]] = []

    def work(work: Work) -> Outcome:
        seen.append((work.local, work.variables.get("it")))
        return Outcome(outputs={"o": work.variables["it"] * 2}, producer=Producer.SERVICE)

    marker = instances(collection="items", output="res")
    source = model(start(), service("m", inside=marker), end(), edges("s > m > e"))
    run = Run(source, {"items": [1, 2]}, handlers={"m": work})
    assert seen == [(frozenset({"it"}), 1), (frozenset({"it"}), 2)]
    assert run.variables["res"] == [2, 4]


def test_what_fails_again_when_it_is_tried_again_is_an_incident_again() -> None:
    run = Run(model(start(), script("a", "x = 1 / rate"), end(), edges("s > a > e")), {"rate": 0})
    for _ in range(2):
        (task,) = run.instance.incidents
        run.retry(task)
        assert (run.instance.status, run.instance.incidents[task].kind) == (Status.FAILED, "InvalidValue")
        run.reload()
