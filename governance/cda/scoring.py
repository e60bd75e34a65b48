"""QTS: how much an entry matters to what is asked now (Design: CDA, QTS).

`QTS = intent + phase + tool + causal`, each from 0 to 1 and weighted. Only candidates are scored: what the index finds,
what is a step or two away from it in the graph, and the end of the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from governance.cda.asked import only_asks, wanted
from governance.cda.dates import Days
from governance.cda.entry import Entry
from governance.cda.scg import SemanticContextGraph
from governance.cda.settings import CdaSettings, QtsWeights
from governance.similarity.index import Bm25Index
from governance.snapshots.model import made


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """What is asked: the query, where the work is, what tools and data it has; `missed` scopes failed once."""

    query: str
    scope: str | None = None
    tools: frozenset[str] = frozenset()
    missed: Mapping[str, float] = field(default_factory=dict)
    """Decay (0 to 1) of a miss by scope: it lowers the scope's phase match."""


class Qts(NamedTuple):
    """The parts of a score, and the score."""

    intent: float
    phase: float
    tool: float
    causal: float
    score: float


class QtsScorer:
    """Scores entries of one memory; holds nothing of its own. `nearest` finds entries by meaning, if something can."""

    def __init__(
        self,
        entries: Sequence[Entry],
        index: Bm25Index,
        graph: SemanticContextGraph,
        settings: CdaSettings,
        nearest: Callable[[str, int], Sequence[tuple[int, float]]] | None = None,
        days: Days | None = None,
    ) -> None:
        self._entries, self._index, self._graph, self._settings = entries, index, graph, settings
        self._nearest, self._days = nearest, days or Days()

    def score(self, focus: Focus, weights: QtsWeights, always: Iterable[int] = ()) -> dict[int, Qts]:
        """The scores of all candidates by number; `always` are candidates whatever the index says."""
        intent = self._intent(focus.query)
        wanted = focus.tools | frozenset(self._graph.names_known_in(focus.query))
        tool = self._tool_hits(wanted)
        causal = self._causal(intent, tool)
        dated = self._days.told_of(focus.query)
        numbers = {**intent, **causal, **tool, **dated, **dict.fromkeys(always, 0.0)}
        entries = self._entries
        scopes = [entries[number].scope for number in numbers]
        of_scopes = self._phases(set(scopes), focus, self._strengths(intent))
        phases = [of_scopes[scope] for scope in scopes]
        if dated:
            phases = _of_days(numbers, phases, dated)
        tools = {n: tool[n] if n in tool else self._tool(n, wanted) for n in numbers} if wanted else tool
        there = (intent.values(), phases, tools.values(), causal.values())
        by_intent, by_phase, by_tool, by_causal = _present(weights, there)
        parts = zip(
            numbers,
            [intent.get(number, 0.0) for number in numbers],
            phases,
            [tools.get(number, 0.0) for number in numbers] if tools else repeat(0.0),
            [causal.get(number, 0.0) for number in numbers],
            strict=False,
        )
        found = {
            number: made(Qts, (i, p, t, c, by_intent * i + by_phase * p + by_tool * t + by_causal * c))
            for number, i, p, t, c in parts
        }
        fit = self._fit(focus.query)
        if fit is None:
            return found
        best = max(intent.values(), default=1.0)
        return {n: qts._replace(score=fit(entries[n], qts.score, qts.intent / best)) for n, qts in found.items()}

    def _intent(self, query: str) -> dict[int, float]:
        """BM25 against the best hit; a best hit that is weak itself counts less: b / (b + k)."""
        related = self._settings.related_share if len(query) <= _SHORT else 0.0
        hits = self._index.top(query, self._settings.candidates, related=related)
        best = hits[0][1] if hits else 0.0
        words = {int(id): score / best for id, score in hits}
        if self._nearest is None:
            full = best / (best + self._settings.intent_half)
            return {number: part * full for number, part in words.items()}
        return self._with_meaning(words, query)

    def _fit(self, query: str) -> Callable[[Entry, float, float], float] | None:
        """What a score becomes: who speaks of what is asked may not tell it, and who asks, too, seldom does.

        Who tells something before may well: the better the entry is hit (0 to 1), the less counts that it asks in
        return. None: what it is, for nothing is asked.
        """
        kinds, settings = wanted(query), self._settings
        if not kinds and not only_asks(query):
            return None
        share = settings.kind_share if kinds else 0.0

        def fit(entry: Entry, score: float, hit: float) -> float:
            told = len(entry.kinds & kinds) / len(kinds) if kinds else 0.0
            score = (score + share * told) / (1.0 + share)
            if entry.asking > 0.0:
                score *= 1.0 - (1.0 - settings.asking_keeps) * (1.0 - hit * (1.0 - entry.asking))
            return score

        return fit

    def _with_meaning(self, words: Mapping[int, float], query: str) -> dict[int, float]:
        """Words and meaning together, each against its best; best first."""
        assert self._nearest is not None
        near = self._nearest(query, self._settings.candidates)
        best = max((cosine for _, cosine in near), default=0.0)
        share = self._settings.meaning_share
        found = {number: (1.0 - share) * part for number, part in words.items()}
        for number, cosine in near:
            if cosine > 0.0:
                found[number] = found.get(number, 0.0) + share * cosine / best
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))

    def _tool_hits(self, wanted: frozenset[str]) -> dict[int, float]:
        """Entries that mention a rare name of the query: a half, or their own overlap if that is more."""
        mentioning = {number for name in wanted for number in self._graph.mentioning(name)}
        return {number: max(0.5, self._tool(number, wanted)) for number in mentioning}

    def _tool(self, number: int, wanted: frozenset[str]) -> float:
        """Overlap coefficient of what the entry and the coming work have: tools, data objects, who or what it is by."""
        entry = self._entries[number]
        if not wanted or not (entry.tools or entry.name):
            return 0.0
        own = entry.tools | {entry.name} if entry.name else entry.tools
        common = own & wanted
        if not common:
            return self._settings.addressed_share if entry.to in wanted else 0.0
        share = len(common) / min(len(own), len(wanted))
        return share if entry.of_oneself or not entry.name else share * self._settings.of_others_keeps

    def _causal(self, intent: Mapping[int, float], tool: Mapping[int, float]) -> dict[int, float]:
        """1 / (1 + d) along the strongest path from a hit, times the hit's own strength, against the best of all."""
        steps = self._settings.candidates // 4
        activity = {number: hit + 0.5 * tool.get(number, 0.0) for number, hit in intent.items()}
        current = _largest(steps, activity)
        found: dict[int, float] = {}
        for hop in range(1, self._settings.hops + 1):
            reached: dict[int, float] = {}
            share, best_of = hop / (1.0 + hop), reached.get
            for number, strength in current.items():
                strength *= share
                for to, _, keeps in self._graph.edges(number):
                    value = strength * keeps
                    if value > best_of(to, 0.0):
                        reached[to] = value
            for number, value in reached.items():
                if value > found.get(number, 0.0):
                    found[number] = value
            current = _largest(steps, reached) if hop < self._settings.hops else {}
        best = max(found.values(), default=1.0)
        return {number: value / best for number, value in found.items()}

    def _strengths(self, intent: Mapping[int, float]) -> dict[str, float]:
        """How well each scope answers: its three best hits, against the best scope's."""
        sums: dict[str, float] = {}
        counts: dict[str, int] = {}
        for number, hit in intent.items():  # best first
            scope = self._entries[number].scope
            count = counts.get(scope, 0)
            if count < _BEST_OF_SCOPE:
                sums[scope] = sums.get(scope, 0.0) + hit
                counts[scope] = count + 1
        best = max(sums.values(), default=1.0)
        return {scope: total / best for scope, total in sums.items()}

    def _phases(self, scopes: Iterable[str], focus: Focus, strengths: Mapping[str, float]) -> dict[str, float]:
        """1 in the same scope; elsewhere at most as much as the scope itself has to do with the query."""
        found: dict[str, float] = {}
        for scope in scopes:
            match = strengths.get(scope, 0.0)
            if focus.scope is not None:
                match = 1.0 if scope == focus.scope else 0.5 * match
            found[scope] = match * (1.0 - 0.5 * focus.missed.get(scope, 0.0))
        return found


_BEST_OF_SCOPE = 3
_SHORT = 300
"""Characters of a query that is helped by other words for its own; a long one has words enough."""


def _of_days(numbers: Iterable[int], phases: Iterable[float], dated: Mapping[int, float]) -> list[float]:
    """Where the query names a date on which something was said, that is the place of the work; elsewhere is half."""
    return [max(dated.get(number, 0.0), 0.5 * match) for number, match in zip(numbers, phases, strict=True)]


def _largest(count: int, values: Mapping[int, float]) -> dict[int, float]:
    """The largest values with their numbers, largest first, equal ones in the order of their numbers."""
    ranked = sorted([(-value, number) for number, value in values.items()])
    return {number: -value for value, number in ranked[:count]}


def _present(weights: QtsWeights, parts: Sequence[Iterable[float]]) -> list[float]:
    """The weights of the parts that some candidate has something of; the others drop out, these add up to 1."""
    each = (weights.intent, weights.phase, weights.tool, weights.causal)
    there = [any(part) for part in parts]
    total = sum(weight for weight, present in zip(each, there, strict=True) if present) or 1.0
    return [weight / total for weight in each]
