"""The memory itself, through its own calls: turns are appended, a context is assembled, its messages are read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from benchmarks.choosing.selecting import Kept
from benchmarks.trace_sets.case import Case, Piece, tokens
from governance.cda.embedding import Embedding
from governance.cda.entry import text_of
from governance.cda.memory import CdaMemory
from governance.cda.settings import CdaSettings
from governance.similarity.minilm.encoder import SentenceEncoder
from governance.similarity.sentences import SentenceEmbedding
from governance.vocabulary import QtsPreset


class QuarterCounter:
    """A quarter of the characters: what all ways are measured with."""

    def count(self, text: str) -> int:
        return tokens(text)


class Memory:
    """`knows_tools` says whether the coming tool is told; the preset goes by the kind of history."""

    def __init__(
        self, name: str = "cda", *, knows_tools: bool = True, embedding: Embedding | None = None, **settings: Any
    ) -> None:
        self.name, self._knows_tools, self._embedding, self._settings = name, knows_tools, embedding, settings
        self._memory: CdaMemory | None = None
        self._history, self._length = "", 0

    def keep(self, case: Case, budget: int) -> Kept:
        memory = self._grown(case)
        tools = [case.tool] if case.tool and self._knows_tools else []
        found = memory.assemble_context(case.query, budget, tools=tools)
        text = "\n".join(map(text_of, found.messages))
        used = sum(tokens(text_of(message)) for message in found.messages)
        if used > budget:
            raise AssertionError(f"{case.history.id}: {used} tokens for a budget of {budget}")
        whole = {piece.id for piece in case.pieces if piece.text in text} if case.evidence else set()
        return Kept(text, frozenset(whole))

    def _grown(self, case: Case) -> CdaMemory:
        """The memory of the case's history, grown to its length; histories only grow, or begin anew."""
        pieces = case.pieces
        if self._memory is None or self._history != case.history.id or self._length > len(pieces):
            known = _LIBRARY if _is_library(pieces) else _CONVERSATION if case.evidence else {}
            settings = CdaSettings(**{"zones": "on", **known, **self._settings})
            self._memory = CdaMemory(case.history.id, settings, counter=QuarterCounter(), embedding=self._embedding)
            self._history, self._length = case.history.id, 0
        for piece in pieces[self._length :]:
            self._memory.append_turn([_message(piece)], scope=piece.group)
        self._length = len(pieces)
        return self._memory


_LIBRARY: Final = {
    "preset": QtsPreset.RESEARCH, "path_kept": 0, "density": 0.25, "related_share": 0.0, "kind_share": 0.0,
    "meaning_share": 0.5, "around_share": 0.0, "of_others_keeps": 1.0,
}  # fmt: skip
"""A library of documents: chains of names count most, there is no path, pieces differ much in length, and things are
called by their names."""
_CONVERSATION: Final = {"path_kept": 0, "hops": 1}
"""Asked from outside about what was said long ago: the end of the path is no more worth than the rest, and a turn has
to do with the next, but little with the one after it."""


def meaning(model: Path) -> Memory:
    """The memory with a sentence encoder in place of words alone."""
    return Memory("cda, embeddings", embedding=SentenceEmbedding(SentenceEncoder(model)))


def _is_library(pieces: Any) -> bool:
    """Documents with titles, not turns of speakers: every scope has the name of its pieces."""
    return all(piece.group and piece.group == piece.speaker for piece in pieces)


def _message(piece: Piece) -> dict[str, Any]:
    given = piece.message or {}
    message: dict[str, Any] = {"role": piece.role, "content": piece.text, "id": piece.id}
    if given.get("tool_calls"):
        message = {**message, "content": given.get("content"), "tool_calls": given["tool_calls"]}
    if given.get("tool_call_id"):
        message["tool_call_id"] = given["tool_call_id"]
    if piece.said_at:
        message["said_at"] = piece.said_at
    return {**message, "name": piece.speaker} if piece.speaker else message
