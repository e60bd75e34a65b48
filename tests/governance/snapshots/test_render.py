"""The text of an entry is the text that is counted."""

from __future__ import annotations

from typing import Any

import pytest

from governance.errors import UnknownValue
from governance.snapshots.model import Item
from governance.snapshots.render import full_size, record_outputs, render_line, render_value, shown_size, text_line_size
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity


class Letters:
    """A counter that adds up: one token per code point."""

    def count(self, text: str) -> int:
        return len(text)


@pytest.fixture
def values() -> ValueStore:
    return ValueStore(tokens=Letters())


def record(values: ValueStore, outputs: dict[str, Any]) -> str:
    return values.put({"activity": "check", "outputs": outputs, "duration": 2})


def test_a_full_entry_reads_as_canonical_json(values: ValueStore) -> None:
    item = Item(values.put({"b": "申请", "a": 1.0}), "")
    assert render_value(values, "WORKING:call@2/claim", item) == '{"a":1.0,"b":"申请"}'
    assert render_line(values, "WORKING:call@2/claim", item) == 'claim: {"a":1.0,"b":"申请"}'


@pytest.mark.parametrize("fidelity", [Fidelity.SUMMARY, Fidelity.KEY_ONLY])
def test_a_lowered_entry_reads_as_its_shown_text(values: ValueStore, fidelity: Fidelity) -> None:
    item = Item(values.put("x" * 500), "", fidelity, values.put('[Compressed] "x"'))
    assert render_line(values, "WORKING/claim", item) == 'claim: [Compressed] "x"'
    assert shown_size(values, "WORKING/claim", item).chars == len('claim: [Compressed] "x"')
    assert full_size(values, "WORKING/claim", item.value).chars == len("claim: ") + 502


def test_an_archived_entry_reads_as_nothing(values: ValueStore) -> None:
    item = Item(values.put("x"), "", Fidelity.ARCHIVED)
    assert render_value(values, "WORKING/claim", item) == render_line(values, "WORKING/claim", item) == ""
    assert shown_size(values, "WORKING/claim", item) == (0, 0)


def test_a_record_reads_with_its_outputs_in_place(values: ValueStore) -> None:
    outputs = {"claim": values.put({"b": 1, "a": "申"}), "ok": values.put(True)}
    item = Item(record(values, {**outputs, "gone": None}), "")
    text = '{"activity":"check","duration":2,"outputs":{"claim":{"a":"申","b":1},"gone":null,"ok":true}}'
    assert render_value(values, "HISTORY/@3:check", item) == text
    assert full_size(values, "HISTORY/@3:check", item.value) == (len("@3:check: " + text),) * 2
    assert full_size(values, "HISTORY/@3:check", item.value) == shown_size(values, "HISTORY/@3:check", item)


def test_only_history_holds_records(values: ValueStore) -> None:
    one = values.put(1)
    item = Item(record(values, {"claim": one}), "")
    assert (
        render_value(values, "WORKING/x", item) == f'{{"activity":"check","duration":2,"outputs":{{"claim":"{one}"}}}}'
    )
    assert full_size(values, "WORKING/x", item.value).chars == len(render_line(values, "WORKING/x", item))


def test_a_history_value_without_outputs_reads_as_it_stands(values: ValueStore) -> None:
    plain: list[Any] = ["note", {"activity": "join"}, {"outputs": "none"}, {"outputs": {}}]
    for value in plain:
        item = Item(values.put(value), "")
        line = render_line(values, "HISTORY/x", item)
        assert full_size(values, "HISTORY/x", item.value).chars == len(line)
    assert render_value(values, "HISTORY/x", Item(values.put({"outputs": {}}), "")) == '{"outputs":{}}'


def test_outputs_of_records(values: ValueStore) -> None:
    assert record_outputs({"outputs": {"a": "h1", "b": None}}) == (("a", "h1"),)
    assert record_outputs({"outputs": {}}) == ()
    assert record_outputs({"activity": "join"}) is record_outputs("note") is record_outputs({"outputs": "x"}) is None


def test_a_text_not_yet_stored_is_measured_as_it_would_be_shown(values: ValueStore) -> None:
    text = "[Compressed] 申请"
    shown = Item(values.put("x" * 500), "", Fidelity.SUMMARY, values.put(text))
    assert text_line_size(values, "WORKING/claim", text) == shown_size(values, "WORKING/claim", shown)


def test_an_output_that_is_not_there_is_named(values: ValueStore) -> None:
    with pytest.raises(UnknownValue, match="ab12"):
        render_line(values, "HISTORY/x", Item(record(values, {"claim": "ab12"}), ""))
