from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from governance.ports import timestamp


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (datetime(2026, 3, 1, 9, 8, 7, tzinfo=UTC), "2026-03-01T09:08:07.000000Z"),
        (datetime(2026, 3, 1, 9, 8, 7, 12, tzinfo=UTC), "2026-03-01T09:08:07.000012Z"),
        (datetime(2026, 3, 1, 0, 30, tzinfo=timezone(timedelta(hours=2))), "2026-02-28T22:30:00.000000Z"),
        (datetime(33, 3, 1, tzinfo=UTC), "0033-03-01T00:00:00.000000Z"),
    ],
)
def test_a_moment_is_told_in_utc_and_always_as_wide(at: datetime, text: str) -> None:
    assert timestamp(at) == text
