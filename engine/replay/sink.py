"""Where the advances of a replay go: nowhere but here."""

from __future__ import annotations

from engine.store.advance import Advance, NewInstance


class Sink:
    """Keeps the last advance, and the live state that all of them left."""

    def __init__(self) -> None:
        self.last: Advance | None = None
        self.rows: dict[str, bytes] = {}

    def create(self, new: NewInstance, first: Advance | None = None) -> int:
        assert first is not None
        return self.commit(first)

    def commit(self, advance: Advance) -> int:
        self.last = advance
        for key in advance.live_deletes:
            self.rows.pop(key, None)
        self.rows.update(advance.live_upserts)
        return advance.version + 1
