"""D1 before a model call asks people like D1 before an activity, and the call goes on after the answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.activities.agent import AgentHandler
from engine.activities.work import Outcome, Suspended, Work
from engine.events import EventType
from engine.models.base import ModelAnswer
from engine.prompts.assembler import PromptAssembler
from engine.status import Status
from governance.human_loop.intervention import Intervention
from governance.vocabulary import Fidelity, InteractionLevel
from tests.bpmn.files import policy
from tests.engine.activities.works import Scripted
from tests.engine.governed.test_compressing import LONG, fidelity
from tests.engine.models import edges, end, model, start
from tests.engine.running import Run

INPUT = (
    '<ioSpecification><dataInput id="i" name="x"/><inputSet><dataInputRefs>i</dataInputRefs></inputSet>'
    "<outputSet/></ioSpecification>"
)
ANSWER = ModelAnswer(outputs={"y": "done"}, confidence=0.9)
WRONG = ModelAnswer(outputs={"z": 1}, confidence=0.9)


def process(governed: str, *, declares: str = "") -> bytes:
    agent = policy(f'<gov:agent outputs="y"/>{governed}')
    return model(start(), f'<serviceTask id="a">{agent}{declares}</serviceTask>', end(), edges("s > a > e"))


def window(tokens: int, retain: str = "") -> str:
    key = f'<gov:retainKey name="{retain}"/>' if retain else ""
    return f'<gov:policy windowTokens="{tokens}">{key}</gov:policy>'


def asked_of(run: Run) -> Intervention:
    (id,) = run.instance.held
    return run.instance.interventions[id]


def do_with(*answers: ModelAnswer) -> tuple[dict[str, Callable[[Work], Outcome]], Scripted]:
    scripted = Scripted(*answers)
    return {"a": AgentHandler(lambda spec: scripted, PromptAssembler())}, scripted


def test_a_prompt_that_does_not_fit_with_nothing_left_to_lower_asks_once_and_then_goes_out() -> None:
    handlers, asked_model = do_with(ANSWER)
    run = Run(process(window(2_000, retain="x")), {"x": LONG * 4}, handlers=handlers)
    assert (run.status, asked_model.asked) == (Status.WAITING, [])
    assert len(run.events(EventType.ACTIVITY_STARTED)) == 1
    asked = asked_of(run)
    assert (asked.kind, asked.level) == ("usage_overflow", InteractionLevel.EXPLICIT_APPROVAL)
    assert isinstance(asked.shown, dict)
    assert list(asked.shown["release"]) == ["x"]
    run.reload()
    run.answer(asked.id, "approve")
    assert (run.instance.status, len(asked_model.asked)) == (Status.COMPLETED, 1)
    assert len(run.memory.interventions) == 1
    assert [event.data["attempt"] for event in run.events(EventType.ACTIVITY_STARTED)] == [1]


def test_what_is_released_at_a_call_is_lowered_for_it() -> None:
    handlers, asked_model = do_with(ANSWER)
    run = Run(process(window(2_000, retain="x")), {"x": LONG * 4}, handlers=handlers)
    run.reload()
    run.answer(asked_of(run).id, "approve", values={"release": ["x"]})
    assert (run.instance.status, run.variables["y"]) == (Status.COMPLETED, "done")
    assert fidelity(run, "x") < Fidelity.FULL
    assert LONG * 2 not in asked_model.asked[0].messages[1].content


def test_a_denied_overflow_at_a_call_is_an_incident_and_a_retry_asks_again() -> None:
    handlers, asked_model = do_with(ANSWER)
    run = Run(process(window(2_000, retain="x")), {"x": LONG * 4}, handlers=handlers)
    run.answer(asked_of(run).id, "deny", reason="split it first")
    assert (run.instance.status, asked_model.asked) == (Status.FAILED, [])
    assert "split it first" in (run.instance.reason or "")
    (task,) = run.instance.incidents
    run.retry(task)
    assert (run.instance.status, asked_of(run).kind) == (Status.WAITING, "usage_overflow")


def tight(run_of: Callable[[bytes], Run]) -> Run:
    """A run whose first prompt fits and whose second, longer by a correction, does not without compressing `x`."""
    for tokens in range(900, 2_500, 20):
        run = run_of(process(window(tokens), declares=INPUT))
        if run.status is Status.WAITING and run.events(EventType.MODEL_CALL):
            return run
    raise AssertionError("no window is tight")


def test_declared_inputs_compressed_at_a_later_call_are_shown_first_and_no_call_is_made_twice() -> None:
    made: list[Scripted] = []

    def run_of(source: bytes) -> Run:
        handlers, scripted = do_with(ModelAnswer(text="word " * 500), ANSWER)
        made.append(scripted)
        return Run(source, {"x": LONG * 2}, handlers=handlers)

    run = tight(run_of)
    asked = asked_of(run)
    assert (asked.kind, asked.level) == ("d1_preview", InteractionLevel.DIFF_PREVIEW)
    assert [each.turn for each in made[-1].asked] == [1]
    run.reload()
    run.answer(asked.id, "approve")
    assert (run.instance.status, [each.turn for each in made[-1].asked]) == (Status.COMPLETED, [1, 2])
    recalled = [event.data["recalled"] for event in run.events(EventType.MODEL_CALL)]
    assert recalled == [False, False], "each call is told once"
    assert fidelity(run, "x") < Fidelity.FULL


def compressing(*overheads: int) -> Callable[[Work], Outcome]:
    """A handler that makes a model call after each D1."""

    def do(work: Work) -> Outcome:
        for number, overhead in enumerate(overheads):
            work.compress(overhead)
            work.call_model(f"{number}:{work.context.head}", lambda: {"said": 1})
        return Outcome(outputs={"y": 1}, confidence=1.0)

    return do


def test_a_refused_compression_at_a_call_is_taken_back() -> None:
    source = process('<gov:policy windowTokens="3000"/>', declares=INPUT)
    run = Run(source, {"x": LONG * 2}, handlers={"a": compressing(0, 2_500)})
    asked = asked_of(run)
    assert asked.kind == "d1_preview"
    run.reload()
    run.answer(asked.id, "deny", reason="it needs every word")
    overflow = asked_of(run)
    assert overflow.kind == "usage_overflow"
    run.reload()
    run.answer(overflow.id, "approve")
    assert run.instance.status is Status.COMPLETED
    assert fidelity(run, "x") is Fidelity.FULL
    assert len(run.journal) == 2


def test_a_handler_cannot_call_on_while_a_person_has_not_answered() -> None:
    called: list[int] = []

    def stubborn(work: Work) -> Outcome:
        try:
            work.compress(3_500)
        except Suspended:
            with pytest.raises(Suspended):
                work.call_model("x", lambda: {"n": called.append(1)})
        return Outcome(outputs={"y": 1}, confidence=1.0)

    source = process('<gov:policy windowTokens="3000"/>', declares=INPUT)
    run = Run(source, {"x": LONG}, handlers={"a": stubborn})
    assert (run.status, called, run.variables.get("y")) == (Status.WAITING, [], None)


def test_a_context_put_back_meanwhile_is_what_the_work_begins_with_and_is_asked_about() -> None:
    seen: list[Any] = []
    handler = compressing(0, 2_500)

    def do(work: Work) -> Outcome:
        seen.append(work.context.head)
        return handler(work)

    source = process('<gov:policy windowTokens="3000"/>', declares=INPUT)
    run = Run(source, {"x": LONG * 2}, handlers={"a": do})
    asked = asked_of(run)
    run.reload()
    run.go(lambda: run.advancing.restore_context(seen[0], None, "ann"))
    assert run.memory.interventions[asked.id].status == "withdrawn"
    assert run.instance.graph.get(seen[1]).meta.kind == "restore"
    anew = asked_of(run)
    assert (anew.id, anew.kind) != (asked.id, "withdrawn")
    run.reload()
    run.answer(anew.id, "approve")
    assert (run.instance.status, len(run.journal)) == (Status.COMPLETED, 3)
