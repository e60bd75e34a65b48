"""Small instances in which everything happens that the reference tells of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from docs.make.tour import run_tour
from engine.activities.choose import activity_handlers
from engine.embedding import RuleSummaries, open_governor
from engine.events import Event
from engine.governor import Governor
from engine.replay.rewinding import Consent
from engine.result import RunResult
from engine.store.database import Database
from engine.store.ids import SequentialIds
from engine.store.store import SqlStore
from governance.budgets import limits_of
from governance.ports import FixedClock

_HEAD: Final = """<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:gov="urn:bpmn-governor:governance:1.0"><message id="paid" name="paid"/><error id="no" errorCode="NO"/>
<process id="p" isExecutable="true"><startEvent id="begin"/>"""
_TAIL: Final = "</process></definitions>"

DESK: Final = """<receiveTask id="wait" messageRef="paid"/><userTask id="look"/>
<exclusiveGateway id="choose" default="f5"/><endEvent id="done"/>
<serviceTask id="book" gov:jobType="book"/>
<boundaryEvent id="refused" attachedToRef="book"><errorEventDefinition errorRef="no"/></boundaryEvent>
<sequenceFlow id="f1" sourceRef="begin" targetRef="wait"/><sequenceFlow id="f2" sourceRef="wait" targetRef="look"/>
<sequenceFlow id="f3" sourceRef="look" targetRef="choose"/>
<sequenceFlow id="f4" sourceRef="choose" targetRef="done">
<conditionExpression>amount == 0</conditionExpression></sequenceFlow>
<sequenceFlow id="f5" sourceRef="choose" targetRef="book"/>
<sequenceFlow id="f6" sourceRef="refused" targetRef="done"/>"""

DISPUTE: Final = """<parallelGateway id="apart"/><parallelGateway id="together"/>
<scriptTask id="left"><script>price = 1</script></scriptTask>
<scriptTask id="right"><script>price = 2</script></scriptTask>
<sequenceFlow id="f1" sourceRef="begin" targetRef="apart"/><sequenceFlow id="f2" sourceRef="apart" targetRef="left"/>
<sequenceFlow id="f3" sourceRef="apart" targetRef="right"/><sequenceFlow id="f4" sourceRef="left" targetRef="together"/>
<sequenceFlow id="f5" sourceRef="right" targetRef="together"/>"""

DEADLOCK: Final = """<exclusiveGateway id="choose" default="f2"/><task id="a"/><task id="b"/>
<parallelGateway id="together"/>
<sequenceFlow id="f1" sourceRef="begin" targetRef="choose"/><sequenceFlow id="f2" sourceRef="choose" targetRef="a"/>
<sequenceFlow id="f3" sourceRef="choose" targetRef="b"><conditionExpression>False</conditionExpression></sequenceFlow>
<sequenceFlow id="f4" sourceRef="a" targetRef="together"/><sequenceFlow id="f5" sourceRef="b" targetRef="together"/>"""

FORBIDDEN: Final = """<task id="never"><extensionElements><gov:policy interactionLevel="AUTO_DENY"/></extensionElements>
</task><sequenceFlow id="f1" sourceRef="begin" targetRef="never"/>"""

REFUNDS: Final = """<serviceTask id="refund" gov:jobType="refund"><multiInstanceLoopCharacteristics>
<loopDataInputRef>orders</loopDataInputRef><inputDataItem id="order" name="order"/></multiInstanceLoopCharacteristics>
</serviceTask><sequenceFlow id="f1" sourceRef="begin" targetRef="refund"/>"""
GUARDED: Final = """<extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/></extensionElements>
<receiveTask id="wait" messageRef="paid"/><userTask id="look"/>
<sequenceFlow id="f1" sourceRef="begin" targetRef="wait"/><sequenceFlow id="f2" sourceRef="wait" targetRef="look"/>"""
LATE: Final = """<boundaryEvent id="late" attachedToRef="wait"><timerEventDefinition><timeDuration>PT1H</timeDuration>
</timerEventDefinition></boundaryEvent><task id="remind"/><sequenceFlow id="f9" sourceRef="late" targetRef="remind"/>"""
SOON: Final = LATE.replace('"late"', '"soon"').replace('"remind"', '"call"')
STRICT: Final = REFUNDS.replace(
    'gov:jobType="refund">',
    'gov:jobType="refund"><extensionElements><gov:policy interactionLevel="DIFF_PREVIEW"/></extensionElements>',
)
LEARNING: Final = """<task id="decide"><extensionElements><gov:agent outputs="verdict:string"/>
<gov:policy><gov:knowledgeRequirement type="sop" query="refunds"/></gov:policy></extensionElements></task>
<sequenceFlow id="f1" sourceRef="begin" targetRef="decide"/>"""

CLERK: Final = """<serviceTask id="clerk"><extensionElements><gov:agent outputs="state" tools="pay-back"/>
</extensionElements></serviceTask><sequenceFlow id="f1" sourceRef="begin" targetRef="clerk"/>"""

THINKING: Final = f"""<parallelGateway id="split"/><scriptTask id="l"><script>rate = 1</script></scriptTask>
<scriptTask id="r"><script>rate = 2</script></scriptTask><parallelGateway id="agree"><extensionElements>
<gov:policy><gov:branchStrategy merge="MODEL"/></gov:policy></extensionElements></parallelGateway>
<serviceTask id="sum"><extensionElements><gov:agent outputs="y"/><gov:policy workingThreshold="2700" zones="on"/>
</extensionElements></serviceTask><scriptTask id="m"><script>m = 1</script></scriptTask>
<scriptTask id="n"><script>n = 1</script></scriptTask>{
    "".join(
        f'<sequenceFlow id="f{number}" sourceRef="{flow.split()[0]}" targetRef="{flow.split()[1]}"/>'
        for number, flow in enumerate(
            ("begin split", "split l", "split r", "l agree", "r agree", "agree m", "m n", "n sum")
        )
    )
}"""

PUMP: Final = "The pump P-17 in hall four stopped at 12:40, and nobody was hurt there. " * 16

TURNS: Final = """turns:
  - activity: agree
    chain: D3_conflict
    fail: the provider is down
  - activity: sum
    chain: D1_model
    answer:
      outputs:
        summaries:
          - {key: WORKING/a, text: P-17 stopped at 12:40.}
          - {key: WORKING/b, text: A pump stopped.}
  - activity: sum
    answer: {outputs: {y: done}, confidence: 0.9}
  - activity: clerk
    answer: {tool_calls: [{name: pay-back, arguments: {order: 7}}, {name: lookup}], cost: 0.01, tries: 2}
  - activity: clerk
    answer: {outputs: {state: refunded}, confidence: 0.9}
  - activity: greet
    repeat: true
    answer: {outputs: {text: Good day.}, confidence: 0.9}
  - activity: decide
    answer:
      text: '{"outputs": {"verdict": "yes"}, "findings": [{"text": "Refunds need a team lead."}, "Another thing."]}'
"""

PRACTICE: Final = """<task id="greet"><extensionElements><gov:agent outputs="text"/></extensionElements>
<multiInstanceLoopCharacteristics isSequential="true"><loopCardinality>3</loopCardinality>
<loopDataOutputRef>texts</loopDataOutputRef><outputDataItem id="text" name="text"/>
</multiInstanceLoopCharacteristics></task>
<sequenceFlow id="f1" sourceRef="begin" targetRef="greet"/>"""

GREETED: Final = """turns:
  - activity: greet
    repeat: true
    answer: {outputs: {text: Good day.}, confidence: 0.9}
"""

PREVIEW: Final = """<task id="draft"><extensionElements><gov:agent/><gov:policy sla="PT90M" informed="maria"
interactionLevel="DIFF_PREVIEW"><gov:approval due="PT1H" escalateTo="lead"/></gov:policy></extensionElements></task>
<sequenceFlow id="f1" sourceRef="begin" targetRef="draft"/>"""

HANDLERS: Final = """from engine.activities.job import handler
from engine.activities.tools.declared import tool
from engine.activities.work import BpmnErrorRaised, Outcome


@handler("refund")
def refund(job):
    if job.variables["order"] == "A-17":
        raise ValueError("there is no account")
    return Outcome(decision="paid by card")


@handler("book")
def book(job):
    raise ValueError("the books are closed") if job.attempt == 1 else BpmnErrorRaised("NO")


@handler("pay-back")
@tool(effect="irreversible", public=("order",))
def pay_back(job):
    return {"refunded": job.arguments["order"]}
"""


@dataclass(slots=True)
class Stories:
    """What happened: every result on the way, and every event."""

    results: list[RunResult] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def add(self, results: Iterable[RunResult], events: Iterable[Event]) -> None:
        self.results += results
        self.events += events


def stories(folder: Path) -> Stories:
    """The tour, and small instances in which one thing happens each."""
    told = Stories()
    tour = run_tour()
    told.add([tour.waiting, tour.result], tour.events)
    (folder / "handlers.py").write_text(HANDLERS, encoding="utf-8")
    (folder / "turns.yaml").write_text(TURNS, encoding="utf-8")
    told.add(*_handed_on(folder))
    told.add(*_raised(folder))
    governor = _governor(folder)
    try:
        alone = (_run(governor, DEADLOCK, {}), _run(governor, FORBIDDEN, {}))
        alone += tuple(_run(governor, REFUNDS, {"orders": ["A-17", "A-18"]}) for _ in range(2))
        governor.knowledge.add("Refunds need a team lead.", "sop", by="maria")
        alone += (_run(governor, LEARNING, {}),)
        alone += (_thinking(governor), _run(governor, PRACTICE, {}))
        alone += (_migrated(governor), _operated(governor), _agreed_on(governor), _passed_over(governor))
        for results in (_desk(governor), _clerk(governor), _run(governor, DISPUTE, {"price": 0}), *alone):
            told.add(results, governor.store.events(results[-1].instance))
    finally:
        governor.close()
    return told


def _desk(governor: Governor) -> list[RunResult]:
    results = _run(governor, DESK, {"amount": 5})
    instance = results[0].instance
    results.append(governor.correlate(instance, "paid", {"amount": 7}, by="maria"))
    results.append(governor.chat_turn(instance, "She has paid twice.", by="maria"))
    task, head = results[-1].waiting[0]["id"], governor.store.instance(instance).head
    assert head is not None
    results.append(governor.restore_context(instance, head, by="maria"))
    results.append(governor.complete(task, {}, by="maria"))
    results.append(governor.retry(instance))
    return results


def _operated(governor: Governor) -> list[RunResult]:
    results = _run(governor, DESK, {"amount": 5})
    instance = results[0].instance
    results.append(governor.suspend(instance, by="olga", reason="prices are wrong"))
    results.append(governor.unsuspend(instance, by="olga", reason="prices are right"))
    head = governor.store.instance(instance).head
    assert head is not None
    results.append(governor.rewind(instance, head, Consent("olga", "the wrong one")))
    results.append(governor.resume(instance))
    results.append(governor.cancel(instance, by="olga", reason="ordered twice"))
    governor.erase(instance, ["amount"], by="dora", reason="asked for it")
    return results


def _agreed_on(governor: Governor) -> list[RunResult]:
    """Operations of which each has to be approved."""
    results = _run(governor, GUARDED, {})
    instance = results[0].instance
    results.append(governor.edit(instance, {"x": 1}, by="olga", reason="a typo"))
    results.append(_approved(governor, instance))
    results.append(governor.move(instance, "wait", "wait", by="olga", reason="once more"))
    results.append(_approved(governor, instance))
    results.append(governor.suspend(instance, by="olga", reason="a question"))
    results.append(governor.unsuspend(instance, by="olga", reason="answered"))
    results.append(_approved(governor, instance))
    results.append(governor.correlate(instance, "paid", {"note": "paid by card on Monday"}))
    results.append(governor.untaint(instance, ["note"], by="olga", reason="it was our own bank"))
    results.append(_approved(governor, instance))
    results.append(governor.cancel(instance, by="olga", reason="ordered twice"))
    results.append(_approved(governor, instance))
    return results


def _raised(folder: Path) -> tuple[list[RunResult], list[Event]]:
    """The budget of all instances is used up, and somebody raises it for a week."""
    (folder / "greet.yaml").write_text(GREETED, encoding="utf-8")
    settings = {"model": f"replay:{folder / 'greet.yaml'}"}
    limits = limits_of("tokens=50, cost=0.01, minutes=9")
    with open_governor(str(folder / "spent.db"), settings=settings, budget=limits) as governor:
        results = _run(governor, PRACTICE, {})
        asked = results[0].waiting[0]["id"]
        more = {"tokens": 90000, "cost": 9, "minutes": 90, "for": "P7D"}
        results.append(governor.answer(asked, "approve", by="maria", reason="month's end", values=more))
        return results, governor.store.events(results[0].instance)


def _migrated(governor: Governor) -> list[RunResult]:
    results = _run(governor, GUARDED.replace("</extensionElements>", f"</extensionElements>{LATE}", 1), {})
    changed = GUARDED.replace("</extensionElements>", f"</extensionElements>{SOON}", 1)
    version = governor.deploy(governor.check(f"{_HEAD}{changed}{_TAIL}".encode()), by="dev")
    results.append(governor.migrate(results[0].instance, version.definition, by="olga", reason="a task more"))
    results.append(_approved(governor, results[0].instance))
    return results


def _passed_over(governor: Governor) -> list[RunResult]:
    results = _run(governor, STRICT, {"orders": ["A-17"]})
    results.append(governor.skip(results[0].instance, "refund", by="olga", reason="paid in cash"))
    results.append(_approved(governor, results[0].instance))
    return results


def _approved(governor: Governor, instance: str) -> RunResult:
    asked = next(each for each in governor.interventions(instance) if each.kind == "operation")
    return governor.answer(asked.id, "approve", by="maria")


def _clerk(governor: Governor) -> list[RunResult]:
    results = _run(governor, CLERK, {})
    asked = results[-1].waiting[0]["id"]
    return [*results, governor.answer(asked, "edit", by="maria", values={"order": 8})]


def _thinking(governor: Governor) -> list[RunResult]:
    results = _run(governor, THINKING, {"a": PUMP, "b": PUMP})
    asked = results[-1].waiting[0]["id"]
    return [*results, governor.answer(asked, "resolve", by="maria", values={"rate": {"value": 3}})]


def _handed_on(folder: Path) -> tuple[list[RunResult], list[Event]]:
    """A question that is delegated, escalated since nobody answers in time, and answered too late."""
    clock = FixedClock(datetime(2026, 5, 15, 8, tzinfo=UTC))
    with open_governor(str(folder / "late.db"), clock=clock, ids=SequentialIds("late")) as governor:
        results = _run(governor, PREVIEW, {"claim": "a broken window"})
        instance, asked = results[0].instance, results[0].waiting[0]["id"]
        results.append(governor.delegate(asked, "li", by="maria", reason="on holiday"))
        clock.move_to(datetime(2026, 5, 15, 10, tzinfo=UTC))
        results.append(governor.resume(instance))
        results.append(governor.answer(asked, "approve", by="li"))
        return results, governor.store.events(instance)


def _run(governor: Governor, process: str, variables: Mapping[str, Any]) -> list[RunResult]:
    return [governor.start(governor.check(f"{_HEAD}{process}{_TAIL}".encode()), variables)]


def _governor(folder: Path) -> Governor:
    handlers = activity_handlers(model="replay:turns.yaml", modules=["handlers.py"], folder=folder)
    return Governor(
        SqlStore(Database(str(folder / "runs.db"))),
        clock=FixedClock(datetime(2026, 5, 15, 8, tzinfo=UTC)),
        ids=SequentialIds("story"),
        summariser=RuleSummaries(),
        handlers=lambda settings: handlers,
    )
