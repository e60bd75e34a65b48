"""Questions that need several documents: HotpotQA (supporting sentences) and MuSiQue (supporting paragraphs)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.trace_sets.case import Case, History, Piece, TraceSet


class HotpotQA:
    """`context` as lists [title, sentences] or as {title: [...], sentences: [...]}; `supporting_facts` likewise."""

    name = "hotpotqa"

    def reads(self, document: Any) -> bool:
        return _is_list_with(document, "supporting_facts", "context", "question")

    def cases(self, source: str, document: Any) -> Iterator[Case]:
        for number, row in enumerate(document):
            supporting = set(_pairs(row["supporting_facts"], "sent_id"))
            pieces: list[Piece] = []
            evidence: set[str] = set()
            for title, sentences in _pairs(row["context"], "sentences"):
                for at, sentence in enumerate(sentences):
                    id = f"{len(pieces)}"
                    pieces.append(Piece(id=id, text=f"{title}: {sentence}", speaker=title, group=title))
                    if (title, at) in supporting:
                        evidence.add(id)
            if evidence:
                history = History(id=f"{source}#{number}", pieces=tuple(pieces))
                yield Case(
                    history=history, query=row["question"], evidence=frozenset(evidence), answer=str(row["answer"])
                )

    def described(self, cases: Sequence[Case]) -> TraceSet:
        what = f"{len(cases)} questions, query known, supporting sentences kept whole"
        return TraceSet(name=self.name, measure="evidence_recall", conditions=what, cases=tuple(cases))


class MuSiQue:
    """`paragraphs` with `title`, `paragraph_text` and `is_supporting`."""

    name = "musique"

    def reads(self, document: Any) -> bool:
        return _is_list_with(document, "paragraphs", "question")

    def cases(self, source: str, document: Any) -> Iterator[Case]:
        for number, row in enumerate(document):
            paragraphs = row["paragraphs"]
            pieces = tuple(
                Piece(
                    id=str(at),
                    text=f"{each['title']}: {each['paragraph_text']}",
                    speaker=each["title"],
                    group=each["title"],
                )
                for at, each in enumerate(paragraphs)
            )
            evidence = frozenset(str(at) for at, each in enumerate(paragraphs) if each["is_supporting"])
            if evidence:
                history = History(id=f"{source}#{number}", pieces=pieces)
                yield Case(history=history, query=row["question"], evidence=evidence, answer=str(row["answer"]))

    def described(self, cases: Sequence[Case]) -> TraceSet:
        what = f"{len(cases)} questions, query known, supporting paragraphs kept whole"
        return TraceSet(name=self.name, measure="evidence_recall", conditions=what, cases=tuple(cases))


def _is_list_with(document: Any, *keys: str) -> bool:
    return (
        isinstance(document, list)
        and bool(document)
        and isinstance(document[0], Mapping)
        and all(key in document[0] for key in keys)
    )


def _pairs(value: Any, second: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return zip(value["title"], value[second], strict=True)
    return ((title, other) for title, other in value)
