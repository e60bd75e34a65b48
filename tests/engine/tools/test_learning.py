"""What is learned of a call outlives a crash, and is learned once."""

from __future__ import annotations

from typing import Any

from engine.activities.registry import HandlerRegistry
from engine.activities.tools.box import ToolBox
from engine.activities.tools.calls import ToolCalls
from engine.activities.tools.guard import NoGuard, ToolUse
from engine.models.base import ToolCall
from tests.engine.activities.works import a_run
from tests.engine.tools.agents import Shop


class Desk:
    """The journal is written at once; what a run learned only by the next commit."""

    def __init__(self, rows: dict[str, dict[str, Any]]) -> None:
        self.rows, self.learned = rows, set[str]()

    def recall(self, key: str) -> dict[str, Any] | None:
        return self.rows.get(key)

    def keep(self, key: str, row: dict[str, Any]) -> None:
        self.rows[key] = row

    def is_new(self, key: str) -> bool:
        new = key not in self.learned
        self.learned.add(key)
        return new

    def tell(self, *told: Any) -> None: ...


class Watch(NoGuard):
    def __init__(self) -> None:
        self.ended: list[tuple[str, str | None]] = []

    def after(self, use: ToolUse, failure: str | None) -> None:
        self.ended.append((use.tool, failure))


def attempt(desk: Desk, shop: Shop) -> list[tuple[str, str | None]]:
    """What the guard learns of one call that fails and one that writes."""
    box = ToolBox(HandlerRegistry(shop.handlers(), offers=dict))
    watch = Watch()
    tools = ToolCalls(a_run().work, desk, box.tools(["broken", "mark"], "a"), watch)  # type: ignore[arg-type]
    tools.make(1, [ToolCall("c1", "broken", "{}"), ToolCall("c2", "mark", '{"order": 1}')])
    return watch.ended


LEARNED = [("broken", "ValueError: no such table"), ("mark", None)]


def test_what_was_learned_before_a_crash_is_learned_from_the_journal_without_a_second_call() -> None:
    journal: dict[str, dict[str, Any]] = {}
    shop = Shop()
    assert attempt(Desk(journal), shop) == LEARNED
    assert attempt(Desk(journal), shop) == LEARNED, "the run that knew of it was lost with the crash"
    assert [name for name, _ in shop.done] == ["broken", "mark"]


def test_an_attempt_that_is_done_over_after_a_wait_learns_it_once() -> None:
    desk, shop = Desk({}), Shop()
    assert attempt(desk, shop) == LEARNED
    assert attempt(desk, shop) == []
