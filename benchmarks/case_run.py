"""A case that has a model: run with its inputs, and compared with what was right to expect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from benchmarks.simulating import BEGIN, governor
from bpmn.definition import Element
from bpmn.errors import BpmnError
from bpmn.load import Loaded, load
from bpmn.walk import elements
from engine.errors import EngineError
from engine.events import Event, EventType
from engine.governor import Governor
from engine.result import RunResult
from engine.spiff.messages import NotAwaited
from governance.errors import GovernanceError
from governance.ports import FixedClock

_STATUS: Final = {"completed": "completed", "stalled": "stuck", "failed": "error", "waiting": "waiting"}
_TICK: Final = timedelta(milliseconds=100)
_SCOPES: Final = frozenset({"subProcess", "transaction", "adHocSubProcess", "callActivity"})


@dataclass(slots=True)
class Ran:
    """What a run came to. `text` is everything that it says, to look for names in."""

    status: str
    text: str = ""
    trace: list[str] = field(default_factory=list)
    data: Mapping[str, Any] = field(default_factory=dict)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    lint: list[str] = field(default_factory=list)
    names: Mapping[str, str | None] = field(default_factory=dict)
    concurrent: bool = False
    """Whether the model lets branches go on side by side, so that their order means nothing."""


def check_model(folder: Path, case: Mapping[str, Any]) -> str | None:
    """What is wrong; None: the case is right, in every order of answers that it speaks of."""
    inputs, expected = case["inputs"], case["expected"]
    source = (folder / case["file"]).read_bytes()
    if inputs.get("collaboration"):
        return _check_pools(source, case)
    orders = [inputs.get("answers", [])]
    if "also" in expected:
        orders.append(list(reversed(orders[0])))
    for number, answers in enumerate(orders):
        ran = _run(source, case["file"], {**inputs, "answers": answers})
        wrong = list(_wrong(ran, expected, ordered=number == 0 and not ran.concurrent))
        if wrong:
            return "; ".join(wrong) + f" [{ran.status}: {ran.text}]"
    return None


def _check_pools(source: bytes, case: Mapping[str, Any]) -> str | None:
    """Start the pool of each process that nothing triggers, in the order of the file and in the other one."""
    found = load(source, file=case["file"]).definition
    pools = [
        process.id
        for process in found.processes.values()
        if any(each.kind == "startEvent" and _is_plain(each) for each in process.scope.elements.values())
    ]
    for order in (pools, pools[::-1]):
        ran = Ran("completed", concurrent=True)
        with governor(listener=_listener(ran, frozenset())) as made:
            ids = [made.start(load(source, file=case["file"], process=each), {}).instance for each in order]
            results = [made.result(each) for each in ids]
        ran.status = next((_STATUS[each.status] for each in results if each.status != "completed"), "completed")
        wrong = list(_wrong(ran, case["expected"], ordered=False))
        if wrong:
            return "; ".join(wrong) + f" [{' then '.join(order)}: {ran.status}]"
    return None


def _is_plain(element: Element) -> bool:
    return element.event is None or element.event.kind == "none"


def _run(source: bytes, file: str, inputs: Mapping[str, Any]) -> Ran:
    try:
        loaded = load(source, file=file, process=inputs["process"])
    except BpmnError as error:
        return Ran("load_error", str(error))
    findings = "\n".join(map(str, loaded.findings))
    every = [each for process in loaded.definition.processes.values() for each in elements(process)]
    ran = Ran(
        "load_error",
        findings,
        lint=[f"{each.rule}:{each.element}" for each in loaded.findings],
        names={each.id: each.name for each in every},
        concurrent=any(each.kind in ("parallelGateway", "inclusiveGateway", "boundaryEvent") for each in every),
    )
    if loaded.errors:
        return ran
    scopes = frozenset(each.id for each in every if each.kind in _SCOPES)
    return _start(loaded, inputs, ran, scopes)


def _start(loaded: Loaded, inputs: Mapping[str, Any], ran: Ran, scopes: frozenset[str]) -> Ran:
    clock = FixedClock(BEGIN)
    with governor(clock, listener=_listener(ran, scopes)) as made:
        try:
            result = made.start(loaded, inputs["data"])
            result = _drive(made, clock, result, inputs, ran)
        except (BpmnError, EngineError, GovernanceError) as error:
            ran.text = f"{error}\n{ran.text}"
            return ran
    said = [result.reason or "", *(f"{each['element']}: {each['error']}" for each in result.incidents), ran.text]
    ran.status = "error" if result.incidents else _STATUS.get(result.status, result.status)
    ran.text, ran.data, ran.conflicts = "\n".join(filter(None, said)), result.variables, result.conflicts
    return ran


def _listener(ran: Ran, scopes: frozenset[str]) -> Callable[[Event], None]:
    """Writes down the activities that are done, but for what is a scope of others, and for instances taken together."""

    def listen(event: Event) -> None:
        done = event.type is EventType.ACTIVITY_COMPLETED and "instances" not in event.data
        if done and event.element not in scopes:
            ran.trace.append(event.element or "")

    return listen


def _drive(
    made: Governor, clock: FixedClock, result: RunResult, inputs: Mapping[str, Any], ran: Ran
) -> RunResult:
    """Events first, then time, then answers; each answer goes to its task when that is open.

    What comes when nobody waits for it comes again after each of the answers; what nobody took in the end is told.
    """
    result, early = _sent(made, result, list(inputs.get("events", ())))
    for _ in range(round(inputs.get("wait_s", 0) / _TICK.total_seconds())):
        clock.move_to(clock.now() + _TICK)
        result = made.resume(result.instance)
    left = list(inputs.get("answers", ()))
    while left:
        # Of instances that wait for people the first one is answered first.
        items = {each["element"]: each["id"] for each in reversed(result.waiting) if each["kind"] == "work_item"}
        answer = next((each for each in left if each[0] in items), None)
        if answer is None:
            break
        left.remove(answer)
        result = made.complete(items[answer[0]], answer[1], by="ann")
        result, early = _sent(made, result, early)
    ran.text += "".join(f"\nnobody waits for the {kind} {name}" for kind, name, _ in early)
    return result


def _sent(made: Governor, result: RunResult, events: list[list[Any]]) -> tuple[RunResult, list[list[Any]]]:
    """After all events that somebody waits for, and those that nobody does."""
    early = []
    for event in events:
        kind, name, payload = event
        if kind == "signal":
            if result.instance not in made.signal(name, payload):
                early.append(event)
            result = made.result(result.instance)
            continue
        try:
            result = made.correlate(result.instance, name, payload)
        except NotAwaited:
            early.append(event)
    return result, early


def _wrong(ran: Ran, expected: Mapping[str, Any], *, ordered: bool) -> Iterator[str]:
    allowed = expected["status"].split(" or ")
    if ran.status not in allowed:
        yield f"status {ran.status}, expected {expected['status']}"
    trace = expected.get("trace", expected.get(f"trace_if_{ran.status}"))
    if trace is not None and ran.status != "load_error" and not _same(ran.trace, trace, ordered=ordered):
        yield f"trace {ran.trace}, expected {trace}"
    if ran.status != "load_error":
        for name, value in expected.get("data", {}).items():
            if ran.data.get(name) != value:
                yield f"{name} is {ran.data.get(name)!r}, expected {value!r}"
    yield from (f"{each} ran" for each in expected.get("must_not_run", ()) if each in ran.trace)
    if ran.status in ("error", "load_error"):
        yield from (f"{each} is not named" for each in expected.get("error_names", ()) if not _names(ran.text, each))
    if ran.status == "stuck":
        yield from (f"{each} is not named" for each in expected.get("stuck_at", ()) if not _names(ran.text, each))
    yield from (f"{each} was not found" for each in expected.get("lint", ()) if each not in ran.lint)
    for element, name in expected.get("names", {}).items():
        if ran.names.get(element) != name:
            yield f"{element} is called {ran.names.get(element)!r}"
    yield from _conflicts(ran, expected)


def _conflicts(ran: Ran, expected: Mapping[str, Any]) -> Iterator[str]:
    for wanted in expected.get("conflicts", ()):
        found = [each for each in ran.conflicts if str(each["key"]).rpartition("/")[2] == wanted["key"]]
        values = sorted(value.get("value") for each in found for value in each["values"])
        branches = sorted(str(value["activity"]) for each in found for value in each["values"])
        if len(found) != 1 or values != sorted(wanted["values"]) or branches != sorted(wanted["branches"]):
            yield f"conflict on {wanted['key']}: found {values} of {branches}"
        elif found[0].get("base") != wanted.get("base"):
            yield f"conflict on {wanted['key']}: base {found[0].get('base')!r}"


def _same(found: list[str], expected: list[str], *, ordered: bool) -> bool:
    return found == expected if ordered else Counter(found) == Counter(expected)


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
