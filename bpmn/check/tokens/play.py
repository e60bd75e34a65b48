"""Plays a scope's token game through, and tells what can go wrong in it.

Source: soundness of workflow nets (van der Aalst, The Application of Petri Nets to Workflow Management, 1998). What
does not choose is done at once, and of several tokens that may choose one goes first: their choices do not touch each
other, so that no outcome is lost by it, and the number of markings stays small.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from bpmn.check.tokens.game import Marking, Move, TokenGame
from bpmn.definition import Scope

MOST_MARKINGS: Final = 5_000
_MOST_TOKENS: Final = 100_000
"""In all markings together: wide ones are large, and are as many as their choices."""
_ROUNDS: Final = 4
"""So many times as many moves between two choices as there are flows are a circle."""


@dataclass(slots=True)
class Outcomes:
    """What playing a scope through came to, by element id.

    `stuck`: joins at which a token may wait for ever, with the flows that do not come. `doubled`: elements that pass a
    second token on while the first is still there. `endless`: elements from which no end is reached. `is_decided`:
    everything was looked at.
    """

    stuck: dict[str, tuple[str, ...]] = field(default_factory=dict)
    doubled: list[str] = field(default_factory=list)
    endless: list[str] = field(default_factory=list)
    is_decided: bool = True


_Frozen = frozenset[tuple[str, int]]


class Play:
    """All that can happen in one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope, self._game = scope, TokenGame(scope)
        self._outcomes = Outcomes()
        self._most_moves = _ROUNDS * (len(scope.flows) + 1)
        self._next: dict[_Frozen, list[_Frozen]] = {}
        self._ends: set[_Frozen] = set()

    def outcomes(self) -> Outcomes:
        if not self._game.is_decidable:
            return Outcomes(is_decided=False)
        starts = self._game.starts()
        pending = [each for start in starts for each in self._settled(dict.fromkeys(start, 1), start)]
        tokens = 0
        while pending:
            marking = pending.pop()
            if marking in self._next:
                continue
            tokens += len(marking)
            if len(self._next) >= MOST_MARKINGS or tokens > _MOST_TOKENS:
                self._outcomes.is_decided = False
                return self._outcomes
            following = list(self._following(marking))
            self._next[marking] = following
            pending += following
        self._find_endless()
        return self._outcomes

    def _following(self, marking: _Frozen) -> Iterator[_Frozen]:
        tokens = dict(marking)
        if not tokens:
            self._ends.add(marking)
            return
        moves = self._chosen(tokens)
        if not moves:
            self._stuck(tokens)
            self._ends.add(marking)
        for move in moves:
            after = dict(tokens)
            doubled = _apply(after, move)
            if doubled is None:
                yield from self._settled(after, move.gives)
            else:
                self._note_doubled(doubled)

    def _chosen(self, tokens: Marking) -> list[Move]:
        """What may happen to the first token that something is decided about."""
        joins: list[Move] = []
        for flow in sorted(tokens):
            element = self._game.by_flow[flow]
            if self._game.is_inclusive_join(element):
                joins = joins or self._game.joined(element, tokens)
                continue
            moves = self._game.moves(element, flow)
            if all(flow in tokens for flow in moves[0].takes):
                return moves
        return joins

    def _settled(self, tokens: dict[str, int], new: Iterable[str]) -> Iterator[_Frozen]:
        """The marking after everything that does not choose; none where a flow gets two tokens or a circle closes.

        `new` are the flows whose tokens may move: the others could not before.
        """
        pending, moved = deque(new), 0
        while pending:
            flow = pending.popleft()
            move = self._plain(flow, tokens)
            if move is None:
                continue
            moved += 1
            if moved > self._most_moves:
                self._note_endless(move.element)
                return
            doubled = _apply(tokens, move)
            if doubled is not None:
                self._note_doubled(doubled)
                return
            pending += move.gives
        yield frozenset(tokens.items())

    def _plain(self, flow: str, tokens: Marking) -> Move | None:
        """What happens to a token if nothing decides about it and nothing else is waited for."""
        if flow not in tokens:
            return None
        element = self._game.by_flow[flow]
        if self._game.is_inclusive_join(element):
            return None
        moves = self._game.moves(element, flow)
        return moves[0] if len(moves) == 1 and all(each in tokens for each in moves[0].takes) else None

    def _stuck(self, tokens: Marking) -> None:
        for flow in sorted(tokens):
            join = self._game.by_flow[flow]
            if join.id in self._outcomes.stuck:
                continue
            missing = tuple(each for each in join.incoming if each not in tokens)
            if missing:
                self._outcomes.stuck.setdefault(join.id, missing)

    def _note_doubled(self, flow: str) -> None:
        """The element that lets tokens through one by one: the nearest one behind which several ways meet."""
        element = self._scope.elements[self._scope.flows[flow].source]
        passed: set[str] = set()
        while len(element.incoming) == 1 and element.id not in passed:
            passed.add(element.id)
            element = self._scope.elements[self._scope.flows[element.incoming[0]].source]
        if element.id not in self._outcomes.doubled:
            self._outcomes.doubled.append(element.id)

    def _find_endless(self) -> None:
        """Where tokens go round for ever: markings from which none is reached that ends."""
        before: dict[_Frozen, list[_Frozen]] = {}
        for marking, following in self._next.items():
            for each in following:
                before.setdefault(each, []).append(marking)
        # A marking whose moves were all cut short was told of already.
        ending = {marking for marking, following in self._next.items() if not following} | self._ends
        pending = list(ending)
        while pending:
            for each in before.get(pending.pop(), ()):
                if each not in ending:
                    ending.add(each)
                    pending.append(each)
        endless = [marking for marking in self._next if marking not in ending]
        if endless:
            self._note_endless(self._game.by_flow[min(flow for flow, _ in endless[0])].id)

    def _note_endless(self, element: str) -> None:
        if element not in self._outcomes.endless:
            self._outcomes.endless.append(element)


def _apply(tokens: dict[str, int], move: Move) -> str | None:
    """Make a move. Returns the flow that has a token already and would get a second one, if there is one."""
    if move.ends:
        tokens.clear()
        return None
    for flow in move.takes:
        del tokens[flow]
    for flow in move.gives:
        if flow in tokens:
            return flow
        tokens[flow] = 1
    return None
