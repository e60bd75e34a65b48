"""Conversations with questions and the turns that answer them, in LoCoMo's format.

A document is a sample, or samples in a list or under names: `conversation` has `session_1`, `session_2`, ... (lists of
turns with `speaker`, `dia_id`, `text`, perhaps `blip_caption` of a shared picture and the `query` it was searched by)
and `session_1_date_time`; `qa` has `question`, `answer`, `evidence` (a list of `dia_id`s) and `category`. A model may
have written a text per session in `session_summary`, and in `observation` facts per speaker with the turns they come
from. What is not of that shape is passed over: a turn that says nothing, a question whose evidence is nowhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.trace_sets.case import Case, History, Piece, TraceSet
from governance.cda.dates import day_in

_DIALOGUE_ID = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)", re.IGNORECASE)
_UNANSWERABLE = "5"
"""The category whose questions have no answer: nothing could be kept for them."""


class Conversations:
    name = "conversation_qa"

    def reads(self, document: Any) -> bool:
        return bool(_samples(document))

    def cases(self, source: str, document: Any) -> Iterator[Case]:
        for number, sample in enumerate(_samples(document)):
            history = _history(f"{source}#{number} {sample.get('sample_id', '')}".strip(), sample)
            held = {piece.id for piece in history.pieces}
            for asked in _objects(sample["qa"]):
                evidence = frozenset(_ids(asked.get("evidence"))) & held
                if evidence and str(asked.get("category")) != _UNANSWERABLE and asked.get("question"):
                    answer = _said(asked.get("answer"))
                    yield Case(history=history, query=str(asked["question"]), evidence=evidence, answer=answer)

    def described(self, cases: Sequence[Case]) -> TraceSet:
        conversations = len({case.history.id for case in cases})
        what = f"{len(cases)} questions on {conversations} conversations, query known, turns kept whole"
        return TraceSet(name=self.name, measure="evidence_recall", conditions=what, cases=tuple(cases))


def _samples(document: Any) -> list[Mapping[str, Any]]:
    if isinstance(document, Mapping) and "qa" not in document:
        document = [one for value in document.values() for one in (value if isinstance(value, list) else [value])]
    samples = [one for one in _objects(document if isinstance(document, list) else [document]) if "qa" in one]
    return [one for one in samples if isinstance(one.get("conversation"), Mapping)]


def _objects(listed: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; of anything else none."""
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _history(name: str, sample: Mapping[str, Any]) -> History:
    talk = sample["conversation"]
    sessions = sorted((key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    spoken = [(session, turn) for session in sessions for turn in _objects(talk[session]) if _says(turn)]
    first = _said(talk.get("speaker_a")) or next((_said(turn.get("speaker")) for _, turn in spoken), "")
    known: Counter[str] = Counter()
    pieces = [
        Piece(
            id=_own_id(turn, known),
            text=f"{_said(turn.get('speaker'))}: {_says(turn)}",
            role="user" if _said(turn.get("speaker")) == first else "assistant",
            speaker=_said(turn.get("speaker")),
            group=session,
            said_at=_date(talk.get(f"{session}_date_time")),
        )
        for session, turn in spoken
    ]
    summaries = [_said(_part(sample, "session_summary", f"{session}_summary")) for session in sessions]
    observed = [_part(sample, "observation", f"{session}_observation") for session in sessions]
    return History(
        id=name,
        pieces=tuple(pieces),
        summaries=tuple(text for text in summaries if text),
        observations=tuple(each for of_session in observed for each in _observations(of_session)),
    )


def _part(sample: Mapping[str, Any], name: str, key: str) -> Any:
    written = sample.get(name)
    return written.get(key) if isinstance(written, Mapping) else None


def _observations(of_session: Any) -> Iterator[tuple[str, frozenset[str]]]:
    """Facts with the turns they come from: by speaker, pairs of a text and ids."""
    for listed in of_session.values() if isinstance(of_session, Mapping) else ():
        for pair in listed if isinstance(listed, list) else ():
            if isinstance(pair, list) and len(pair) == 2 and _said(pair[0]):
                yield _said(pair[0]), frozenset(_ids(pair[1]))


def _own_id(turn: Mapping[str, Any], known: Counter[str]) -> str:
    """The turn's id; a second turn of the same id is told apart."""
    id = next(iter(_ids([turn.get("dia_id")])), str(turn.get("dia_id")))
    known[id] += 1
    return id if known[id] == 1 else f"{id}#{known[id]}"


def _says(turn: Mapping[str, Any]) -> str:
    """What a turn says and what its picture shows; empty if it is neither. Without a caption: what was searched for."""
    shows = _said(turn.get("blip_caption")) or (_said(turn.get("query")) if turn.get("img_url") else "")
    picture = f" [picture: {shows}]" if shows else ""
    return f"{_said(turn.get('text'))}{picture}"


def _said(value: Any) -> str:
    """A value of the set as text: nothing for null, and lists with commas."""
    if isinstance(value, list):
        return ", ".join(filter(None, map(_said, value)))
    return "" if value is None else str(value).strip()


def _date(told: Any) -> str:
    """A session's time as the set has it; nothing where no date can be read from it."""
    return str(told) if told and day_in(str(told)) else ""


def _ids(evidence: Any) -> Iterable[str]:
    """Ids as `D1:3`, also from lists in one text (`D8:6; D9:17`) and with stray signs (`D:11:26`, `D30:05`)."""
    listed = evidence if isinstance(evidence, list) else [evidence]
    return [f"D{int(a)}:{int(b)}" for text in listed for a, b in _DIALOGUE_ID.findall(str(text))]
