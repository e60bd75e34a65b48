"""`DeadEndRegistry`: what failed is not done again the same way (Design: CDA, dead ends)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from governance.cda.dead_ends.blame import aspects_of, blamed_in
from governance.cda.dead_ends.bucket import Bucket
from governance.cda.dead_ends.errors import NotRetired, UnknownDeadEnd
from governance.cda.dead_ends.model import (
    NO_MATCH,
    Attempt,
    DeadEnd,
    DeadEndFact,
    FactKind,
    Key,
    Match,
    Signature,
    Source,
    Status,
)
from governance.cda.dead_ends.settings import DeadEndSettings
from governance.cda.dead_ends.shelf import DeadEndSource, Shelf
from governance.cda.dead_ends.signature import dead_end_id, signature_of, text_of
from governance.cda.dead_ends.transient import is_transient
from governance.ports import timestamp
from governance.snapshots.canonical import thaw

_LOOKED_AT = 200
_Scored = tuple[float, DeadEnd]


class DeadEndRegistry:
    """Registers what failed, and matches what is about to be done against it.

    With a `source` it goes on from what is stored, reading only what an attempt may match; `drain` gives the new facts
    to store. It looks at the dead ends of its `scope` (a process), or of all processes if it is None. A match costs
    the same however many dead ends there are: they stand together by action and state.
    """

    def __init__(
        self,
        settings: DeadEndSettings | None = None,
        *,
        scope: str | None = None,
        source: DeadEndSource | None = None,
    ) -> None:
        self.settings = settings or DeadEndSettings()
        self._shelf = Shelf(scope, source)
        self._new: list[DeadEndFact] = []

    def register(
        self,
        attempt: Attempt,
        *,
        reason: str,
        at: str,
        source: Source,
        session: str = "",
        by: str = "",
        trace: Any = None,
        failure: BaseException | None = None,
    ) -> DeadEnd | None:
        """Keep that an attempt failed; of one that is known its frequency rises.

        None, and nothing is kept, for a failure that may be gone a moment later (`is_transient` of `failure`, else of
        the reason). Raises NotJson for arguments or a trace that are none.
        """
        if source not in ("rejection", "operator") and is_transient(failure or reason):
            return None
        signature = signature_of(attempt)
        fact = DeadEndFact(
            kind="failed",
            id=dead_end_id(attempt.scope, signature),
            at=at,
            scope=attempt.scope,
            signature=signature,
            session=session,
            reason=_one_line(reason),
            by=by,
            source=source,
            text=text_of(attempt),
            trace=thaw(trace),
            blamed=tuple(sorted(blamed_in(attempt, reason))),
        )
        return self._add(fact)

    @property
    def any(self) -> bool:
        """Whether there is any dead end in reach, ended ones too."""
        return self._shelf.any

    def knows(self, action: str) -> bool:
        """Whether an action has any dead end at all, ended ones too: asked often, and cheap."""
        return self._shelf.knows(action)

    def match(self, attempt: Attempt, at: str) -> Match:
        """What is known of an attempt in its state. Changes nothing."""
        bucket = self._bucket(attempt)
        if bucket is None:
            return NO_MATCH
        signature = signature_of(attempt)
        exact = [each for each in bucket.exact(signature.arguments) if self.status(each, at) == "active"]
        if exact:
            return Match("refused", 1.0, 0.0, max(exact, key=lambda each: each.last_at))
        again = [each for each in self._blamed(bucket, attempt, signature) if self.status(each, at) == "active"]
        if again:
            return Match("refused", 1.0, 0.0, max(again, key=lambda each: each.last_at))
        found = bucket.similar(text_of(attempt), self.settings.tell_similarity, signature.hidden)
        alike = [(score, each) for score, each in found if self.status(each, at) == "active"]
        return self._judged(alike, at) if alike else NO_MATCH

    def succeeded(self, attempt: Attempt, *, at: str, session: str = "", told: str = "") -> Sequence[DeadEnd]:
        """An attempt worked: all that it would have been refused for is no dead end any more.

        `told` says in a line what was done; the session's other dead ends of the same action keep it as what worked
        instead. Returns those that ended.
        """
        if not self._shelf.knows(attempt.action):
            return ()
        bucket, ended = self._bucket(attempt), []
        if bucket is not None:
            signature = signature_of(attempt)
            same = {each.id: each for each in bucket.exact(signature.arguments)}
            same.update({each.id: each for each in self._blamed(bucket, attempt, signature)})
            alike = bucket.similar(text_of(attempt), self.settings.refuse_similarity, signature.hidden)
            same.update({each.id: each for _, each in alike})
            ended = [self._about(each, "worked", at, told, session=session) for each in same.values()]
        for each in self._shelf.of_session(session) if told else ():
            if each.signature.action == attempt.action and each.status == "active" and each.alternative is None:
                self._about(each, "alternative", at, told, session=session)
        return ended

    def hot(self, at: str, top_k: int) -> Sequence[DeadEnd]:
        """The active ones of the scope that failed most often: what a cold start should know."""
        self._shelf.read_hottest(top_k)
        return self.list(at=at, status="active", top_k=top_k)

    def about(self, query: str, at: str, *, session: str = "", top_k: int) -> Sequence[DeadEnd]:
        """The active ones that have to do with what `query` says, the best first; a session's are among them."""
        self._shelf.of_session(session)
        found = self._shelf.about(query, _LOOKED_AT)
        active = [each for each in found if self.status(each, at) == "active"]
        return active[:top_k]

    def get(self, id: str) -> DeadEnd:
        """One that was read or registered here. Raises UnknownDeadEnd."""
        found = self._shelf.get(id)
        if found is None:
            raise UnknownDeadEnd(id)
        return found

    def retire(self, id: str, *, by: str, at: str, reason: str = "") -> DeadEnd:
        """A person says that it is none any more. Raises UnknownDeadEnd, NotRetired for one that has ended."""
        found = self.get(id)
        if found.status != "active":
            raise NotRetired(id, found.status)
        return self._about(found, "retired", at, reason, by=by)

    def status(self, dead_end: DeadEnd, at: str | None) -> Status:
        """Whether it counts at a time: an old one does not."""
        if dead_end.status != "active" or at is None:
            return dead_end.status
        return "expired" if dead_end.last_at < _before(at, self.settings.max_age_days) else "active"

    def load(self, facts: Iterable[DeadEndFact]) -> None:
        """Take over facts that are stored already."""
        for fact in facts:
            self._shelf.put(fact)

    def drain(self) -> Sequence[DeadEndFact]:
        """Facts since the last drain, to be stored."""
        drained, self._new = self._new, []
        return drained

    def list(
        self,
        *,
        session: str | None = None,
        at: str | None = None,
        status: Status | None = None,
        top_k: int | None = None,
    ) -> Sequence[DeadEnd]:
        """Those of a session, else all that were read or registered here: the most frequent first, then the newest.

        By `status` only with `at` if it is to know what has expired.
        """
        found = self._shelf.all() if session is None else self._shelf.of_session(session)
        if status is not None:
            found = [each for each in found if self.status(each, at) == status]
        newest = sorted(found, key=lambda each: (each.last_at, each.id), reverse=True)
        return sorted(newest, key=lambda each: -each.frequency)[:top_k]

    def _judged(self, alike: Sequence[_Scored], at: str) -> Match:
        best, closest = alike[0]
        settings = self.settings
        if best >= settings.refuse_similarity:
            since = _before(at, settings.recent_days)
            same = [each for score, each in alike if score >= settings.refuse_similarity]
            if sum(failed >= since for each in same for failed in each.failures) >= settings.refuse_failures:
                return Match("refused", best, 0.0, closest)
        return Match("told", best, settings.told_weight, closest)

    def _blamed(self, bucket: Bucket, attempt: Attempt, signature: Signature) -> Sequence[DeadEnd]:
        """Those that failed for what the attempt has, too."""
        return bucket.blamed(aspects_of(attempt), signature.hidden) if bucket.any_blamed else ()

    def _bucket(self, attempt: Attempt) -> Bucket | None:
        """The dead ends an attempt may match, read when first asked for; None where its action has none at all."""
        if not self._shelf.knows(attempt.action):
            return None
        scope = None if self._shelf.scope is None else attempt.scope
        return self._shelf.bucket(Key(scope, attempt.action, attempt.state))

    def _about(
        self, dead_end: DeadEnd, kind: FactKind, at: str, reason: str, *, session: str = "", by: str = ""
    ) -> DeadEnd:
        fact = DeadEndFact(
            kind=kind,
            id=dead_end.id,
            at=at,
            scope=dead_end.scope,
            signature=dead_end.signature,
            session=session,
            reason=_one_line(reason),
            by=by,
        )
        found = self._add(fact)
        assert found is not None
        return found

    def _add(self, fact: DeadEndFact) -> DeadEnd | None:
        self._shelf.bucket(self._shelf.key(fact))
        self._new.append(fact)
        return self._shelf.put(fact)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _before(at: str, days: float) -> str:
    return timestamp(datetime.fromisoformat(at) - timedelta(days=days))
