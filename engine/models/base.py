"""What a model is asked and what it answers, the same for every provider."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from governance.snapshots.canonical import canonical, digest

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool that is offered to a model: `parameters` is the JSON Schema (an object's) of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool, paired with its result by `id`. `arguments` is what the model wrote, which need not be JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt.

    An assistant's may call tools; a tool's answers the call `tool_call_id`. `blocks` are the provider's own parts of an
    assistant's message (its reasoning among them), which go back to the same provider unchanged.
    """

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    blocks: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One model call.

    Activity, branch, `visit` (the activity's runs in the instance), `attempt` (of the run) and `turn` (the model calls
    in the attempt), all counted from 1, name the call: the same again after a restart. `task` is what the activity is
    about without the context, for models that select instead of reading. `outputs_schema` is an object's JSON Schema,
    None: the answer is plain text. `tools` may be called. `chain` names the chain of governance that asks, "" where it
    is the activity's own agent.
    """

    activity: str
    messages: tuple[Message, ...]
    task: str = ""
    branch: str = ""
    visit: int = 1
    attempt: int = 1
    turn: int = 1
    outputs_schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    tools: tuple[ToolSpec, ...] = ()
    chain: str = ""

    def texts(self) -> Iterator[str]:
        """All that counts as tokens: what is said, the calls, the tools on offer."""
        for message in self.messages:
            yield message.content
            yield from (f"{call.name} {call.arguments}" for call in message.tool_calls)
        yield from (canonical(asdict(tool)).decode() for tool in self.tools)

    def hash(self) -> str:
        """Content address of the request, 32 hexadecimal digits. Raises NotJson."""
        return digest(canonical(asdict(self)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said: `text`, `tool_calls`, and `outputs` where it filled them in by itself.

    `confidence` is as the model states it, None if it states none. Tokens are the provider's report, `cost` is in US
    dollars, None where no price is known. `tries` counts the calls that it took.
    """

    text: str = ""
    outputs: Mapping[str, Any] | None = None
    confidence: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    blocks: tuple[Mapping[str, Any], ...] = ()
    cost: float | None = None
    tries: int = 1

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> ModelAnswer:
        calls = tuple(ToolCall(**call) for call in row.get("tool_calls", ()))
        return cls(**{**row, "tool_calls": calls, "blocks": tuple(row.get("blocks", ()))})

    def as_message(self) -> Message:
        """The answer as it stands in the conversation that goes on."""
        outputs = "" if self.outputs is None else canonical(self.outputs).decode()
        text = "\n".join(filter(None, (self.text, outputs)))
        return Message("assistant", text, self.tool_calls, blocks=self.blocks)


class ChatModel(Protocol):
    """A model that answers prompts."""

    @property
    def name(self) -> str:
        """How events and errors call it."""
        ...

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer once. What it raises becomes an incident of the activity, which can be tried again."""
        ...


Hear = Callable[[str], None]
"""Hears a piece of an answer's text as it comes."""


@runtime_checkable
class StreamingModel(Protocol):
    """A model that can be listened to."""

    def stream(self, request: ModelRequest, hear: Hear) -> ModelAnswer:
        """As `answer`; `hear` gets the text piece by piece, from the beginning where the call is tried again."""
        ...


@runtime_checkable
class Recorded(Protocol):
    """A model that has only what was recorded."""

    def has_chains(self) -> bool:
        """Whether it has turns for the chains of governance."""
        ...
