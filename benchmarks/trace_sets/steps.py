"""Histories of agents that call tools: does what the next call needs survive?

tau-bench (trajectories of messages with `tool_calls`), SWE-agent (`history` with actions) and Who&When (`history` of
several agents). The last two messages before a call are always there and free; what they say is the query. What counts
are the call's values that stand in the history before them and not in the last two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.trace_sets.case import Case, History, Piece, TraceSet

_LEAST_VALUE = 4
_PINNED = 2
_IDENTIFIER = re.compile(r"[A-Za-z0-9_#/.\-]{4,}")


class TauBench:
    name = "tau_bench"
    least_tokens = 1_200

    def reads(self, document: Any) -> bool:
        first = document[0] if isinstance(document, list) and document else None
        return isinstance(first, Mapping) and isinstance(first.get("traj"), list)

    def cases(self, source: str, document: Any) -> Iterator[Case]:
        for number, trajectory in enumerate(document):
            steps = [message for message in trajectory["traj"] if message.get("role") != "system"]
            pieces = [_piece(at, message, _said(message)) for at, message in enumerate(steps)]
            history = History(id=f"{source}#{number}", pieces=tuple(pieces))
            for at, message in enumerate(steps):
                for call in message.get("tool_calls") or []:
                    found = _arguments(call)
                    if found is not None:
                        names = " ".join(re.findall(r'"(\w+)":', call["function"]["arguments"]))
                        tool = f"{call['function']['name']} {names}"
                        yield from _case(history, at, set(_leaves(found)), tool, self.least_tokens)

    def described(self, cases: Sequence[Case]) -> TraceSet:
        what = f"{len(cases)} calls, last two messages free and known, tool and its parameters' names known"
        return TraceSet(name=self.name, measure="argument_survival", conditions=what, cases=tuple(cases))


class SweAgent:
    name = "swe_agent"
    least_tokens = 2_000

    def reads(self, document: Any) -> bool:
        return isinstance(document, Mapping) and isinstance(document.get("trajectory"), list) and "history" in document

    def cases(self, source: str, document: Any) -> Iterator[Case]:
        steps = [step for step in document["history"] if step.get("role") != "system" and not step.get("is_demo")]
        pieces = []
        for at, step in enumerate(steps):
            text = _content(step)
            said = f"{text} {_action(step)}" if step["role"] == "assistant" else text
            pieces.append(Piece(id=str(at), text=said, role=step["role"]))
        history = History(id=source, pieces=tuple(pieces))
        for at, step in enumerate(steps):
            if step["role"] == "assistant":
                action = _action(step)
                yield from _case(history, at, _identifiers(action), action.split(" ")[0], self.least_tokens)

    def described(self, cases: Sequence[Case]) -> TraceSet:
        what = f"{len(cases)} actions, last two messages free and known, command known"
        return TraceSet(name=self.name, measure="argument_survival", conditions=what, cases=tuple(cases))


class WhoAndWhen:
    """Long logs of several agents: the identifiers of the next message, nothing of it known."""

    name = "who_and_when"
    least_tokens = 4_000
    _every = 5

    def reads(self, document: Any) -> bool:
        known = isinstance(document, Mapping) and "mistake_step" in document
        return known and isinstance(document.get("history"), list)

    def cases(self, source: str, document: Any) -> Iterator[Case]:
        steps = document["history"]
        pieces = []
        for at, step in enumerate(steps):
            who = str(step.get("name") or step.get("role") or "")
            message = {"role": "assistant", "name": who, "content": str(step.get("content") or "")}
            pieces.append(_piece(at, message, message["content"]))
        history = History(id=source, pieces=tuple(pieces))
        for at in range(self._every, len(steps), self._every):
            yield from _case(history, at, _identifiers(pieces[at].text), "", self.least_tokens)

    def described(self, cases: Sequence[Case]) -> TraceSet:
        what = f"{len(cases)} messages (every {self._every}th), last two messages free and known, nothing else known"
        return TraceSet(name=self.name, measure="identifier_survival", conditions=what, cases=tuple(cases))


def _case(history: History, at: int, needed: Iterable[str], tool: str, least_tokens: int) -> Iterator[Case]:
    """The case of the call in message `at`, if the history is long enough and holds something that it needs."""
    body, pinned = history.pieces[: at - _PINNED], history.pieces[max(0, at - _PINNED) : at]
    if at < _PINNED + 2 or sum((len(piece.text) + 3) // 4 for piece in body) < least_tokens:
        return
    said = " ".join(piece.text for piece in pinned).lower()
    before = [piece.text.lower() for piece in body]
    values = tuple(sorted(v for v in needed if v not in said and any(v in text for text in before)))
    if values:
        query = "\n".join(piece.text for piece in pinned)
        yield Case(history=history, query=query, values=values, tool=tool, upto=len(body))


def _piece(at: int, message: Mapping[str, Any], text: str) -> Piece:
    role = str(message.get("role", "user"))
    return Piece(id=str(at), text=text, role=role, speaker=str(message.get("name") or ""), group="", message=message)


def _said(message: Mapping[str, Any]) -> str:
    calls = message.get("tool_calls") or []
    made = " ".join(call["function"]["name"] + call["function"]["arguments"] for call in calls)
    return f"{message.get('content') or ''} {made}".strip()


def _content(step: Mapping[str, Any]) -> str:
    content = step.get("content")
    if isinstance(content, list):
        content = " ".join(part.get("text", "") for part in content if isinstance(part, Mapping))
    return str(content or "")


def _action(step: Mapping[str, Any]) -> str:
    return f"{step.get('action') or ''} {json.dumps(step.get('tool_calls') or '')}"


def _arguments(call: Mapping[str, Any]) -> Any:
    try:
        return json.loads(call["function"]["arguments"])
    except ValueError:
        return None


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, str) and len(value) >= _LEAST_VALUE and re.search(r"[\d_]", value):
        yield value.lower()


def _identifiers(text: str) -> set[str]:
    found = (match.strip(".-") for match in _IDENTIFIER.findall(text))
    return {each.lower() for each in found if len(each) >= _LEAST_VALUE and re.search(r"[\d_/]", each)}
