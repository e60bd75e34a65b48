"""Recorded turns of models: the form of the YAML file, and reading it.

    turns:
      - activity: triage              # id of the activity
        branch: "*.network"           # glob over the branch; left out: any
        visit: 2                      # the activity's second run in the instance; left out: see `ReplayModel`
        attempt: 1                    # of that run; 2 after a retry, or when a person sent the outputs back
        turn: 1                       # of the model calls in an attempt; 2 after outputs that did not fit
        repeat: true                  # serves every later call too
        chain: D3_conflict            # for a chain of governance at this element, not for its agent
        answer: {outputs: {severity: high}, text: "Users cannot log in.", confidence: 0.9}
      - activity: triage
        answer: {tool_calls: [{name: look_up, arguments: {order: 7}}]}
      - activity: triage
        fail: "rate limit reached"    # instead of an answer: the model fails with this message
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from engine.models.errors import BadRecording


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class RecordedCall(_Strict):
    """A call of a tool: its name as models are told it, and its arguments."""

    name: str = Field(min_length=1)
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class RecordedAnswer(_Strict):
    """What the model said; `tokens_in` and `tokens_out` as the provider reported them, left out: estimated."""

    text: str = ""
    tool_calls: tuple[RecordedCall, ...] = ()
    outputs: dict[str, JsonValue] | None = None
    confidence: float | None = Field(default=None, ge=0.0, le=1.0)
    tokens_in: int | None = Field(default=None, ge=0)
    tokens_out: int | None = Field(default=None, ge=0)
    cost: float | None = Field(default=None, ge=0.0)
    tries: int = Field(default=1, ge=1)


class RecordedTurn(_Strict):
    """One turn: which calls it is for, and the answer or the failure."""

    activity: str = Field(min_length=1)
    branch: str = "*"
    visit: int | None = Field(default=None, ge=1)
    attempt: int | None = Field(default=None, ge=1)
    turn: int | None = Field(default=None, ge=1)
    repeat: bool = False
    chain: str = ""
    answer: RecordedAnswer | None = None
    fail: str | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.answer is None) == (self.fail is None):
            raise ValueError("a turn has either `answer` or `fail`")
        return self


class Recording(_Strict):
    """The whole file."""

    turns: tuple[RecordedTurn, ...]


def read_recording(file: Path) -> Recording:
    """The recorded turns in `file`. Raises BadRecording, naming the place."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecording(str(file), f"cannot be read: {_short(error)}") from error
    try:
        return Recording.model_validate(_parse(text, file))
    except ValidationError as error:
        raise BadRecording(str(file), "; ".join(_told(problem) for problem in error.errors()[:3])) from error


def _parse(text: str, file: Path) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Dates stay text: a recording holds JSON values."""

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    try:
        return yaml.load(text, Loader)
    except yaml.MarkedYAMLError as error:
        # The error's own text would quote the file, which need not be a recording at all.
        line = "" if error.problem_mark is None else f"line {error.problem_mark.line + 1}: "
        raise BadRecording(str(file), f"not YAML: {line}{error.problem}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise BadRecording(str(file), "not YAML") from error


def _short(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "not UTF-8"


def _told(problem: Any) -> str:
    """`turns[2].answer.confidence: Input should be less than or equal to 1`; never the input itself."""
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem["loc"]).removeprefix(".")
    allowed = f"; allowed: {', '.join(_fields(problem['loc']))}" if problem["type"] == "extra_forbidden" else ""
    return f"{place or 'the file'}: {problem['msg']}{allowed}"


def _fields(place: Sequence[int | str]) -> Iterable[str]:
    """The fields that may stand where there is one too many."""
    model = RecordedAnswer if "answer" in place[:-1] else RecordedTurn if len(place) > 1 else Recording
    return model.model_fields
