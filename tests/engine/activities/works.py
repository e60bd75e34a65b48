"""Activity runs as handlers get them, on a real context, with everything around them recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bpmn.definition import AgentConfig, DataItem, Element, LoopCharacteristics
from engine.activities.work import Work
from engine.models.base import ModelAnswer, ModelRequest
from governance.compression.compressor import ContextCompressor
from governance.compression.decisions import D1Request
from governance.layers.history import ActivityRecord, HistoryGrading
from governance.layers.manager import ContextLayerManager
from governance.policy import Policy
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.model import Shown
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity, Layer, Producer

SYSTEM = {"role": "You do one activity of a business process.", "rules": "Say when something is missing."}
PROCESS = {
    "definition": {
        "name": "Incident response",
        "documentation": "From an alert to a fix that holds.",
        "activities": {"triage": "Triage the incident", "fix": "Fix it", "report": "Write the report"},
    }
}


class Cut:
    """A summariser that shows the start."""

    def summarise(self, value: Any, *, query: str, limit: int) -> str:
        return str(value)[:limit]


def an_element(
    id: str = "triage",
    *,
    name: str | None = "Triage the incident",
    documentation: str | None = "Say how severe the incident is and who owns it.",
    outputs: Mapping[str, Any] | None = None,
    required: Sequence[str] | None = None,
    inputs: Sequence[str | DataItem] = (),
    agent: AgentConfig | None = None,
    loop: LoopCharacteristics | None = None,
    **fields: Any,
) -> Element:
    """An agent's activity; `outputs` are JSON Schemas by name."""
    schema = None
    if outputs is not None:
        names = list(outputs) if required is None else list(required)
        schema = {"type": "object", "properties": dict(outputs), "required": names}
    return Element(
        id=id,
        kind=fields.pop("kind", "serviceTask"),
        name=name,
        documentation=documentation,
        data_inputs=tuple(DataItem(name=each) if isinstance(each, str) else each for each in inputs),
        outputs_schema=schema,
        agent=agent or AgentConfig(),
        loop=loop,
        **fields,
    )


class Story:
    """A context that grows: what stands in it before the activity under test."""

    def __init__(self, branch: str = "", scope: str = "") -> None:
        self.graph = SnapshotGraph(ValueStore())
        self.context = ContextLayerManager(self.graph, branch=branch, scope=scope)
        self.compressor = ContextCompressor(self.graph, Cut())
        self._grading = HistoryGrading(self.graph.values, Cut())
        self._recent: tuple[str, ...] = ()
        self._minute = 0
        for layer, entries in ((Layer.SYSTEM, SYSTEM), (Layer.PROCESS, PROCESS)):
            for name, value in entries.items():
                self.context.write(layer, name, value, producer=Producer.DESIGNER)
        self._commit("start")

    def put(self, layer: Layer = Layer.WORKING, confidence: float = 1.0, /, **entries: Any) -> Story:
        for name, value in entries.items():
            self.context.write(layer, name, value, producer=Producer.SERVICE, confidence=confidence)
        return self._commit("activity")

    def taken(self, gateway: str, *flows: str) -> Story:
        self.context.write(Layer.PROCESS, f"path/{gateway}", list(flows), producer=Producer.ENGINE)
        return self._commit("gateway")

    def done(self, activity: str, name: str = "", decision: str | None = None, **outputs: Any) -> Story:
        """An activity finished: its outputs are variables and its record stands in HISTORY."""
        for key, value in outputs.items():
            self.context.write(Layer.WORKING, key, value, producer=Producer.AGENT)
        hashes = {key: self.graph.values.put(value) for key, value in outputs.items()}
        record = ActivityRecord(activity=activity, name=name, outputs=hashes, decision=decision)
        self._recent = self.context.move_to_history(record, self._recent, self._grading)
        return self._commit("activity")

    def shown(self, key: str, fidelity: Fidelity, text: str | None = None) -> Story:
        text_hash = None if text is None else self.graph.values.put(text)
        self.context.commit("D1", "", self._at(), shown={key: Shown(fidelity, text_hash)})
        return self

    def _commit(self, kind: str) -> Story:
        self.context.commit(kind, "", self._at())
        return self

    def _at(self) -> str:
        self._minute += 1
        return f"2026-03-01T10:{self._minute // 60:02}:{self._minute % 60:02}.000000Z"


@dataclass
class Run:
    """A work, and what was done with it."""

    work: Work
    notes: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    compressions: list[int] = field(default_factory=list)
    journal: dict[str, dict[str, Any]] = field(default_factory=dict)


def a_run(
    story: Story | None = None,
    element: Element | None = None,
    *,
    policy: Policy | None = None,
    variables: Mapping[str, Any] | None = None,
    visit: int = 1,
    attempt: int = 1,
    feedback: str | None = None,
    journal: dict[str, dict[str, Any]] | None = None,
) -> Run:
    """A run of `element` in the context of `story`; `variables` come on top of those in the context."""
    story, element = story or Story(), element or an_element()
    context = story.context
    notes: list[tuple[str, Mapping[str, Any]]] = []
    compressions: list[int] = []
    known = {} if journal is None else journal
    policy = policy or Policy()

    def compress(overhead_tokens: int) -> None:
        compressions.append(overhead_tokens)
        request = D1Request(
            activity=element.id, policy=policy, scope=context.scope, overhead_tokens=overhead_tokens
        )
        decision = story.compressor.compress(context.head, request, "2026-03-01T11:00:00.000000Z")
        context.head = decision.snapshot_after

    def call_model(request: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if request not in known:
            known[request] = ask()
        return known[request]

    work = Work(
        key="i1/7/1",
        element=element,
        process_name="Incident response",
        policy=policy,
        variables={**context.read(Layer.WORKING), **(variables or {})},
        local=frozenset(variables or ()),
        context=context,
        visit=visit,
        attempt=attempt,
        feedback=feedback,
        compress=compress,
        call_model=call_model,
        note=lambda kind, data: notes.append((kind, data)),
    )
    return Run(work, notes, compressions, known)


class Scripted:
    """A model that gives prepared answers in turn and keeps what it was asked."""

    name = "scripted"

    def __init__(self, *answers: ModelAnswer | Exception) -> None:
        self._answers = list(answers)
        self.asked: list[ModelRequest] = []

    def answer(self, request: ModelRequest) -> ModelAnswer:
        self.asked.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer
