"""What people answer is checked, holds, and is on record."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.governed.d1_questions import UnknownRelease
from engine.governed.outputs import WrongEdit
from engine.status import Status
from governance.vocabulary import Fidelity, Producer
from tests.bpmn.files import policy
from tests.engine.governed.test_compressing import LONG, fidelity, line, threshold, writing
from tests.engine.models import MESSAGE, boundary, edges, end, gateway, message, model, script, service, start, user
from tests.engine.running import Run

DECLARED = '<gov:agent outputs="n:integer"/>'


def agent(**outputs: Any) -> Any:
    return lambda work: Outcome(outputs=outputs, confidence=0.1, producer=Producer.AGENT)


def test_an_edit_must_fit_the_declared_outputs() -> None:
    source = model(start(), f'<serviceTask id="a">{policy(DECLARED)}</serviceTask>', end(), edges("s > a > e"))
    run = Run(source, handlers={"a": agent(n=1)})
    (asked,) = run.instance.held
    with pytest.raises(WrongEdit, match="mistyped: n"):
        run.answer(asked, "edit", values={"n": "many"})
    with pytest.raises(WrongEdit, match="not declared: extra"):
        run.answer(asked, "edit", values={"extra": 1})
    run.answer(asked, "edit", values={"n": 2})
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"n": 2})


def test_a_key_retained_by_a_glob_can_be_released_and_nothing_else() -> None:
    keeps = policy('<gov:policy workingThreshold="1000"><gov:retainKey name="x*"/></gov:policy>')
    run = Run(line("", keeps), handlers={"a": writing(x1=LONG)})
    (asked,) = run.instance.held
    with pytest.raises(UnknownRelease, match="x1"):
        run.answer(asked, "approve", values={"release": ["nonsense"]})
    with pytest.raises(UnknownRelease, match="relese"):
        run.answer(asked, "approve", values={"relese": ["x1"]})
    run.answer(asked, "approve", values={"release": ["x1"]})
    assert (run.instance.status, fidelity(run, "x1") < Fidelity.FULL) == (Status.COMPLETED, True)


def test_a_refused_compression_holds_in_the_forced_band_too() -> None:
    inputs = (
        '<ioSpecification><dataInput id="i" name="x"/><inputSet><dataInputRefs>i</dataInputRefs></inputSet>'
        "<outputSet/></ioSpecification>"
    )
    run = Run(line("", threshold(1_500) + inputs), handlers={"a": writing(x=LONG)})
    (asked,) = run.instance.held
    run.answer(asked, "deny", reason="needed word by word")
    assert fidelity(run, "x") is Fidelity.FULL
    (recalled,) = run.events(EventType.RECALLED)
    assert (recalled.data["reason"], recalled.data["keys"]) == ("the compression was refused", ["WORKING/x"])


def test_the_strongest_call_of_the_joined_branches_counts_whoever_came_last() -> None:
    def action(order: str) -> set[str]:
        source = model(
            start(), gateway("g"), user("a", threshold(1_000)), user("b"), gateway("j"), user("c"), end(),
            edges("s > g > a > j > c > e", "g > b > j"),
        )  # fmt: skip
        run = Run(source, code={"a": "x = 'word ' * 500", "b": "y = 1"}).do_all(order)
        return {event.data.get("band") for event in run.events(EventType.D1)} | {run.head}

    assert action("ab") == action("ba")


def test_a_split_that_isolates_hides_retained_keys_too() -> None:
    isolate = policy('<gov:policy><gov:branchStrategy split="ISOLATED"/></gov:policy>')
    keep = policy('<gov:policy><gov:retainKey name="x"/></gov:policy>')
    first = f'<parallelGateway id="g">{isolate}</parallelGateway>'
    seen: list[int] = []

    def look(work: Work) -> Outcome:
        item = work.context.contents.item("WORKING/x")
        assert item is not None
        seen.append(item.fidelity)
        return Outcome()

    source = model(start(), first, service("a", inside=keep), script("b", "y = x"), gateway("j"), end(),
                   edges("s > g > a > j > e", "g > b > j"))  # fmt: skip
    run = Run(source, {"x": 1}, handlers={"a": look})
    assert (seen, run.variables, fidelity(run, "x")) == ([Fidelity.ARCHIVED], {"x": 1, "y": 1}, Fidelity.FULL)


def test_an_interrupted_activity_leaves_no_journal() -> None:
    source = model(
        start(), service("a"), boundary("b", "a", message()), end(), end("e2"), edges("s > a > e", "b > e2"),
        beside=MESSAGE,
    )  # fmt: skip
    run = Run(source, handlers={"a": agent(n=1)})
    purged: list[str] = []
    commit = run.memory.commit
    run.memory.commit = lambda instance: purged.extend(instance.changes.finished_runs) or commit(instance)  # type: ignore[method-assign]
    (task,) = run.instance.held.values()
    run.go(lambda: run.advancing.correlate("m", {}))
    assert str(task) in purged
    assert [each.status for each in run.memory.interventions.values()] == ["withdrawn"]


def test_a_handler_that_ends_the_program_is_an_incident_and_keeps_its_kind() -> None:
    def leave(work: Work) -> Outcome:
        raise SystemExit(3)

    run = Run(model(start(), service("a"), end(), edges("s > a > e")), handlers={"a": leave})
    assert (run.status, "exit code 3" in (run.instance.reason or "")) == (Status.FAILED, True)
    run.reload()
    assert [each.kind for each in run.instance.incidents.values()] == ["HandlerExited"]


def test_a_person_is_told_why_the_task_is_there_again() -> None:
    floor = policy('<gov:policy interactionLevel="DIFF_PREVIEW"/>')
    run = Run(model(start(), user("a", floor), end(), edges("s > a > e")))
    run.do("a", {"text": "short"})
    run.answer(next(iter(run.instance.held)), "deny", reason="too short")
    (item,) = run.instance.work_items.values()
    assert (item.id, item.shown["feedback"]) == ("i-w3.2", "ann: too short")
    assert [each.status for each in run.memory.work_items.values()] == ["completed", "open"]


def restored_to(run: Run, snapshot: str) -> None:
    run.go(lambda: run.advancing.restore_context(snapshot, None, "ann"))


def test_a_question_about_a_context_that_was_put_back_is_asked_anew() -> None:
    run = Run(line("", threshold(2_000, interactionLevel="DIFF_PREVIEW")), handlers={"a": writing(x=LONG)})
    (asked,) = run.instance.held
    before = run.events(EventType.D1)[-1].data["snapshot_before"]
    run.reload()
    restored_to(run, before)
    assert run.memory.interventions[asked].status == "withdrawn"
    (anew,) = run.instance.held
    assert anew != asked
    run.reload()
    run.answer(anew, "approve")
    assert fidelity(run, "x") < Fidelity.FULL


def test_outputs_wait_anew_and_go_onto_the_context_that_was_put_back() -> None:
    def judged(work: Work) -> Outcome:
        work.compress(0)
        return Outcome(outputs={"n": 1}, confidence=0.1, producer=Producer.AGENT, head=work.context.head)

    source = model(
        start(), script("k", "x = 'first'"), script("q", "x = 'second'"),
        f'<serviceTask id="a">{policy(DECLARED)}</serviceTask>', end(), edges("s > k > q > a > e"),
    )  # fmt: skip
    run = Run(source, {"x": ""}, handlers={"a": judged})
    (asked,) = run.instance.held
    first = run.events(EventType.ACTIVITY_COMPLETED)[0].data["head"]
    run.reload()
    restored_to(run, first)
    (anew,) = run.instance.held
    assert anew != asked
    run.reload()
    run.answer(anew, "approve")
    assert (run.instance.status, run.variables) == (Status.COMPLETED, {"x": "first", "n": 1})
