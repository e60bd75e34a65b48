"""Cases without a model: inputs for one part of context governance, and what must come out. Told apart by their inputs.

Each way of checking takes the inputs and the expectation of a case, and says what is wrong or None.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import orjson

from benchmarks.processes import writing_sequence
from benchmarks.simulating import Beginnings, governor
from benchmarks.ways import stored
from bpmn.definition import Definition, Element
from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.work import Handler, Outcome, Work
from engine.models.base import ModelAnswer, ModelRequest
from engine.prompts.assembler import PromptAssembler
from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Decision, D1Request
from governance.human_loop.errors import AlreadyClosed
from governance.layers.manager import ContextLayerManager
from governance.merging.rules import MergeRules
from governance.policy import Policy
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer, Producer, SplitStrategy

Case = Mapping[str, Any]

_AT: Final = "2026-01-01T00:00:00.000000Z"
_BPMN: Final = 'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:gov="urn:bpmn-governor:governance:1.0"'


def check_context(case: Case) -> str | None:
    """What is wrong; None: right. A form of inputs that is not known is wrong too: nothing was checked."""
    inputs = case["inputs"]
    for keys, check in _CHECKS:
        if keys <= inputs.keys():
            return check(inputs, case["expected"])
    return f"no way to check inputs with {', '.join(sorted(inputs))}"


def _merge(inputs: Case, expected: Case) -> str | None:
    graph = SnapshotGraph(ValueStore())
    main = _written(graph, inputs["base"])
    branches = main.split(list(inputs["branches"]), SplitStrategy.INHERIT_ALL, (), _AT)
    for manager, values in zip(branches, inputs["branches"].values(), strict=True):
        for name, value in values.items():
            manager.write(Layer.WORKING, name, value, producer=Producer.AGENT)
        manager.commit("activity", manager.branch, _AT)
    first, *others = branches
    result = first.merge(others, MergeRules(), "join", _AT, into="")
    merged = first.read(Layer.WORKING)
    conflicts = [each.place for each in result.plan.conflicts]
    if merged != expected["merged"] or len(conflicts) != len(expected["conflicts"]):
        return f"merged {merged}, conflicts {conflicts}"
    return None


def _written(graph: SnapshotGraph, values: Mapping[str, Any]) -> ContextLayerManager:
    manager = ContextLayerManager(graph)
    for name, value in values.items():
        manager.write(Layer.WORKING, name, value, producer=Producer.HUMAN)
    manager.commit("start", "", _AT)
    return manager


def _compressed(graph: SnapshotGraph, head: str, policy: Policy) -> D1Decision:
    compressor = ContextCompressor(graph, Beginnings())
    return compressor.compress(head, D1Request(activity="next", policy=policy), _AT)


def _tool_calls(inputs: Case, expected: Case) -> str | None:
    """At every budget, what is left of a call and its results is left together."""
    messages = {each["id"]: each for each in inputs["messages"]}
    for window in (2_000, 1_000, 600, 400, 300, 200, 100, 50):
        graph = SnapshotGraph(ValueStore())
        main = _written(graph, messages)
        decision = _compressed(graph, main.head, Policy(window_tokens=window, working_threshold=window * 4))
        contents = graph.contents(decision.snapshot_after)
        left = {id for id in messages if _fidelity(contents, id) is not Fidelity.ARCHIVED}
        for message in messages.values():
            calls = {each["id"] for each in message.get("tool_calls", ())}
            group = {message["id"], *(m["id"] for m in messages.values() if m.get("tool_call_id") in calls)}
            if calls and left & group not in (set(), group):
                return f"window {window}: of {sorted(group)} only {sorted(left & group)} are left"
    return None


def _fidelity(contents: Any, name: str) -> Fidelity:
    item = contents.item(f"WORKING/{name}")
    return Fidelity.ARCHIVED if item is None else item.fidelity


def _budget(inputs: Case, expected: Case) -> str | None:
    """Pinned items stay word for word, and the rest is made to fit, or what does not is named."""
    graph, budget = SnapshotGraph(ValueStore()), inputs["budget_tokens"]
    texts = {each["id"]: each.get("text") or _text(graph, each["tokens"]) for each in inputs["items"]}
    pinned = tuple(each["id"] for each in inputs["items"] if each.get("pinned"))
    main = _written(graph, texts)
    policy = Policy(window_tokens=budget, retain_keys=pinned)
    decision = _compressed(graph, main.head, policy)
    contents = graph.contents(decision.snapshot_after)
    for name in (*pinned, *expected.get("verbatim_after", ())):
        if _fidelity(contents, name) is not Fidelity.FULL:
            return f"{name} is not shown word for word"
    return _within(decision, expected, contents.layer_totals(Layer.WORKING).tokens)


def _within(decision: D1Decision, expected: Case, tokens: int) -> str | None:
    most = expected.get("result_tokens_at_most")
    if most is None or tokens <= most:
        return None
    overflow = decision.overflow
    named = "" if overflow is None else str(overflow.record())
    wanted = expected.get("or_error_names")
    return None if wanted and all(name in named for name in wanted) else f"{tokens} tokens, {named or 'no overflow'}"


def _text(graph: SnapshotGraph, tokens: int) -> str:
    """Words that come to that many tokens, or a few more."""
    words, text, count = Random(1), "start", graph.values.tokens
    while count(text) < tokens:
        text += "".join(f" {words.choice(_WORDS)}" for _ in range(1 + (tokens - count(text)) // 2))
    return text


_WORDS: Final = ("claim", "amount", "customer", "policy", "damage", "report", "total", "invoice", "paid", "open")


def _growth(inputs: Case, expected: Case) -> str | None:
    words = Random(1)
    size = inputs["bytes_added_per_step"]
    texts = ["".join(words.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(size)) for _ in range(inputs["steps"])]
    with tempfile.TemporaryDirectory() as folder:
        stored(Path(folder))(writing_sequence(texts))()()
        total = sum(file.stat().st_size for file in Path(folder).iterdir())
    most = expected["total_bytes_at_most"]
    return None if total <= most else f"{total:,} bytes, at most {most:,} expected"


class _Counted:
    """Handlers that count how often each activity is done."""

    def __init__(self) -> None:
        self.runs: dict[str, int] = {}

    def handler_for(self, element: Element) -> Handler:
        return self._do

    def require(self, definition: Definition) -> None:
        """Everything is done."""

    def _do(self, work: Work) -> Outcome:
        self.runs[work.element.id] = self.runs.get(work.element.id, 0) + 1
        return Outcome(outputs={f"done_{work.element.id}": True})


def _approvals(inputs: Case, expected: Case) -> str | None:
    """Each pause is an approval in a branch of its own, behind an activity whose effect is counted."""
    names = {each["id"]: each["activity"] for each in inputs["pauses"]}
    handlers = _Counted()
    errors, answered = [], {}
    with governor(handlers=lambda _: handlers) as made:
        result = made.start(load(_pausing(list(names.values())), file="pauses.bpmn"), {})
        asked = {each["element"]: each["id"] for each in result.waiting if each["kind"] == "intervention"}
        if len(set(asked.values())) != len(names):
            return f"{len(asked)} pauses with an id of their own, expected {len(names)}"
        for number, (pause, yes) in enumerate(inputs["answers"]):
            try:
                decision = "approve" if yes else "deny"
                made.answer(asked[names[pause]], decision, by="ann", reason="because")  # type: ignore[arg-type]
                answered[names[pause]] = yes
            except AlreadyClosed:
                errors.append({"answer": number, "reason": "already answered"})
    if answered != expected["result"] or errors != expected["errors"]:
        return f"answers {answered}, errors {errors}"
    effects = {name: handlers.runs.get(name, 0) for name in expected["side_effect_runs"]}
    return None if effects == expected["side_effect_runs"] else f"effects {effects}"


def _pausing(names: list[str]) -> bytes:
    branches = "".join(
        f'<serviceTask id="before_{name}" gov:jobType="j"/><serviceTask id="{name}" gov:jobType="j"'
        ' gov:interactionLevel="EXPLICIT_APPROVAL"/>'
        f'<sequenceFlow id="a_{name}" sourceRef="split" targetRef="before_{name}"/>'
        f'<sequenceFlow id="b_{name}" sourceRef="before_{name}" targetRef="{name}"/>'
        for name in names
    )
    return (
        f'<definitions {_BPMN}><process id="p" isExecutable="true"><startEvent id="s"/><parallelGateway id="split"/>'
        f'<sequenceFlow id="f" sourceRef="s" targetRef="split"/>{branches}</process></definitions>'
    ).encode()


class _Says:
    """A model whose answer is one message, with all that a provider sends along."""

    name = "says"

    def __init__(self, message: Mapping[str, Any]) -> None:
        self._text = orjson.dumps(message).decode()

    def answer(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer(text=self._text)


class _Agents:
    def __init__(self, message: Mapping[str, Any]) -> None:
        self._agent = AgentHandler(lambda _: _Says(message), PromptAssembler())

    def handler_for(self, element: Element) -> Handler:
        return self._agent

    def require(self, definition: Definition) -> None:
        """Everything is done."""


def _payload(inputs: Case, expected: Case) -> str | None:
    handlers = _Agents(inputs["message"])
    source = (
        f'<definitions {_BPMN}><process id="p" isExecutable="true"><startEvent id="s"/><serviceTask id="a">'
        '<extensionElements><gov:agent outputs="content:string"/></extensionElements></serviceTask>'
        '<sequenceFlow id="f" sourceRef="s" targetRef="a"/></process></definitions>'
    ).encode()
    with governor(handlers=lambda _: handlers) as made:
        result = made.start(load(source, file="payload.bpmn"), {})
        context = orjson.dumps(dict(result.variables))
    leaked = [text for text in expected["must_not_contain"] if text.encode() in context]
    if leaked or len(context) > expected["context_bytes_at_most"]:
        return f"{len(context)} bytes, with {leaked}"
    return None if result.variables.get("content") == inputs["message"]["content"] else f"variables {result.variables}"


_CHECKS: Final[tuple[tuple[frozenset[str], Callable[[Case, Case], str | None]], ...]] = (
    (frozenset({"base", "branches"}), _merge),
    (frozenset({"messages"}), _tool_calls),
    (frozenset({"budget_tokens", "items"}), _budget),
    (frozenset({"steps", "bytes_added_per_step"}), _growth),
    (frozenset({"pauses", "answers"}), _approvals),
    (frozenset({"message"}), _payload),
)
"""By the inputs that a case has, how it is checked."""
