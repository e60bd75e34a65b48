"""Conversations with questions and the turns that answer them, in LoCoMo's format.

A document is a list of samples: `conversation` has `session_1`, `session_2`, ... (lists of turns with `speaker`,
`dia_id`, `text`, perhaps `blip_caption` of a shared picture) and `session_1_date_time`; `qa` has `question`, `answer`,
`evidence` (a list of `dia_id`s) and `category`; `session_summary` may have a text per session.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.trace_sets.case import Case, History, Piece, TraceSet
from governance.cda.dates import day_in

_DIALOGUE_ID = re.compile(r"D:?(\d+):0*(\d+)")
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
            for asked in sample.get("qa", []):
                evidence = frozenset(_ids(asked.get("evidence"))) & held
                if evidence and str(asked.get("category")) != _UNANSWERABLE and asked.get("question"):
                    answer = str(asked.get("answer") or "")
                    yield Case(history=history, query=str(asked["question"]), evidence=evidence, answer=answer)

    def described(self, cases: Sequence[Case]) -> TraceSet:
        conversations = len({case.history.id for case in cases})
        what = f"{len(cases)} questions on {conversations} conversations, query known, turns kept whole"
        return TraceSet(name=self.name, measure="evidence_recall", conditions=what, cases=tuple(cases))


def _samples(document: Any) -> list[Mapping[str, Any]]:
    listed = document if isinstance(document, list) else [document]
    samples = [one for one in listed if isinstance(one, dict) and "qa" in one]
    return [one for one in samples if isinstance(one.get("conversation"), dict)]


def _history(name: str, sample: Mapping[str, Any]) -> History:
    talk = sample["conversation"]
    sessions = sorted((key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:]))
    first = str(talk.get("speaker_a", ""))
    known: Counter[str] = Counter()
    pieces = [
        Piece(
            id=_own_id(turn, known),
            text=_text(turn),
            role="user" if turn.get("speaker") == first else "assistant",
            speaker=str(turn.get("speaker", "")),
            group=session,
            said_at=_date(talk.get(f"{session}_date_time")),
        )
        for session in sessions
        if isinstance(talk[session], list)
        for turn in talk[session]
    ]
    written = sample.get("session_summary") or {}
    summaries = tuple(str(text) for key in sessions for text in (written.get(f"{key}_summary"),) if text)
    return History(id=name, pieces=tuple(pieces), summaries=summaries)


def _own_id(turn: Mapping[str, Any], known: Counter[str]) -> str:
    """The turn's id; a second turn of the same id is told apart."""
    id = next(iter(_ids([turn.get("dia_id")])), str(turn.get("dia_id")))
    known[id] += 1
    return id if known[id] == 1 else f"{id}#{known[id]}"


def _text(turn: Mapping[str, Any]) -> str:
    picture = f" [picture: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"{turn.get('speaker', '')}: {turn.get('text', '')}{picture}"


def _date(told: Any) -> str:
    """A session's time as the set has it; nothing where no date can be read from it."""
    return str(told) if told and day_in(str(told)) else ""


def _ids(evidence: Any) -> Iterable[str]:
    """Ids as `D1:3`, also from lists in one text (`D8:6; D9:17`) and with stray signs (`D:11:26`, `D30:05`)."""
    listed = evidence if isinstance(evidence, list) else [evidence]
    return [f"D{int(a)}:{int(b)}" for text in listed for a, b in _DIALOGUE_ID.findall(str(text))]
