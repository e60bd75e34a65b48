"""What an instance's model calls used, and what they may use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from governance.budgets import NOTHING, Pool, Raise
from governance.policy import Limits

_ANY_TIME: Final = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Spending:
    """`used` by the instance so far; `raised`: how often people raised a pool, by its name.

    `tenant` is what all instances of the database may use together, `tenant_used` what they used by committed advances,
    and `raises` what people raised that by.
    `now` is the clock that model calls are timed by.
    """

    used: Pool = NOTHING
    raised: dict[str, int] = field(default_factory=dict)
    tenant: Limits = field(default_factory=Limits)
    tenant_used: Callable[[], Pool] = Pool
    raises: Callable[[], Sequence[Raise]] = tuple
    now: Callable[[], datetime] = lambda: _ANY_TIME
