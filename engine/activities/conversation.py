"""What was said after the prompt in one attempt of an agent: exchanges with tools, and corrections.

A call and its results are one exchange. Shrinking shortens results and leaves whole exchanges out; it never parts a
result from its call, nor a provider's own blocks from the answer they belong to (Design: tools and chains).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.models.base import Message
from engine.prompts.fence import fenced

MARK: Final = "[Compressed] "
_SHORTEST: Final = 400
"""A result of fewer characters is not shortened."""
_SHARE: Final = 0.3
_LEAST: Final = 80
_NAMED: Final = 12

Shorten = Callable[[str, int], str]
"""A text in at most so many characters."""
Count = Callable[[str], int]
"""Tokens of a text."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """An answer that calls tools, and a result for each of its calls in their order."""

    answer: Message
    results: tuple[Message, ...]

    def messages(self) -> tuple[Message, ...]:
        return (self.answer, *self.results)

    def shortened(self, shorten: Shorten, share: float) -> Exchange:
        """The same with long results in a share of their length; what is no shorter stays."""
        return replace(self, results=tuple(_shortened(result, shorten, share) for result in self.results))


@dataclass(frozen=True, slots=True)
class Correction:
    """An answer that did not fit, and what was wrong with it."""

    said: tuple[Message, ...]

    def messages(self) -> tuple[Message, ...]:
        return self.said


Part = Exchange | Correction


class Conversation:
    """Grows by whole parts. What is sent is shrunk anew each time from what was said: nothing is lost by it."""

    def __init__(self, count: Count, shorten: Shorten) -> None:
        self._count, self._shorten = count, shorten
        self._parts: list[Part] = []

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, part: Part) -> None:
        self._parts.append(part)

    def messages(self, room: int | None = None) -> tuple[Message, ...]:
        """All of it, or what fits into `room` tokens as far as shrinking goes: the last part is kept whole longest."""
        parts, left_out = list(self._parts), list[Exchange]()
        if room is not None:
            for step in self._steps():
                if self.tokens(_flat(parts, left_out)) <= room:
                    break
                step(parts, left_out)
        return _flat(parts, left_out)

    def tokens(self, messages: Sequence[Message]) -> int:
        """As counted here; a call counts with its name and its arguments."""
        texts = (message.content for message in messages)
        calls = (f"{call.name} {call.arguments}" for message in messages for call in message.tool_calls)
        return sum(self._count(text) for text in (*texts, *calls))

    def _steps(self) -> Iterator[Callable[[list[Part], list[Exchange]], None]]:
        """What to do while it is too long, mildest first: one part at a time, the oldest first."""
        earlier = len(self._parts) - 1
        for share in (_SHARE, 0.0):
            for place in range(earlier):
                yield lambda parts, _, place=place, share=share: self._shrink(parts, place, share)  # type: ignore[misc]
        for _ in range(earlier):
            yield _leave_out_oldest
        for share in (_SHARE, 0.0):
            yield lambda parts, _, share=share: self._shrink(parts, -1, share)  # type: ignore[misc]

    def _shrink(self, parts: list[Part], place: int, share: float) -> None:
        part = parts[place]
        if isinstance(part, Exchange):
            parts[place] = part.shortened(self._shorten, share)


def _leave_out_oldest(parts: list[Part], left_out: list[Exchange]) -> None:
    oldest = next((place for place, part in enumerate(parts[:-1]) if isinstance(part, Exchange)), None)
    if oldest is not None:
        part = parts.pop(oldest)
        assert isinstance(part, Exchange)
        left_out.append(part)


def _flat(parts: Sequence[Part], left_out: Sequence[Exchange]) -> tuple[Message, ...]:
    told = () if not left_out else (Message("user", _told(left_out)),)
    return (*told, *(_as_data(message) for part in parts for message in part.messages()))


def _as_data(message: Message) -> Message:
    """A tool's result behind a fence: whoever wrote it, it orders nothing."""
    return message if message.role != "tool" else replace(message, content=fenced([message.content]))


def _told(left_out: Sequence[Exchange]) -> str:
    """One line for what is no longer there."""
    names = [call.name for exchange in left_out for call in exchange.answer.tool_calls]
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"({len(names)} earlier tool calls are archived: {', '.join(names[:_NAMED])}{more}; call again if needed)"


def _shortened(result: Message, shorten: Shorten, share: float) -> Message:
    if len(result.content) < _SHORTEST and share:
        return result
    room = max(int(share * len(result.content)), _LEAST)
    body = result.content.removeprefix(MARK)
    text = MARK + shorten(body, room - len(MARK))[: room - len(MARK)]
    return replace(result, content=text) if len(text) < len(result.content) else result
