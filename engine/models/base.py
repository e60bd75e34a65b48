"""What a model is asked and what it answers, the same for every provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from governance.snapshots.canonical import canonical, digest

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One model call.

    Activity, branch, `visit` (the activity's runs in the instance), `attempt` (of the run) and `turn` (the model calls
    in the attempt), all counted from 1, name the call: the same again after a restart. `task` is what the activity is
    about without the context, for models that select instead of reading. `outputs_schema` is an object's JSON Schema,
    None: the answer is plain text.
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

    def hash(self) -> str:
        """Content address of the request, 32 hexadecimal digits. Raises NotJson."""
        return digest(canonical(asdict(self)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model said: `text`, and `outputs` where it filled them in by itself.

    `confidence` is as the model states it, None if it states none. Tokens are the provider's report.
    """

    text: str = ""
    outputs: Mapping[str, Any] | None = None
    confidence: float | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    model: str = ""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> ModelAnswer:
        return cls(**row)


class ChatModel(Protocol):
    """A model that answers prompts."""

    @property
    def name(self) -> str:
        """How events and errors call it."""
        ...

    def answer(self, request: ModelRequest) -> ModelAnswer:
        """Answer once. What it raises becomes an incident of the activity, which can be tried again."""
        ...
