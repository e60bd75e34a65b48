"""From facts to dead ends."""

from __future__ import annotations

from typing import Final

from governance.cda.dead_ends.model import DeadEnd, DeadEndFact

_KEPT_FAILURES: Final = 8


def fold(before: DeadEnd | None, fact: DeadEndFact) -> DeadEnd | None:
    """What a dead end is after one more fact. None: a fact about one that never failed."""
    if fact.kind == "failed":
        return _failed(before, fact)
    if before is None:
        return None
    if fact.kind == "alternative":
        return before.model_copy(update={"alternative": fact.reason})
    status = "worked" if fact.kind == "worked" else "retired"
    ended = {"status": status, "ended_at": fact.at, "ended_by": fact.by or None, "ended_why": fact.reason or None}
    return before.model_copy(update=ended)


def _failed(before: DeadEnd | None, fact: DeadEndFact) -> DeadEnd:
    """One more failure; of one that had ended it is the first again."""
    alive = before is not None and before.status == "active"
    assert fact.source is not None
    return DeadEnd(
        id=fact.id,
        session=fact.session,
        scope=fact.scope,
        signature=fact.signature,
        trace=fact.trace,
        reason=fact.reason,
        source=fact.source,
        created_at=before.created_at if before is not None and alive else fact.at,
        frequency=before.frequency + 1 if before is not None and alive else 1,
        failures=(*before.failures, fact.at)[-_KEPT_FAILURES:] if before is not None and alive else (fact.at,),
        text=fact.text,
        blamed=fact.blamed,
        alternative=before.alternative if before is not None else None,
    )
