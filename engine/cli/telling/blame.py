"""Tells who wrote keys, and how merges came to a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.clean_text import one_line
from engine.cli.screen.port import Cell, Screen, Span, Style
from engine.cli.telling.conflicts import REMOVED, place, sure_of, value_of
from engine.cli.telling.gauge import several
from engine.cli.telling.times import clock
from engine.cli.telling.values import brief
from engine.context_blame import KeyWrite
from engine.context_names import short
from engine.names import Names
from governance.snapshots.model import name_of, space_of
from governance.vocabulary import Layer

_KEY: Final = 30
_VALUE: Final = 60
_STEPS: Final = {"start": "start", "restore": "restored", "system": "asked for"}


def tell_blame(screen: Screen, names: Names, writes: Iterable[KeyWrite]) -> None:
    """A row for each key: its last write."""
    screen.table(
        ["key", "written by", "branch", "time", "by", "sure", "value"],
        [[(_key(write), Style.STRONG), *_row(names, write, told_losers=False)] for write in writes],
    )


def tell_history(screen: Screen, names: Names, writes: Iterable[KeyWrite]) -> None:
    """A row for each write of one key, with what it won over."""
    screen.table(
        ["snapshot", "written by", "branch", "time", "by", "sure", "value"],
        [[(short(write.snapshot), Style.GOVERNANCE), *_row(names, write, told_losers=True)] for write in writes],
    )


def _row(names: Names, write: KeyWrite, *, told_losers: bool) -> list[Cell]:
    value: Span = (REMOVED, Style.DIM) if write.deleted else brief(write.value, _VALUE)
    return [
        _step(names, write),
        names.branch(write.branch),
        clock(write.at),
        write.written.producer.value,
        f"{write.written.confidence:.2f}",
        [value, *_settled(names, write, told_losers=told_losers)],
    ]


def _key(write: KeyWrite) -> str:
    space, name = space_of(write.key), name_of(write.key)
    return one_line(name if space == Layer.WORKING else f"{space.partition(':')[2]}/{name}", _KEY)


def _step(names: Names, write: KeyWrite) -> Cell:
    told = names.element(write.activity) if write.activity else _STEPS.get(write.kind, write.kind)
    return [told, (" D3", Style.GOVERNANCE)] if write.kind == "D3" else told


def _settled(names: Names, write: KeyWrite, *, told_losers: bool) -> list[Span]:
    """How a merge or a restore came to the value, each part on a line of its own."""
    if write.composed:
        return _lines(["put together from what branches wrote in different places"])
    if write.kind == "D3" and not write.settled:
        return _lines(["the branches wrote the same"])
    if write.kind == "restore" and write.written.activity:
        return _lines([f"as {names.element(write.written.activity)} wrote it"])
    return _lines(line for each in write.settled for line in _conflict(names, each, told_losers=told_losers))


def _conflict(names: Names, settled: Mapping[str, Any], *, told_losers: bool) -> list[str]:
    by = "a person" if settled["decided_by"] == "person" else settled["strategy"] or "rule"
    part = f"{place(settled)}: " if settled.get("path") else ""
    winner, lost = settled.get("winner"), settled.get("lost", ())
    how = "given" if winner is None and settled["decided_by"] == "person" else "put together"
    said = [f"{part}{how} by {by}" if winner is None else f"{part}of {names.branch(winner)}, by {by}"]
    if not told_losers:
        return [f"{said[0]}, over {several(len(lost), 'other')}" if lost else said[0]]
    return said + [f"over {value_of(each, _VALUE)} of {names.branch(each['branch'])}{sure_of(each)}" for each in lost]


def _lines(texts: Iterable[str]) -> list[Span]:
    return [(f"\n{text}", Style.DIM) for text in texts]
