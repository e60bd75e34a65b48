"""The value store: idempotent, isolated, lazy, measured once."""

from __future__ import annotations

import pytest

from governance.errors import NotJson, UnknownValue
from governance.snapshots.canonical import canonical, digest
from governance.snapshots.metadata import meta, put_meta
from governance.snapshots.model import EntryMeta
from governance.snapshots.values import Size, ValueStore
from governance.vocabulary import Producer


class CountingCounter:
    """Counts words, and how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def count(self, text: str) -> int:
        self.asked.append(text)
        return len(text.split())


def test_a_value_is_stored_once_under_the_digest_of_its_bytes() -> None:
    values = ValueStore()
    first = values.put({"b": 1, "a": 2})
    assert first == values.put({"a": 2, "b": 1}) == digest(b'{"a":2,"b":1}')
    assert values.drain() == [(first, b'{"a":2,"b":1}')]


def test_a_stored_value_is_apart_from_what_was_put() -> None:
    values = ValueStore()
    claim = {"items": [1]}
    claim_hash = values.put(claim)
    claim["items"].append(2)
    assert values.get(claim_hash) == {"items": [1]}
    assert values.drain() == [(claim_hash, b'{"items":[1]}')]


def test_a_drain_gives_what_is_new_since_the_last() -> None:
    values = ValueStore()
    values.put("one")
    values.drain()
    two = values.put("two")
    values.put("one")
    assert values.drain() == [(two, b'"two"')]
    assert values.drain() == []


def test_what_is_no_json_value_leaves_nothing_behind() -> None:
    values = ValueStore()
    with pytest.raises(NotJson):
        values.put([float("nan")])
    assert values.drain() == []


def test_a_value_is_loaded_once_and_is_then_known() -> None:
    rows = {digest(canonical(value)): canonical(value) for value in ([1, 2**80], "x")}
    asked: list[str] = []

    def load(value_hash: str) -> bytes:
        asked.append(value_hash)
        return rows[value_hash]

    values = ValueStore(load)
    big = digest(canonical([1, 2**80]))
    assert values.get(big) == values.get(big) == [1, 2**80]
    assert values.put([1, 2**80]) == big
    assert asked == [big]
    assert values.drain() == []


def test_an_unknown_hash_is_named() -> None:
    empty: dict[str, bytes] = {}
    for values in (ValueStore(), ValueStore(empty.__getitem__)):
        with pytest.raises(UnknownValue) as unknown:
            values.get("ab12")
        assert unknown.value.value_hash == "ab12"


def test_sizes_are_code_points_and_counted_once() -> None:
    counter = CountingCounter()
    values = ValueStore(tokens=counter)
    text = values.put("zwei 申请")
    assert values.size(text) == values.size(text) == Size(chars=9, tokens=2)
    assert values.text_size(text) == values.text_size(text) == Size(chars=7, tokens=2)
    assert counter.asked == ['"zwei 申请"', "zwei 申请"]
    values.drain()
    other = values.put({"a": "申"})
    values.drain()
    assert values.size(other) == Size(chars=len('{"a":"申"}'), tokens=1)


def test_metadata_comes_back_and_defaults_cost_nothing() -> None:
    values = ValueStore()
    plain = EntryMeta()
    whole = EntryMeta(0.25, "check", "fork/1", Producer.AGENT, "2026-01-01T00:00:00.000000Z", 7, ("doc-1", "doc-2"))
    hashes = [put_meta(values, plain), put_meta(values, whole)]
    assert all(list(values.get(each)) == sorted(values.get(each)) for each in hashes)
    stored = dict(values.drain())
    assert stored[hashes[0]] == b'{"producer":"engine"}'
    again = ValueStore(stored.__getitem__)
    assert [meta(again, value_hash) for value_hash in hashes] == [plain, whole]
    assert meta(again, hashes[1]) is meta(again, hashes[1])


def test_equal_metadata_is_one_value() -> None:
    values = ValueStore()
    assert put_meta(values, EntryMeta(confidence=1)) == put_meta(values, EntryMeta(confidence=1.0))
    assert put_meta(values, EntryMeta(confidence=0)) == put_meta(values, EntryMeta(confidence=0.0))
