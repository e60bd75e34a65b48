"""What was known at the time of an advance, of what others have added to since."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from bpmn.definition import Element
from engine.replay.cause import Kind
from engine.store.causes import KeptCause
from governance.cda.dead_ends.model import DeadEndFact, Key
from governance.cda.dead_ends.shelf import DeadEndSource
from governance.vocabulary import Effect


class DeadEndsThen:
    """The dead ends that were stored when the advance at `now()` began.

    Those of the instance itself are from earlier advances, those of others from until then.
    """

    def __init__(self, source: DeadEndSource, now: Callable[[], str], session: str) -> None:
        self._source, self._now, self._session = source, now, session

    def actions(self, scope: str | None) -> Iterable[str]:
        return self._source.actions(scope)

    def facts(self, key: Key) -> Iterable[DeadEndFact]:
        return self._then(self._source.facts(key))

    def of_session(self, session: str) -> Iterable[DeadEndFact]:
        return self._then(self._source.of_session(session))

    def hottest(self, scope: str | None, limit: int) -> Iterable[DeadEndFact]:
        return self._then(self._source.hottest(scope, limit))

    def _then(self, facts: Iterable[DeadEndFact]) -> list[DeadEndFact]:
        now = self._now()
        return [each for each in facts if each.at < now or (each.at == now and each.session != self._session)]


class DoersThen:
    """Who did the activities, in which version and to what effect, as each was told when its work came back."""

    def __init__(self, causes: Sequence[KeptCause]) -> None:
        self.advance = 0
        """The one that is made again; what is asked for is who did the work that came back in it or next."""
        self._told: dict[str, list[tuple[int, str, Effect]]] = {}
        for kept in causes:
            for _, told in kept.cause.data["results"] if kept.cause.kind is Kind.WORKED else ():
                if "element" in told:
                    entry = (kept.version, str(told["version"]), Effect(told["effect"]))
                    self._told.setdefault(told["element"], []).append(entry)

    def version_of(self, element: Element) -> str:
        found = self._find(element.id)
        return "" if found is None else found[1]

    def effect_of(self, element: Element) -> Effect:
        found = self._find(element.id)
        return Effect.WRITE if found is None else found[2]

    def _find(self, element: str) -> tuple[int, str, Effect] | None:
        told = self._told.get(element)
        if told is None:
            return None
        place = bisect_left(told, self.advance, key=lambda entry: entry[0])
        return told[min(place, len(told) - 1)]
