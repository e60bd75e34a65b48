"""What a set of traces is read into: a history, what is asked of it, and what an answer would need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Protocol

Message = Mapping[str, Any]
"""A plain message: `role`, `content` (text), perhaps `name`, `tool_calls`, `tool_call_id`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One turn, sentence or message of a history. `group` is its session, document or trace."""

    id: str
    text: str
    role: str = "user"
    speaker: str = ""
    group: str = ""
    said_at: str = ""
    """A text with the date on which it was said, where the set tells it: not part of the text."""
    message: Message | None = None
    """The message as the set has it, where it is more than its text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What went before; several cases may share one, and selectors keep what they know of it by its `id`."""

    id: str
    pieces: tuple[Piece, ...]
    summaries: tuple[str, ...] = ()
    """Summaries that came with the set, written by a model."""
    observations: tuple[tuple[str, frozenset[str]], ...] = ()
    """Facts that a model wrote down, with the ids of the pieces each comes from."""

    @property
    def tokens(self) -> int:
        return sum(tokens(piece.text) for piece in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One thing asked of a history.

    `evidence` are the ids of pieces that an answer needs, `values` texts that must stand in what is kept, `answer` what
    the set says is right. `query` is what a selector may know. `tool` is the coming tool with its parameters' names,
    for selectors that may know it.
    """

    history: History
    query: str
    evidence: frozenset[str] = frozenset()
    values: tuple[str, ...] = ()
    answer: str = ""
    tool: str = ""
    upto: int | None = None
    """How many of the history's pieces there are at this point; None: all."""

    @property
    def pieces(self) -> Sequence[Piece]:
        return self.history.pieces[: self.upto]


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSet:
    """All cases of one kind that a folder holds. `recall` says what is counted: evidence, or values that survive."""

    name: str
    measure: str
    conditions: str
    cases: tuple[Case, ...] = field(repr=False)


class Reader(Protocol):
    """Reads one kind of set, known by the shape of its documents and not by a file's name."""

    name: str

    def reads(self, document: Any) -> bool:
        """Whether a parsed file is of this kind."""
        ...

    def cases(self, source: str, document: Any) -> Iterable[Case]:
        """The cases of one document; `source` tells documents apart."""
        ...

    def described(self, cases: Sequence[Case]) -> TraceSet:
        """All cases of a folder, as a set."""
        ...


def tokens(text: str) -> int:
    """A quarter of the characters, rounded up: what all selectors are measured with."""
    return ceil(len(text) / 4)
