"""Random histories, and what a snapshot holds worked out the slow way: every entry looked at, nothing incremental."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson
from hypothesis import strategies as st

from governance.snapshots.contents import Contents, Totals
from governance.snapshots.graph import SnapshotGraph
from governance.snapshots.metadata import put_meta
from governance.snapshots.model import Commit, CommitMeta, EntryMeta, Item, Shown, Write, key_of, name_of, space_of
from governance.snapshots.render import render_line
from governance.snapshots.values import ValueStore
from governance.vocabulary import Fidelity

SPACES = ("SYSTEM", "PROCESS", "KNOWLEDGE", "HISTORY", "WORKING", "WORKING:call@2")
NAMES = ("a", "b", "löhne")
KEYS = tuple(key_of(space, name) for space in SPACES for name in NAMES)
VALUES = (0, 1.0, True, "1", "Antrag 申请", {"a": [1, None]})
TEXTS = ("[Compressed] a", "申请")


@dataclass(frozen=True)
class Step:
    """One commit of a random history; parents and the snapshot to restore are places in it, counted from its end."""

    parents: tuple[int, ...]
    writes: Mapping[str, Any]
    carry: Mapping[str, Any]
    shown: Mapping[str, tuple[Fidelity, str | None] | None]
    restores: int | None
    confidence: float


@dataclass(frozen=True)
class Record:
    """A HISTORY value that refers to outputs."""

    outputs: Mapping[str, Any]


def steps(max_size: int = 14) -> st.SearchStrategy[list[Step]]:
    plain = st.sampled_from(VALUES)
    records = st.dictionaries(st.sampled_from(NAMES), plain, max_size=2).map(Record)
    value = st.one_of(st.none(), plain, records)
    fidelity = st.one_of(
        st.none(),
        st.just((Fidelity.FULL, None)),
        st.just((Fidelity.ARCHIVED, None)),
        st.tuples(st.sampled_from((Fidelity.SUMMARY, Fidelity.KEY_ONLY)), st.sampled_from(TEXTS)),
    )
    keys = st.sampled_from(KEYS)
    place = st.integers(0, 5)
    step = st.builds(
        Step,
        parents=st.one_of(st.just((0,)), st.tuples(place), st.tuples(place, place)),
        writes=st.dictionaries(keys, value, max_size=4),
        carry=st.one_of(st.just({}), st.dictionaries(keys, value, max_size=2)),
        shown=st.dictionaries(keys, fidelity, max_size=3),
        restores=st.one_of(st.none(), st.none(), place),
        confidence=st.sampled_from((1.0, 0.5)),
    )
    return st.lists(step, min_size=1, max_size=max_size)


def build(graph: SnapshotGraph, history: Iterable[Step]) -> list[Commit]:
    """Commit a random history; its commits in order, the first an empty start."""
    commits = [graph.commit([], meta=CommitMeta("start"))]
    for number, step in enumerate(history):
        parents = list(dict.fromkeys(_at(commits, place).id for place in step.parents))
        meta = CommitMeta("activity", f"step {number}", "main", f"2026-01-01T00:00:00.{number:06d}Z")
        if step.restores is not None:
            commits.append(graph.restore(parents[0], _at(commits, step.restores).id, meta))
            continue
        entry_meta = put_meta(graph.values, EntryMeta(step.confidence, meta.activity, created_at=meta.at))
        commits.append(
            graph.commit(
                parents,
                writes={key: _write(graph.values, key, value, entry_meta) for key, value in step.writes.items()},
                carry={key: _write(graph.values, key, value, entry_meta) for key, value in step.carry.items()},
                shown={key: _shown(graph.values, entry) for key, entry in step.shown.items()},
                meta=meta,
            )
        )
    return commits


def branch_off(graph: SnapshotGraph, parent: str, step: Step) -> Commit:
    """What a step writes and shows, as a commit of known hashes on a snapshot."""
    meta = CommitMeta("activity", "branch", "main/branch", "2026-01-02T00:00:00.000000Z")
    entry_meta = put_meta(graph.values, EntryMeta(step.confidence, meta.activity, created_at=meta.at))
    return graph.commit(
        [parent],
        writes={key: _write(graph.values, key, value, entry_meta) for key, value in step.writes.items()},
        shown={key: _shown(graph.values, entry) for key, entry in step.shown.items()},
        meta=meta,
        sure=True,
    )


def entries(commit: Commit, commits: Mapping[str, Commit]) -> dict[str, Item]:
    """Every entry of a snapshot, by replaying its line of first parents from the start."""
    items = entries(commits[commit.parents[0]], commits) if commit.parents else {}
    for key, write in [*commit.carry.items(), *commit.writes.items()]:
        if write.value is None:
            items.pop(key, None)
        else:
            items[key] = Item(write.value, write.meta)
    for key, shown in commit.shown.items():
        if key in items:
            full = shown is None or shown.fidelity is Fidelity.FULL
            fidelity, text = (Fidelity.FULL, None) if shown is None or full else (shown.fidelity, shown.text)
            items[key] = Item(items[key].value, items[key].meta, fidelity, text)
    return items


def agree(contents: Contents, items: Mapping[str, Item], values: ValueStore) -> None:
    """Assert that the contents are these entries, and that what is kept incrementally is right."""
    assert {key: contents.item(key) for key in KEYS if contents.item(key)} == items
    assert sorted(contents.spaces) == sorted({space_of(key) for key in items})
    for space in contents.spaces:
        assert contents.names(space) == sorted(name_of(key) for key in items if space_of(key) == space)
        assert contents.space(space).totals == totals(space, items, values)
    assert contents.tree == tree(items)
    assert (contents.overlap.duplicated, contents.overlap.entries) == overlap(items, values)


def totals(space: str, items: Mapping[str, Item], values: ValueStore) -> Totals:
    mine = {key: item for key, item in items.items() if space_of(key) == space}
    full = {key: Item(item.value, item.meta) for key, item in mine.items()}
    return Totals(
        entries=len(mine),
        archived=sum(item.fidelity is Fidelity.ARCHIVED for item in mine.values()),
        chars=sum(len(render_line(values, key, item)) for key, item in mine.items()),
        tokens=sum(_tokens(values, key, item) for key, item in mine.items()),
        full_chars=sum(len(render_line(values, key, item)) for key, item in full.items()),
        full_tokens=sum(_tokens(values, key, item) for key, item in full.items()),
    )


def tree(items: Mapping[str, Item]) -> int:
    terms = (sha256(f"{key}\0{item.value}".encode()).digest() for key, item in items.items())
    return sum(int.from_bytes(term, "big") for term in terms) % 2**256


def overlap(items: Mapping[str, Item], values: ValueStore) -> tuple[int, int]:
    """(duplicated, entries), every pair of layers compared."""
    found: Counter[tuple[str, str, str]] = Counter()
    for key, item in items.items():
        layer = space_of(key).partition(":")[0]
        if layer in ("SYSTEM", "PROCESS") or item.fidelity is Fidelity.ARCHIVED:
            continue
        value = values.get(item.value)
        if layer == "HISTORY" and isinstance(value, dict) and isinstance(value.get("outputs"), dict):
            found.update((layer, name, output) for name, output in value["outputs"].items())
        else:
            found[layer, name_of(key), item.value] += 1
    duplicated = sum(
        count
        for (layer, name, value), count in found.items()
        if any(layer != other and (name == its_name or value == its_value) for other, its_name, its_value in found)
    )
    return duplicated, sum(found.values())


def _tokens(values: ValueStore, key: str, item: Item) -> int:
    """Tokens counted in parts: the name, the text, and each output of a record in place of its `null`."""
    if item.fidelity is Fidelity.ARCHIVED:
        return 0
    value = values.get(item.value)
    name = values.measure(f"{name_of(key)}: ").tokens
    if item.fidelity is not Fidelity.FULL or space_of(key) != "HISTORY" or not isinstance(value, dict):
        return name + values.measure(render_line(values, key, item).removeprefix(f"{name_of(key)}: ")).tokens
    outputs = value.get("outputs", {})
    skeleton = {**value, "outputs": dict.fromkeys(outputs)} if "outputs" in value else value
    text = orjson.dumps(skeleton, option=orjson.OPT_SORT_KEYS).decode()
    null = values.measure("null").tokens
    return name + values.measure(text).tokens + sum(values.size(output).tokens - null for output in outputs.values())


def _at(commits: list[Commit], place: int) -> Commit:
    return commits[-1 - place % len(commits)]


def _write(values: ValueStore, key: str, value: Any, meta: str) -> Write:
    if isinstance(value, Record):
        outputs = {name: values.put(output) for name, output in value.outputs.items()}
        value = {"activity": name_of(key), "outputs": outputs if space_of(key) == "HISTORY" else {}}
    return Write(None if value is None else values.put(value), meta)


def _shown(values: ValueStore, entry: tuple[Fidelity, str | None] | None) -> Shown | None:
    if entry is None:
        return None
    fidelity, text = entry
    return Shown(fidelity, None if text is None else values.put(text))
