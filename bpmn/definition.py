"""The definition: what a `.bpmn` file says, frozen, neutral and free of XML. The engine builds its specs from it.

Mappings keep document order. `kind` is the BPMN tag name (`userTask`, `exclusiveGateway`, ...). Lines are 1-based
lines of the source file. JSON form and hash: `bpmn.codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bpmn.parts.collaboration import MessageFlow, Participant
from bpmn.parts.data import CalledDecision, DataItem, DataMapping, ResultMapping
from bpmn.parts.doers import AgentConfig, Assignment, FormRef, ToolBoxConfig, ToolOffer
from bpmn.parts.drawing import Artifact, ArtifactKind, Shape
from bpmn.parts.events import EventDefinition, EventKind, EventRef, Timer, TimerKind
from bpmn.parts.listeners import Listener
from bpmn.parts.loops import InstanceEvent, LoopCharacteristics, LoopKind
from bpmn.parts.texts import Expression, Script
from governance.policy import ActivityExtensionConfig, ResolvedPolicy

__all__ = [
    "DEFAULT_POLICY",
    "UNSAID",
    "AgentConfig",
    "Artifact",
    "ArtifactKind",
    "Assignment",
    "CalledDecision",
    "DataItem",
    "DataMapping",
    "Definition",
    "Element",
    "EventDefinition",
    "EventKind",
    "EventRef",
    "Expression",
    "Flow",
    "FormRef",
    "InstanceEvent",
    "Lane",
    "Listener",
    "LoopCharacteristics",
    "LoopKind",
    "MessageFlow",
    "Participant",
    "Process",
    "ResultMapping",
    "Scope",
    "Script",
    "Shape",
    "Timer",
    "TimerKind",
    "ToolBoxConfig",
    "ToolOffer",
]

DEFAULT_POLICY = ResolvedPolicy()
"""What holds where no policy was resolved."""

UNSAID = "unsaid"
"""The ordering of an ad-hoc sub-process that says nothing of who decides what in it is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """A sequence flow inside one scope."""

    id: str
    source: str
    target: str
    name: str | None = None
    condition: Expression | None = None
    is_default: bool = False
    line: int | None = None
    policy: ActivityExtensionConfig | None = None
    """The policy written on the flow itself; flows inherit nothing."""
    listeners: tuple[Listener, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """A flow node: activity, gateway or event. Fields below the blank line are for some kinds only."""

    id: str
    kind: str
    name: str | None = None
    documentation: str | None = None
    line: int | None = None
    incoming: tuple[str, ...] = ()
    outgoing: tuple[str, ...] = ()
    default: str | None = None
    """Id of the default flow."""
    lane: str | None = None
    resolved: ResolvedPolicy = DEFAULT_POLICY

    event: EventDefinition | None = None
    initiator: str | None = None
    """Of a start event: the variable that says who started the instance."""
    attached_to: str | None = None
    interrupting: bool = True
    """Boundary events (`cancelActivity`) and start events of event sub-processes (`isInterrupting`)."""
    script: Script | None = None
    called: str | None = None
    """Id of the process that a call activity calls."""
    loop: LoopCharacteristics | None = None
    job_type: str | None = None
    expression: str | None = None
    """The expression that a dialect gives in the place of a job type."""
    decision: CalledDecision | None = None
    data_inputs: tuple[DataItem, ...] = ()
    data_outputs: tuple[DataItem, ...] = ()
    outputs_schema: Mapping[str, Any] | None = None
    """JSON Schema (an object's) of the declared outputs; None: none are declared."""
    input_mappings: tuple[DataMapping, ...] = ()
    """Made in this order before the activity; what they set is the activity's own."""
    output_mappings: tuple[DataMapping, ...] = ()
    """Made in this order after it; if there are any, nothing else comes out."""
    assignment: Assignment | None = None
    form: FormRef | None = None
    agent: AgentConfig | None = None
    scope: Scope | None = None
    """What a sub-process holds."""
    parameters: Mapping[str, Any] | None = None
    """JSON Schema (an object's) of what an agent's model has to give where it calls the activity as a tool."""
    tool_box: ToolBoxConfig | None = None
    triggered_by_event: bool = False
    for_compensation: bool = False
    handler: str | None = None
    """Of a compensation boundary event: the activity that undoes its activity."""
    start_quantity: int = 1
    completion_quantity: int = 1
    instantiate: bool = False
    parallel: bool = False
    """Of an event-based gateway that starts a process: whether all of its events are waited for."""
    activation: Expression | None = None
    """Of a complex gateway: when it goes on (`activationCondition`)."""
    ordering: str = "Parallel"
    """Of an ad-hoc sub-process: `Parallel` or `Sequential`; UNSAID, where nothing tells that all in it is meant."""
    completion_condition: Expression | None = None
    """Of an ad-hoc sub-process: when it ends, though not all in it is done."""
    cancel_remaining: bool = True
    """Of an ad-hoc sub-process that ends so: whether it cancels what is under way."""
    listeners: tuple[Listener, ...] = ()
    """Those that are not followed; the others have become elements."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The flow nodes and sequence flows directly inside a process or sub-process."""

    elements: Mapping[str, Element] = field(default_factory=dict)
    flows: Mapping[str, Flow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A lane; `elements` are the flow nodes it names, without those of its nested lanes."""

    id: str
    name: str | None = None
    parent: str | None = None
    elements: tuple[str, ...] = ()
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process of the file."""

    id: str
    name: str | None = None
    documentation: str | None = None
    executable: bool | None = None
    """`isExecutable`; None: the file does not say."""
    line: int | None = None
    scope: Scope = field(default_factory=Scope)
    policy: ResolvedPolicy = DEFAULT_POLICY
    lanes: Mapping[str, Lane] = field(default_factory=dict)
    data_inputs: tuple[DataItem, ...] = ()
    data_outputs: tuple[DataItem, ...] = ()
    listeners: tuple[Listener, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """A file's processes and what they refer to."""

    file: str
    source_hash: str
    """SHA-256 of the file's bytes, hex."""
    main: str | None = None
    """Id of the process that a run starts; None: several are possible and none was chosen."""
    processes: Mapping[str, Process] = field(default_factory=dict)
    messages: Mapping[str, EventRef] = field(default_factory=dict)
    signals: Mapping[str, EventRef] = field(default_factory=dict)
    errors: Mapping[str, EventRef] = field(default_factory=dict)
    escalations: Mapping[str, EventRef] = field(default_factory=dict)
    participants: Mapping[str, Participant] = field(default_factory=dict)
    message_flows: Mapping[str, MessageFlow] = field(default_factory=dict)
    decisions: Mapping[str, str] = field(default_factory=dict)
    """The decision models that its activities ask, as DMN, by the names of their files."""
    layout: Mapping[str, Shape] = field(default_factory=dict)
    """By element id, for drawing alone: it never changes a result."""
    artifacts: Mapping[str, Artifact] = field(default_factory=dict)
    """For drawing alone, too."""
