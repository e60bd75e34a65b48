"""`governor context log`, `show` and `diff`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engine.cli.names import Names
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.clean import one_line
from engine.cli.screen.port import Cell, Screen, Span, Style
from engine.cli.stored import names_of
from engine.cli.telling.diffs import hunk_spans
from engine.cli.telling.gauge import count, several
from engine.cli.telling.times import clock, moment
from engine.cli.wiring import governor_on
from engine.context_names import ContextNames, short
from engine.context_view import EntryView, KeyChange, LayerView, LogEntry, diff, log, show
from governance.snapshots.graph import SnapshotGraph
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


@dataclass(frozen=True, slots=True)
class _Opened:
    instance: str
    graph: SnapshotGraph
    contexts: ContextNames
    names: Names


@contextmanager
def _opened(db: str | None, prefix: str) -> Iterator[_Opened]:
    with governor_on(db, must_exist=True) as governor:
        instance = governor.store.find_instance(prefix)
        graph = governor.graph(instance)
        contexts = ContextNames.of(governor, graph, instance)
        yield _Opened(instance, graph, contexts, names_of(governor, instance))


def show_log(db: str | None, prefix: str, limit: int, *, as_json: bool) -> None:
    """Print the snapshots of an instance, the newest first."""
    with _opened(db, prefix) as opened:
        contexts = opened.contexts
        entries = list(islice(log(opened.graph, contexts.heads, contexts.branches), limit + 1))
    more, entries = len(entries) > limit, entries[:limit]
    if as_json:
        snapshots = [entry.to_json() for entry in entries]
        print_json({"instance": opened.instance, "head": contexts.head, "snapshots": snapshots, "more": more})
        return
    screen = output()
    screen.table(
        ["snapshot", "time", "branch", "why", "where", "keys"],
        [_log_row(opened.names, entry, contexts) for entry in entries],
    )
    screen.line((_MARKS, Style.DIM))
    if more:
        screen.line((f"There are more than these {limit}: --limit", Style.DIM))


def show_snapshot(db: str | None, prefix: str, name: str, *, full: bool, as_json: bool) -> None:
    """Print a snapshot, layer by layer."""
    with _opened(db, prefix) as opened:
        snapshot = opened.contexts.snapshot(name)
        view = show(opened.graph, snapshot)
    if as_json:
        print_json({"instance": opened.instance, **view.to_json()})
        return
    screen, commit = output(), view.commit
    screen.line(("snapshot ", Style.STRONG), (commit.id, Style.GOVERNANCE))
    parents = ", ".join(map(short, commit.parents)) or "none"
    screen.line(f"  {_why(opened.names, commit)}, {moment(commit.at)}, branch {opened.names.branch(commit.branch)}")
    screen.line((f"  parents: {parents}", Style.DIM))
    for layer in view.layers:
        _layer(screen, layer, full=full)


def show_diff(db: str | None, prefix: str, before: str, after: str, *, as_json: bool) -> None:
    """Print what differs between two snapshots."""
    with _opened(db, prefix) as opened:
        old, new = opened.contexts.snapshot(before), opened.contexts.snapshot(after)
        changes = diff(opened.graph, old, new)
    if as_json:
        changed = [change.to_json() for change in changes]
        print_json({"instance": opened.instance, "before": old, "after": new, "changes": changed})
        return
    screen = output()
    screen.line((f"{short(old)} → {short(new)}", Style.GOVERNANCE))
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
