"""Values of tool outputs: rows that stay rows, the needed ones first (Design: D1, summaries by kind of value)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from governance.cda.entry import Entry, text_of
from governance.cda.records import holds_values, records_of
from governance.cda.sheet import sheet_of
from governance.tokens import EstimatingCounter

COUNT = EstimatingCounter().count


def entry(content: Any, number: int = 0, **fields: Any) -> Entry:
    message = {"role": "tool", "content": content, **fields}
    return Entry(id=f"e{number}", number=number, turn=number, message=message, text=text_of(message), tokens=1)


def rows(content: Any, **fields: Any) -> list[tuple[str, dict[str, str]]]:
    return [(record.table, dict(record.fields)) for record in records_of(entry(content, **fields))]


def sheet(*contents: Any, wanted: str = "", room: int = 60, used: Counter[str] | None = None) -> str:
    records = [
        record
        for number, content in enumerate(contents)
        for record in records_of(entry(content, number, name="get_order"))
    ]
    words = set(wanted.split())
    found = sheet_of(records, wanted=words, used=used or Counter(), last=len(contents), room=room, count=COUNT)
    return "" if found is None else found.text


ORDER = {"order_id": "A-17", "status": "open", "lines": [{"sku": "X1", "count": 2}, {"sku": "X2", "count": 5}]}


def test_an_object_is_a_row_and_its_lists_are_rows_that_name_it() -> None:
    assert rows(ORDER, name="get_order") == [
        ("get_order", {"order_id": "A-17", "status": "open"}),
        ("lines", {"order_id": "A-17", "sku": "X1", "count": "2"}),
        ("lines", {"order_id": "A-17", "sku": "X2", "count": "5"}),
    ]


def test_json_in_text_is_read_and_numbers_stay_as_written() -> None:
    assert rows('{"amount": 12.50, "big": 12345678901234567890}') == [
        ("", {"amount": "12.50", "big": "12345678901234567890"})
    ]


def test_an_object_of_objects_names_its_rows() -> None:
    content = {"cards": {"card_17": {"brand": "visa", "kind": {"a": 1}}, "card_18": {"brand": "amex"}}}
    assert ("cards", {"cards": "card_17", "brand": "visa", "a": "1"}) in rows(content)


def test_of_text_what_identifies_is_taken() -> None:
    read = rows("Open src/app.py, see td_field and http://x.y/z, not this.")
    found = {value for _, fields in read for value in fields.values()}
    assert {"src/app.py", "td_field", "http://x.y/z"} <= found
    assert "Open" not in found


def test_arguments_of_calls_are_rows_too() -> None:
    call = {"id": "c1", "function": {"name": "get_order", "arguments": '{"order_id": "A-17"}'}}
    found = entry(None, tool_calls=[call])
    assert [record.fields for record in records_of(found)] == [(("order_id", "A-17"),)]
    assert holds_values(found)


@pytest.mark.parametrize(
    ("content", "holds"), [("Just words here.", False), ('{"a": 1}', True), ("a,b\n1,2\n3,4\n5,6", True)]
)
def test_what_holds_values(content: str, holds: bool) -> None:
    message = {"role": "user", "content": content}
    assert holds_values(Entry(id="e", number=0, turn=0, message=message, text=content, tokens=1)) is holds


def test_what_the_coming_work_has_parameters_for_comes_first() -> None:
    asked = sheet(ORDER, wanted="sku", room=24)
    assert "X1" in asked
    assert "X2" in asked
    assert "open" not in asked


def test_what_is_the_same_in_all_rows_is_said_once() -> None:
    assert sheet(ORDER, wanted="order sku").count("A-17") <= 2


def test_used_values_come_before_others() -> None:
    content = [{"code": f"K-{n:03}"} for n in range(40)]
    assert "K-031" in sheet(content, room=16, used=Counter({"k-031": 1}))


def test_without_room_there_is_no_sheet() -> None:
    assert sheet(ORDER, room=5) == ""


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(
        st.fixed_dictionaries(
            {"id": st.integers(1000, 9999), "size": st.integers(1, 99), "place": st.text("abc ", max_size=9)}
        ),
        min_size=1,
        max_size=30,
        unique_by=lambda row: row["id"],
    ),
    st.integers(10, 200),
)
def test_a_sheet_never_exceeds_its_room_and_never_tears_a_row(table: list[dict[str, Any]], room: int) -> None:
    text = sheet(json.dumps(table), wanted="id size", room=room)
    assert COUNT(text) <= room
    constant = len({row["size"] for row in table}) == 1 and len(table) > 1
    for part in (part for line in text.splitlines()[1:] for part in line.partition(": ")[2].split("; ")):
        shown = [row for row in table if str(row["id"]) in part.split(", ")]
        assert constant or all(str(row["size"]) in part.split(", ") for row in shown)
