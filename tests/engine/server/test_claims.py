"""Who says that they are at something is forgotten after half an hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.server.claims import LASTING, AlreadyClaimed, Claims
from governance.ports import FixedClock

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_a_claim_is_forgotten_after_its_time() -> None:
    clock = FixedClock(NOON)
    claims = Claims(clock)
    claims.claim("a", "ada")
    clock.move_to(NOON + LASTING)
    with pytest.raises(AlreadyClaimed):
        claims.claim("a", "bob")
    clock.move_to(NOON + LASTING + timedelta(seconds=1))
    assert claims.of("a") is None
    assert claims.claim("a", "bob").by == "bob"
