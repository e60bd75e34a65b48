"""The definition: what a `.bpmn` file says, frozen, neutral and free of XML. The engine builds its specs from it.

Mappings keep document order. `kind` is the BPMN tag name (`userTask`, `exclusiveGateway`, ...). Lines are 1-based
lines of the source file. JSON form and hash: `bpmn.codec`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from governance.policy import ActivityExtensionConfig, ResolvedPolicy

EventKind = Literal[
    "none",
    "message",
    "timer",
    "signal",
    "error",
    "escalation",
    "conditional",
    "terminate",
    "link",
    "compensation",
    "cancel",
    "multiple",
]
"""`multiple` stands for an event with several definitions; they are in `EventDefinition.definitions`."""

DEFAULT_POLICY = ResolvedPolicy()
"""What holds where no policy was resolved."""

UNSAID = "unsaid"
"""The ordering of an ad-hoc sub-process that says nothing of who decides what in it is done."""

TimerKind = Literal["duration", "date", "cycle"]
ResultMapping = Literal["value", "entries", "singleEntry", "singleResult", "collectEntries", "resultList"]
"""What of a decision's result is taken: all as it is; each output by its name; the one value; the one row; the values
of all rows; all rows."""
LoopKind = Literal["standard", "parallel", "sequential"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Text to evaluate and the language declared for it; None: by its syntax. `line` is where the text begins."""

    text: str
    language: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A script task's text, not indented, and its `scriptFormat`. `line` is where the text begins.

    With a `result` it is an expression, whose value goes to this variable. A `trusted` one is full Python, for a
    process of its own.
    """

    text: str
    language: str | None = None
    line: int | None = None
    result: str | None = None
    trusted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """A timer's ISO 8601 text, or an expression that gives it."""

    kind: TimerKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDefinition:
    """What an event throws or catches; on a send or receive task, its message."""

    kind: EventKind
    ref: str | None = None
    """Id in the definition's messages, signals, errors or escalations; of a link event, the link's name; of a thrown
    compensation, the activity to undo, None: all that has finished."""
    timer: Timer | None = None
    condition: Expression | None = None
    wait: bool = True
    """Thrown compensation: whether it is waited for (`waitForCompletion`)."""
    definitions: tuple[EventDefinition, ...] = ()
    parallel_multiple: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceEvent:
    """What a multi-instance activity throws as its instances finish, and on what condition (None: always)."""

    event: EventDefinition
    condition: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopCharacteristics:
    """Standard loop or multi-instance marker of an activity."""

    kind: LoopKind
    cardinality: Expression | None = None
    collection: Expression | None = None
    """A variable's name, or an expression that gives a list."""
    input_item: str | None = None
    """Variable that holds an instance's item of the collection."""
    output_collection: str | None = None
    output_item: str | None = None
    """Variable (or expression) of an instance whose value goes to the output collection, in the order of instances."""
    completion_condition: Expression | None = None
    """Multi-instance: stops the rest when true. Standard loop: goes on while true (`loopCondition`)."""
    test_before: bool = False
    maximum: int | None = None
    behavior: str = "All"
    calls: bool = False
    """Each item is an agent's call of a tool: its arguments are variables of the instance, and so is its result."""
    thrown: tuple[InstanceEvent, ...] = ()
    """Behavior `None` and `One`: the event; `Complex`: each with its condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataItem:
    """A declared data input or output."""

    name: str
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the value; None: anything."""
    collection: bool = False
    optional: bool = False
    variable: str | None = None
    """Process variable that a data association names for it; None: the variable of the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataMapping:
    """A value that goes into an activity, or comes out of it, under a name of its own.

    `target` is a variable, a place inside one (`order.total`), or `*`: all variables as they are. Without an
    `expression` the whole result of the activity is meant; in the language `variable` it is the name of one, which
    may be missing.
    """

    target: str
    expression: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """Who may do a user or manual task.

    Where the file names nobody, `groups` is the lane's name, and anybody may: `of_lane` tells so.
    """

    assignee: str | None = None
    users: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    due: str | None = None
    of_lane: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Everybody it names."""
        return (*((self.assignee,) if self.assignee else ()), *self.users, *self.groups)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOffer:
    """An activity that an agent may call: its id is the tool's name, `parameters` a JSON Schema (an object's)."""

    element: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolBoxConfig:
    """What an ad-hoc sub-process says of itself as a box of tools: which are active, the calls it loops over, and the
    variable that takes their results."""

    active: Expression | None = None
    collection: Expression | None = None
    results: str = "toolCallResults"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """`<gov:agent>`: how a model does the activity. Its declared outputs are the element's `outputs_schema`.

    An agent with a `box` calls activities: those on offer. `turn` is the variable that takes each of its turns (the
    calls it asks for, what was said so far), `results` the one that has what the calls came to.
    """

    model: str | None = None
    prompt: str | None = None
    tools: tuple[str, ...] = ()
    max_turns: int | None = None
    max_tokens: int | None = None
    box: str | None = None
    """Id of the ad-hoc sub-process that holds its tools."""
    offers: tuple[ToolOffer, ...] = ()
    turn: str | None = None
    results: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledDecision:
    """The decision that an activity asks for: its id or name, or an expression (`=`, `${}`) that gives it.

    `result` is the variable its result goes to; None: each output is a variable of its own.
    """

    name: str
    result: str | None = None
    mapping: ResultMapping = "value"


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
    attached_to: str | None = None
    interrupting: bool = True
    """Boundary events (`cancelActivity`) and start events of event sub-processes (`isInterrupting`)."""
    script: Script | None = None
    called: str | None = None
    """Id of the process that a call activity calls."""
    loop: LoopCharacteristics | None = None
    job_type: str | None = None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRef:
    """A message, signal, error or escalation; `code` is the error's or escalation's code.

    `key` is a message's correlation key: over the variables of who sends it, and of who waits for it.
    """

    id: str
    name: str | None = None
    code: str | None = None
    key: Expression | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A pool; `process` is None for a black box."""

    id: str
    name: str | None = None
    process: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFlow:
    """A message flow between pools or their elements."""

    id: str
    source: str
    target: str
    name: str | None = None
    message: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Where the diagram draws an element: `bounds` (x, y, width, height) of a node, `waypoints` (x, y) of an edge."""

    bounds: tuple[float, ...] = ()
    waypoints: tuple[tuple[float, ...], ...] = ()
    label: tuple[float, ...] = ()
    """Bounds of its name, where the diagram places it."""


ArtifactKind = Literal["textAnnotation", "group", "dataObject", "dataStore", "association", "dataAssociation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """What a diagram shows beside flow nodes and flows; it changes nothing in how a process runs.

    `name`: the name, an annotation's text, a group's category. `holder`: id of the process or
    sub-process that it stands in; None: beside the processes, in the collaboration.
    """

    id: str
    kind: ArtifactKind
    name: str | None = None
    holder: str | None = None


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
