"""What a handler gets and gives back when it does an activity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from bpmn.definition import Element
from bpmn.expressions.outside import Outside
from engine.activities.tools.guard import ToolGuard
from governance.layers.manager import ContextLayerManager
from governance.policy import Policy
from governance.snapshots.model import made
from governance.tools.bench import Bench
from governance.tools.confirming import Question
from governance.vocabulary import Producer

if TYPE_CHECKING:
    from bpmn.dmn.decisions import Decisions

MISSING, MISTYPED = "missing: ", "mistyped: "
"""How a handler marks the problems in an outcome; the rest of the text names the output."""


class DeadEndNote(NamedTuple):
    """A way that was tried in this instance and led nowhere, as who does an activity found.

    `strategy` names the variable whose `value` was tried; an agent that proposes it again is told, not followed.
    `activities` did it: what they left in HISTORY is shown to agents as one line.
    """

    strategy: str
    value: Any
    reason: str
    activities: tuple[str, ...] = ()


class KnownDeadEnd(NamedTuple):
    """What an agent is told of one: a line, and the records in HISTORY that the line stands for."""

    line: str
    entries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something an activity found out that later runs should know. `confidence` is as the finder states it."""

    text: str
    confidence: float = 1.0
    type: str = "finding"


_NO_OUTPUTS: Final[Mapping[str, Any]] = MappingProxyType({})


class Outcome(NamedTuple):
    """What an activity produced.

    `outputs` become process variables, `deleted` names leave them. `confidence` in [0, 1] as the doer states it,
    None if it states none. `decision` is one line for the record in HISTORY. `problems` are what still is wrong with
    the declared outputs after the retry; they go to the quality gate. `blocked_tool` names a tool that was called
    though it may not be, `breached_guard` a guard that found the outputs out of bounds: either has them refused.
    `head` is the context's head if the handler moved it on (a compression before a further model call), `zones` those
    of its entries then, as rows.
    `dead_ends` are ways that it found to lead nowhere. `outside`: the outputs came from outside the organisation's own
    sources (documents, messages, the web), so that nobody may act on them unseen. `trusted` are those of the `tools`
    that are declared so. `refused`: an agent's call that was not made, so that there is nothing for anybody to look at.
    A service's own word does not count for either, nor for `head` and `zones`.
    """

    outputs: Mapping[str, Any] = _NO_OUTPUTS
    deleted: frozenset[str] = frozenset()
    confidence: float | None = None
    decision: str | None = None
    problems: tuple[str, ...] = ()
    blocked_tool: str | None = None
    breached_guard: str | None = None
    tools: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    producer: Producer = Producer.ENGINE
    tokens_assembled: int = 0
    tokens_ungoverned: int = 0
    head: str | None = None
    dead_ends: tuple[DeadEndNote, ...] = ()
    outside: bool = False
    trusted: frozenset[str] = frozenset()
    zones: Sequence[Any] | None = None
    refused: bool = False


_OF_SCRIPTS: Final = Outcome(producer=Producer.SCRIPT)[2:]


def scripted(outputs: Mapping[str, Any], deleted: frozenset[str] = frozenset()) -> Outcome:
    """What a script came to: it states and asks nothing."""
    return made(Outcome, (outputs, deleted, *_OF_SCRIPTS))


@dataclass(frozen=True, slots=True)
class Heard:
    """What a person answered: approved or not, why, and what they chose.

    Of a call with arguments `arguments_hash` binds the approval to the exact ones; `edited` are those, where the person
    changed them.
    """

    approved: bool
    by: str
    reason: str = ""
    values: Mapping[str, Any] | None = None
    arguments_hash: str = ""
    edited: Mapping[str, Any] | None = None


class Desk(Protocol):
    """What an agent's tool calls need of the engine."""

    def recall(self, key: str) -> dict[str, Any] | None:
        """What was kept under `key` in this attempt."""
        ...

    def keep(self, key: str, row: dict[str, Any]) -> None:
        """Keep it before it is used, so that neither a crash nor a wait does it again. May be called on any thread."""
        ...

    def ask(self, key: str, question: Question, reason: str) -> Heard | None:
        """The answer to a question, None: it was asked now or is still open. Then raise Suspended."""
        ...

    def tell(self, key: str, question: Question, reason: str) -> None:
        """Tell people, once in this attempt."""
        ...

    def bench(self) -> Bench:
        """What governance's tools work on."""
        ...

    def is_new(self, key: str) -> bool:
        """Whether what was learned of the call under `key` is not kept with the run yet; from now on it is."""
        ...

    def move(self, head: str) -> None:
        """The context goes on at another snapshot."""
        ...


class Rules(NamedTuple):
    """What decisions are asked of: how to get the models of the process's `file`, and what the clock showed when the
    step began, and chance gives.
    """

    file: str
    outside: Outside
    decisions: Callable[[], Decisions]


@dataclass(frozen=True, slots=True)
class Work:
    """One activity run, as its handler sees it.

    `key` is stable over retries after a crash: hand it to systems that can drop a repeated request. `visit` counts the
    runs of this element in the instance, from 1, and `attempt` those of this run; `feedback` is why a person sent the
    last attempt's outputs back. `variables` is a read-only view of the process variables; values are shared and must
    not be changed; those in `local` belong to one instance of a multi-instance activity and are not in its context.
    `context` is the governed context of the token. `compress` is D1 before a model call: it takes the tokens of prompt
    text that is not entries, moves `context.head`, and raises Suspended where a person has to be asked first.
    `call_model` remembers a model's answer before it is used, so that neither a crash nor a wait calls again: it takes
    a request's hash and how to get the answer. `note` adds an event to the log. `dead_ends` are what failed before,
    `skills` what worked; `refusal` is that which the last attempt repeated. `desk` is for tool calls, None where there
    can be none; `guard` looks at each of them first. `rules` are the decisions of the file. `instance` is an id.
    """

    key: str
    element: Element
    process_name: str
    policy: Policy
    variables: Mapping[str, Any]
    context: ContextLayerManager
    visit: int
    attempt: int
    feedback: str | None
    compress: Callable[[int], None]
    call_model: Callable[[str, Callable[[], dict[str, Any]]], dict[str, Any]]
    note: Callable[[str, Mapping[str, Any]], None]
    local: frozenset[str] = frozenset()
    dead_ends: tuple[KnownDeadEnd, ...] = ()
    refusal: str | None = None
    skills: tuple[str, ...] = ()
    guard: ToolGuard | None = None
    desk: Desk | None = None
    rules: Rules | None = None
    instance: str = ""


HearFor = Callable[["Work"], Callable[[str], None] | None]
"""Who hears the text of an activity's model piece by piece, as it comes; None: nobody. It is kept nowhere."""


class Handler(Protocol):
    """Does activities. Called outside transitions, possibly on another thread; must not touch the instance."""

    def __call__(self, work: Work) -> Outcome: ...


class Suspended(Exception):
    """The work asks a person. Let it pass: it is done over, up to where it stood, after the answer."""

    def __init__(self, element: str) -> None:
        self.element = element
        super().__init__(f"{element} waits for a person in the middle of its work")


class BpmnErrorRaised(Exception):
    """Raise it in a handler to throw a BPMN error at the activity's error boundary event."""

    def __init__(self, code: str, message: str = "", variables: Mapping[str, Any] | None = None) -> None:
        self.code, self.variables = code, dict(variables or {})
        super().__init__(f"BPMN error {code}{': ' + message if message else ''}")

    @property
    def message(self) -> str:
        """What was said with the code."""
        return str(self).removeprefix(f"BPMN error {self.code}").removeprefix(": ")
