"""What a compaction lowers, and what it leaves (Design: CDA, `compact` writes context items)."""

from __future__ import annotations

from tests.governance.cda.memories import TenEach, memory, talk


def test_an_item_that_would_take_as_much_room_on_a_lower_rung_stays_as_it_is() -> None:
    found = memory({"window_tokens": 100, "red": 1.0}, counter=TenEach())
    for message in talk(10):
        found.append_turn([{**message, "content": f"{message['content']} {'It went on as before. ' * 9}"}])
    assert found.compact().lowered == {"ARCHIVED": 4}
