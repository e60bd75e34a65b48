"""A process of 1,500 turns, and an agent that knows nothing but what its context shows.

What the work is for is told at the beginning, in short, as facts of a dozen topics. Then come steps, each on a topic,
detours that have nothing to do with it, and attempts that fail. At a step the agent writes what its context tells of
the topic; where it tells nothing, it goes on with what it sees last, as an agent does that has forgotten. It tries the
first way that its context does not call failed. Whoever shows it the right things keeps it on course.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Protocol

from benchmarks.choosing.ours import QuarterCounter
from benchmarks.figures import Figure
from benchmarks.trace_sets.case import tokens
from governance.cda.embedding import HashingEmbedding
from governance.cda.entry import text_of
from governance.cda.measures import alignment_stability
from governance.cda.memory import CdaMemory
from governance.cda.settings import CdaSettings
from governance.similarity.bm25 import bm25_scores
from governance.similarity.terms import terms
from governance.summaries.summary import summarise

TURNS: Final = 1_500
_ROOM: Final = 800
_WINDOW: Final = 50
"""Turns over which alignment is averaged."""
_DETOURS, _ATTEMPTS = 0.35, 0.15
_WAYS = ("rebuild", "reload", "resync", "recount")
_TOPICS: Final = (
    ("supplier ledger", "Every supplier ledger is checked against bank statements of the same quarter"),
    ("currency", "Amounts in foreign currency are converted at the rate of the invoice date"),
    ("duplicate invoices", "Duplicate invoices are found by number, supplier and amount, and reported to Ines"),
    ("credit notes", "Credit notes lower the invoice they name and are never booked alone"),
    ("withholding tax", "Withholding tax of twelve percent is taken off services from abroad"),
    ("cost centre", "A cost centre is taken from the purchase order, else from the person who ordered"),
    ("accruals", "Accruals above four thousand euro are listed for the closing of the quarter"),
    ("payment terms", "Payment terms are thirty days, and fourteen for freight"),
    ("freight", "Freight is booked with the goods it brought, weighed by value"),
    ("approvals", "Approvals above ten thousand euro come from two people of finance"),
    ("archive", "The archive keeps scans for ten years under the number of the voucher"),
    ("intercompany", "Intercompany balances are cleared before the supplier ledger is closed"),
)
_GOAL: Final = "Reconcile the supplier ledger of the quarter. " + ". ".join(fact for _, fact in _TOPICS) + "."
_ELSEWHERE: Final = (
    "Could you look at the printer on the third floor, it jams again",
    "Lunch orders for Friday are due, who wants soup and who wants salad",
    "The football results are in and the office pool has a new leader",
    "Somebody left a red umbrella and a scarf in the meeting room",
    "The new coffee machine wants its water filter changed and its milk tube cleaned",
    "Holiday photographs from the mountains are on the shared drive",
    "Parking spaces are repainted on Tuesday, please move your cars",
    "The choir looks for altos and for somebody who plays the piano",
)


class Way(Protocol):
    """Somebody who decides what the agent sees."""

    name: str

    def add(self, messages: Sequence[Mapping[str, Any]], scope: str) -> None: ...

    def failed(self, tool: str, way: str, reason: str) -> None: ...

    def context(self, query: str) -> str: ...


class Remembering:
    """The memory."""

    name = "cda"

    def __init__(self) -> None:
        settings = CdaSettings(window_tokens=16_000)
        self._memory = CdaMemory("process", settings, counter=QuarterCounter())
        self._memory.aim(_GOAL)

    def add(self, messages: Sequence[Mapping[str, Any]], scope: str) -> None:
        self._memory.append_turn(messages, scope=scope)

    def failed(self, tool: str, way: str, reason: str) -> None:
        self._memory.register_dead_end({"tool": tool, "arguments": {"way": way}}, reason)

    def context(self, query: str) -> str:
        return "\n".join(map(text_of, self._memory.assemble_context(query, _ROOM).messages))


@dataclass
class Forgetting:
    """The last turns that fit; with `summary`, half the room is a summary of all before, written by rule."""

    name: str
    summary: bool = False
    _texts: list[str] = field(default_factory=list)
    _told: str = ""

    def add(self, messages: Sequence[Mapping[str, Any]], scope: str) -> None:
        self._texts.extend(map(text_of, messages))
        if self.summary and len(self._texts) % 20 == 0:
            self._told = summarise(f"{self._told}\n" + "\n".join(self._texts[-20:]), query="", limit=_ROOM * 2)

    def failed(self, tool: str, way: str, reason: str) -> None: ...

    def context(self, query: str) -> str:
        room = _ROOM - tokens(self._told)
        kept: list[str] = []
        for text in reversed(self._texts):
            room -= tokens(text)
            if room < 0:
                break
            kept.append(text)
        return "\n".join([self._told, *reversed(kept)])


@dataclass(frozen=True, slots=True)
class Walked:
    """Alignment of the agent's outputs turn by turn, and its attempts that it had seen fail."""

    alignment: list[float]
    attempts: int
    repeated: int

    def least(self) -> float:
        """The lowest mean of a window of turns against the first one's."""
        means = [sum(self.alignment[at : at + _WINDOW]) / _WINDOW for at in range(len(self.alignment) - _WINDOW + 1)]
        return min(means) / means[0]


def walk(way: Way, turns: int = TURNS, seed: int = 11) -> Walked:
    """The whole process with one way of deciding what is seen."""
    random, embedding = Random(seed), HashingEmbedding()
    for text in (_GOAL, *_ELSEWHERE):
        embedding.learn(text)
    target = embedding.embed(_GOAL)
    outputs, attempts, repeated = [], 0, 0
    known: dict[str, set[str]] = {}
    way.add([{"role": "user", "content": f"We reconcile the supplier ledger. {_TOPICS[0][1]}."}], "start")
    for at, (_, fact) in enumerate(_TOPICS):
        told = {"role": "user", "content": f"Note {at + 1}: {fact}."}
        way.add([told, {"role": "assistant", "content": "Noted."}], "start")
    for turn in range(turns):
        scope = f"part {turn // 50}"
        if random.random() < _DETOURS:
            way.add([{"role": "user", "content": random.choice(_ELSEWHERE)}], scope)
        topic, _ = random.choice(_TOPICS)
        query = f"Next step: {topic}"
        seen = way.context(query)
        output = _written(topic, seen)
        outputs.append(embedding.embed(output))
        way.add([{"role": "user", "content": query}, {"role": "assistant", "content": output}], scope)
        if random.random() < _ATTEMPTS:
            tool = f"fix_{topic.replace(' ', '_')}"
            tried = _tried(tool, seen, way.context(f"use {tool}"))
            attempts += 1
            repeated += tried in known.setdefault(tool, set())
            _attempt(way, tool, tried, scope, known)
    return Walked(alignment_stability(outputs, target), attempts, repeated)


def _written(topic: str, seen: str) -> str:
    """What the agent writes: the best two sentences on the topic that it sees, else the last one."""
    sentences = [part.strip() for line in seen.splitlines() for part in line.split(". ") if part.strip()]
    told = [each for each in sentences if not each.startswith(("Next step", "On ", "fix_", "Tried"))]
    scores = bm25_scores(topic, told)
    best = sorted((at for at, score in enumerate(scores) if score > 0.0), key=lambda at: -scores[at])[:2]
    return f"On {topic}: " + (". ".join(told[at] for at in best) if best else told[-1] if told else "no idea")


def _tried(tool: str, *contexts: str) -> str:
    """The first way that no line of the context calls failed."""
    lines = [line for context in contexts for line in context.splitlines() if tool in line and "ailed" in line]
    for name in _WAYS:
        if not any(name in terms(line) or name in line for line in lines):
            return name
    return _WAYS[-1]


def _attempt(way: Way, tool: str, tried: str, scope: str, known: dict[str, set[str]]) -> None:
    """All ways but the last fail, always."""
    if tried == _WAYS[-1]:
        way.add([{"role": "assistant", "content": f"{tool} with {tried} worked."}], scope)
        return
    known[tool].add(tried)
    reason = f"{tool} found rows locked by {tried}"
    way.add([{"role": "assistant", "content": f"{tool} with {tried} failed: {reason}."}], scope)
    way.failed(tool, tried, reason)


def stability_figures(turns: int = TURNS) -> Iterator[Figure]:
    """Stability of direction, and attempts that were known to fail."""
    ours = walk(Remembering(), turns)
    others = {
        way.name: walk(way, turns) for way in (Forgetting("keep_last"), Forgetting("extractive_summary", summary=True))
    }
    what = f"generated process of {turns:,} turns, {_ROOM} tokens of context, agent that knows what it sees"
    yield Figure(
        name="stability.min",
        value=ours.least(),
        unit="of the start",
        better="higher",
        goal=0.8,
        baselines={name: each.least() for name, each in others.items()},
        conditions=f"alignment of outputs with D_global, lowest mean of {_WINDOW} turns / first; {what}",
    )
    yield Figure(
        name="stability.repeated_dead_ends",
        value=ours.repeated / max(1, ours.attempts),
        unit="share of attempts",
        better="lower",
        goal=0.05,
        baselines={name: each.repeated / max(1, each.attempts) for name, each in others.items()},
        conditions=f"proposed again after it failed, told and not refused; {what}",
    )
