"""Tells snapshots: their log, one with its layers, and how two differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.clean_text import one_line
from engine.cli.screen.port import Cell, Screen, Span, Style
from engine.cli.telling.diffs import hunk_spans
from engine.cli.telling.gauge import count, several
from engine.cli.telling.times import clock, moment
from engine.context_names import ContextNames, short
from engine.context_view import EntryView, KeyChange, LayerView, LogEntry, SnapshotView
from engine.names import Names
from governance.snapshots.model import name_of, space_of
from governance.vocabulary import Fidelity, Layer

_KEYS: Final = 6
_KEY: Final = 40
_TEXT: Final = 100
_KINDS: Final = {
    "start": "start",
    "activity": "activity",
    "D1": "D1 compress",
    "D2": "D2 split",
    "D3": "D3 merge",
    "gateway": "gateway",
    "call": "call",
    "return": "return",
    "restore": "restored",
    "interrupt": "interrupted",
}
_MARKS: Final = "+ written, - deleted, ~ taken over by a merge, v shown shorter, ^ shown in full again"
_EMPTY: Final = {Layer.EPHEMERAL: "cleared after each activity, never in a snapshot"}


def tell_log(screen: Screen, names: Names, entries: Iterable[LogEntry], contexts: ContextNames) -> None:
    """A row for each snapshot, and what the marks mean."""
    screen.table(
        ["snapshot", "time", "branch", "why", "where", "keys"], [_log_row(names, entry, contexts) for entry in entries]
    )
    screen.line((_MARKS, Style.DIM))


def tell_snapshot(screen: Screen, names: Names, view: SnapshotView, *, full: bool) -> None:
    """Where it comes from, then layer by layer; unless `full`, long values are cut."""
    commit = view.commit
    screen.line(("snapshot ", Style.STRONG), (commit.id, Style.GOVERNANCE))
    parents = ", ".join(map(short, commit.parents)) or "none"
    screen.line(f"  {_why(names, commit)}, {moment(commit.at)}, branch {names.branch(commit.branch)}")
    screen.line((f"  parents: {parents}", Style.DIM))
    for layer in view.layers:
        _layer(screen, layer, full=full)


def tell_diff(screen: Screen, before: str, after: str, changes: Sequence[KeyChange]) -> None:
    """Each key that differs, texts word by word."""
    screen.line((f"{short(before)} → {short(after)}", Style.GOVERNANCE))
    for change in changes:
        _change(screen, change)
    if not changes:
        screen.line("Nothing differs.")


def _log_row(names: Names, entry: LogEntry, contexts: ContextNames) -> Sequence[Cell]:
    heads = [*(["head"] if entry.id == contexts.head else []), *map(names.branch, entry.heads)]
    heads += ["put aside"] if entry.id in contexts.lost else []
    mark = f" ← {', '.join(heads)}" if heads else ""
    return [
        [(short(entry.id), Style.GOVERNANCE), (mark, Style.GOOD)],
        clock(entry.at),
        names.branch(entry.branch),
        _KINDS.get(entry.kind, entry.kind),
        names.element(entry.activity) if entry.activity else "",
        _keys(entry),
    ]


def _keys(entry: LogEntry) -> list[Span]:
    """What the step changed, each key with its mark."""
    marked: list[Span] = [(f"+{_brief(key)}", Style.GOOD) for key in entry.written]
    marked += [(f"-{_brief(key)}", Style.BAD) for key in entry.deleted]
    marked += [(f"~{_brief(key)}", Style.DIM) for key in entry.carried]
    lowered = [key for key, fidelity in entry.shown.items() if fidelity != Fidelity.FULL.name]
    marked += [(f"v{_brief(key)}", Style.WARN) for key in lowered]
    marked += [(f"^{_brief(key)}", Style.DIM) for key in entry.shown if key not in lowered]
    spans: list[Span] = []
    for span in marked[:_KEYS]:
        spans += [span, " "]
    return [*spans, (f"and {len(marked) - _KEYS} more", Style.DIM)] if len(marked) > _KEYS else spans


def _brief(key: str) -> str:
    """A variable by its name alone, an entry of another layer with its layer."""
    space, name = space_of(key), name_of(key)
    if space == Layer.HISTORY:
        name = _record(name).partition(" ")[0]
    return one_line(name if space == Layer.WORKING else f"{space}/{name}", _KEY)


def _record(name: str) -> str:
    """A record of HISTORY by its activity, then where it stands: `branch@generation`."""
    place, _, activity = name.rpartition(":")
    return f"{activity} {place}"


def _layer(screen: Screen, layer: LayerView, *, full: bool) -> None:
    totals = layer.totals
    if not totals.entries:
        screen.line((layer.layer, Style.NAME), (f": {_EMPTY.get(Layer(layer.layer), 'empty')}", Style.DIM))
        return
    archived = f", {count(totals.archived)} archived" if totals.archived else ""
    sizes = f"{count(totals.tokens)} tokens shown of {count(totals.full_tokens)}"
    entries = several(totals.entries, "entry", "entries")
    screen.line((layer.layer, Style.NAME), (f": {entries}{archived}, {sizes}", Style.DIM))
    for entry in layer.entries:
        _entry(screen, entry, full=full)


def _entry(screen: Screen, entry: EntryView, *, full: bool) -> None:
    space, name = space_of(entry.key), name_of(entry.key)
    if space == Layer.HISTORY:
        name = _record(name)
    elif ":" in space:
        name = f"{space.partition(':')[2]}/{name}"
    fidelity: Span = (f"  {entry.fidelity}", Style.GOOD if entry.fidelity == "FULL" else Style.WARN)
    size = f"{count(entry.size.tokens)}" + ("" if entry.size == entry.full else f" of {count(entry.full.tokens)}")
    about = entry.written
    by = about.producer.value + (f" at {about.activity}" if about.activity else "")
    screen.line("  ", (one_line(name, 60), Style.STRONG), fidelity, (f"  {size} tokens, by {by}", Style.DIM))
    if entry.text:
        screen.line(f"    {entry.text if full else one_line(entry.text, _TEXT)}")


def _change(screen: Screen, change: KeyChange) -> None:
    key: Span = (change.key, Style.STRONG)
    if change.change == "shown":
        screen.item((change.change, Style.WARN), key, f": {change.fidelity_before} → {change.fidelity_after}")
    elif change.change == "added":
        screen.item((change.change, Style.GOOD), key, ": ", (change.after or "", Style.ADDED))
    elif change.change == "removed":
        screen.item((change.change, Style.BAD), key, ": ", (change.before or "", Style.REMOVED))
    else:
        screen.item((change.change, Style.WARN), key, ": ", *hunk_spans(change.before or "", change.hunks))


def _why(names: Names, commit: LogEntry) -> str:
    where = f" {names.element(commit.activity)}" if commit.activity else ""
    return f"{_KINDS.get(commit.kind, commit.kind)}{where}"
