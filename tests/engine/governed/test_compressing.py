"""D1 around activities: what a run does when the context grows, and what people are asked."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.status import Status
from governance.policy import Policy
from governance.vocabulary import Fidelity, Producer
from tests.bpmn.files import policy
from tests.engine.models import edges, end, model, service, start, sub, user
from tests.engine.running import Run

LONG = "The pump in hall four stopped at noon. Nobody was hurt, and the line was closed for an hour. " * 20


def writing(**outputs: Any) -> Any:
    return lambda work: Outcome(outputs=outputs, producer=Producer.SERVICE)


def line(*policies: str, last: str = "") -> bytes:
    """Three services in a row; `policies` stand at the first ones, `last` at the third."""
    first, second = (*policies, "", "")[:2]
    return model(
        start(), service("a", inside=first), service("b", inside=second), service("c", inside=last), end(),
        edges("s > a > b > c > e"),
    )  # fmt: skip


def fidelity(run: Run, name: str) -> Fidelity:
    item = run.instance.graph.contents(run.head).item(f"WORKING/{name}")
    assert item is not None
    return item.fidelity


def threshold(characters: int, **attributes: str) -> str:
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return policy(f'<gov:policy workingThreshold="{characters}"{more}/>')


def test_a_context_that_fits_is_left_alone() -> None:
    run = Run(line(), handlers={"a": writing(x=LONG)})
    assert run.events(EventType.D1) == []
    assert fidelity(run, "x") is Fidelity.FULL


@pytest.mark.parametrize(
    ("limit", "band", "shown"),
    [(2_600, "light", Fidelity.SUMMARY), (2_000, "medium", Fidelity.SUMMARY), (1_500, "forced", Fidelity.SUMMARY)],
)
def test_pressure_decides_how_hard_it_is_compressed(limit: int, band: str, shown: Fidelity) -> None:
    run = Run(line("", threshold(limit)), handlers={"a": writing(x=LONG)})
    (event,) = run.events(EventType.D1)
    assert (event.element, event.data["band"], fidelity(run, "x")) == ("b", band, shown)
    assert event.data["after"]["chars"] < event.data["before"]["chars"]
    assert event.data["snapshot_before"] != event.data["snapshot_after"]


def test_what_the_process_computes_with_stays_whole() -> None:
    source = line("", threshold(1_000))
    seen: list[Any] = []
    handlers = {"a": writing(x=LONG), "c": lambda work: seen.append(work.variables["x"]) or Outcome()}
    run = Run(source, handlers=handlers)
    assert seen == [LONG]
    assert run.variables["x"] == LONG


def test_declared_inputs_and_retained_keys_are_shown_in_full_again() -> None:
    keeps = policy('<gov:policy><gov:retainKey name="x"/></gov:policy>')
    run = Run(line("", threshold(1_000), last=keeps), handlers={"a": writing(x=LONG, y=LONG)})
    assert (fidelity(run, "x"), fidelity(run, "y") < Fidelity.FULL) == (Fidelity.FULL, True)


def test_retained_keys_that_do_not_fit_ask_a_person_once_and_can_be_released() -> None:
    keeps = policy('<gov:policy workingThreshold="1000"><gov:retainKey name="x"/></gov:policy>')
    run = Run(line("", keeps), handlers={"a": writing(x=LONG)})
    assert run.status is Status.WAITING
    (asked,) = run.instance.interventions.values()
    assert (asked.kind, asked.level.value, asked.element) == ("retained_overflow", "EXPLICIT_APPROVAL", "b")
    assert isinstance(asked.shown, dict)
    assert list(asked.shown["release"]) == ["x"]
    run.reload()
    run.answer(asked.id, "approve", values={"release": ["x"]})
    assert run.instance.status is Status.COMPLETED
    assert fidelity(run, "x") < Fidelity.FULL
    assert len(run.memory.interventions) == 1


def test_a_denied_overflow_is_an_incident() -> None:
    keeps = policy('<gov:policy workingThreshold="1000"><gov:retainKey name="x"/></gov:policy>')
    run = Run(line("", keeps), handlers={"a": writing(x=LONG)})
    (asked,) = run.instance.interventions
    run.answer(asked, "deny", reason="split the report first")
    assert run.instance.status is Status.FAILED
    assert "split the report first" in (run.instance.reason or "")


@pytest.mark.parametrize(("decision", "after"), [("approve", Fidelity.SUMMARY), ("deny", Fidelity.FULL)])
def test_a_preview_shows_what_falls_and_a_denial_takes_it_back(decision: str, after: Fidelity) -> None:
    run = Run(
        line("", threshold(2_000, interactionLevel="DIFF_PREVIEW")), handlers={"a": writing(x=LONG)}
    )
    (asked,) = [each for each in run.instance.interventions.values() if each.kind == "d1_preview"]
    assert isinstance(asked.shown, dict)
    (change,) = [each for each in asked.shown["changes"] if each["key"] == "WORKING/x"]
    assert (change["to"], len(change["after"]) < len(change["before"])) == ("SUMMARY", True)
    run.answer(asked.id, decision, reason="no")
    run.answer(next(iter(run.instance.held)), "approve")
    assert (run.instance.status, fidelity(run, "x")) == (Status.COMPLETED, after)


def test_what_an_open_intervention_shows_is_not_compressed() -> None:
    assert Policy().working_threshold == 12_000
    source = model(
        start(), '<parallelGateway id="g"/>', service("a", inside=threshold(100_000, interactionLevel="DIFF_PREVIEW")),
        user("u"), service("b", inside=threshold(1_000)), '<parallelGateway id="j"/>', end(),
        edges("s > g > a > j > e", "g > u > b > j"),
    )  # fmt: skip
    run = Run(source, {"x": LONG}, handlers={"a": writing(x="short")})
    (asked,) = run.instance.held
    branch = run.instance.interventions[asked].branch
    archive = {"mode": "compress", "layer": "WORKING", "strategy": "ARCHIVE"}
    told = run.advancing.use_tool("context_compress", archive, branch, "ann")
    assert "WORKING/x" not in [each["key"] for each in told["changes"]]
    run.do("u")
    lowered = [change["key"] for event in run.events(EventType.D1) for change in event.data["changes"]]
    assert lowered == ["WORKING/x"], "another branch has a context of its own, about which nobody is asked"


def test_the_work_sees_the_compressed_context() -> None:
    shown: list[int] = []

    def look(work: Work) -> Outcome:
        from governance.vocabulary import Layer

        shown.append(work.context.char_count(Layer.WORKING))
        return Outcome()

    Run(line("", threshold(1_500)), handlers={"a": writing(x=LONG), "b": look})
    assert shown[0] < 1_500


def test_compression_never_decides_whose_write_is_the_last() -> None:
    def last(limit: str) -> dict[str, Any]:
        source = model(
            start(), '<parallelGateway id="g"/>', service("a", inside=limit), service("b"),
            '<parallelGateway id="j"/>', end(), edges("s > g > a > j > e", "g > b > j"),
        )  # fmt: skip
        return Run(source, {"text": LONG, "x": 0}, handlers={"a": writing(x=1), "b": writing(x=2)}).variables

    assert last(threshold(1_500)) == last("") == {"text": LONG, "x": 2}


def test_what_another_scope_wrote_falls_before_older_things_of_the_own_one() -> None:
    inner = sub("inner", start("s2"), service("b"), end("e2"), edges("s2 > b > e2"))
    source = model(
        start(), service("a"), inner, service("c", inside=threshold(5_400)), end(), edges("s > a > inner > c > e")
    )
    run = Run(source, handlers={"a": writing(x=LONG), "b": writing(y=LONG)})
    assert fidelity(run, "x") is Fidelity.FULL
    assert fidelity(run, "y") is Fidelity.SUMMARY
    assert run.instance.index.scope_names["b"] == "inner"
    assert run.instance.index.scope_names["a"] == run.instance.index.scope_names["c"]
