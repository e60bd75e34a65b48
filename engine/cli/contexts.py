"""`governor context log`, `show` and `diff`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from shlex import quote

from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.stored import names_of
from engine.cli.telling.snapshots import tell_diff, tell_log, tell_snapshot
from engine.cli.wiring import looking_at
from engine.context_names import ContextNames, short
from engine.context_points import ContextPoints, Point
from engine.context_view import SnapshotView, diff, log, show
from engine.events import Event, EventType
from engine.names import Names
from engine.store.port import InstanceStore
from governance.snapshots.graph import SnapshotGraph


@dataclass(frozen=True, slots=True)
class Opened:
    """An instance whose contexts are looked at."""

    instance: str
    graph: SnapshotGraph
    contexts: ContextNames
    names: Names
    store: InstanceStore

    def events(self, type: EventType) -> list[Event]:
        """Its events of one type, oldest first."""
        return self.store.events(self.instance, types=[type])

    def point(self, at: str, *, before: bool) -> Point:
        """Where an activity or a branch was. Raises UnknownContext, AmbiguousContext."""
        points = ContextPoints(self.instance, self.graph, self.contexts)
        return points.find(at, self.names.called(at), before=before)


@contextmanager
def opened(db: str | None, prefix: str, *, masked: bool = True) -> Iterator[Opened]:
    """For a `with` statement; `masked`: without what is personal. Raises StoreError, UnknownContext."""
    with looking_at(db, masked=masked) as governor:
        instance = governor.store.find_instance(prefix)
        graph = governor.graph(instance)
        contexts = ContextNames.of(governor, graph, instance)
        yield Opened(instance, graph, contexts, names_of(governor, instance), governor.store)


def show_log(db: str | None, prefix: str, limit: int, *, as_json: bool) -> None:
    """Print the snapshots of an instance, the newest first."""
    with opened(db, prefix) as context:
        contexts = context.contexts
        entries = list(islice(log(context.graph, contexts.heads, contexts.branches), limit + 1))
    more, entries = len(entries) > limit, entries[:limit]
    if as_json:
        snapshots = [entry.to_json() for entry in entries]
        print_json({"instance": context.instance, "head": contexts.head, "snapshots": snapshots, "more": more})
        return
    screen = output()
    tell_log(screen, context.names, entries, contexts)
    if more:
        screen.line((f"There are more than these {limit}: --limit", Style.DIM))


def show_snapshot(db: str | None, prefix: str, name: str, *, full: bool, masked: bool, as_json: bool) -> None:
    """Print a snapshot, layer by layer."""
    with opened(db, prefix, masked=masked) as context:
        view = show(context.graph, context.contexts.snapshot(name))
    _show(context, view, full=full, as_json=as_json)


def show_point(
    db: str | None, prefix: str, at: str, *, before: bool, full: bool, masked: bool, as_json: bool
) -> None:
    """Print what was known after an activity or before it, or on a branch."""
    with opened(db, prefix, masked=masked) as context:
        point = context.point(at, before=before)
        view = show(context.graph, point.snapshot)
    _show(context, view, full=full, as_json=as_json)
    if as_json:
        return
    if point.earlier:
        output().line((f"Earlier runs of {at}: {', '.join(map(short, point.earlier))}", Style.DIM))
    if point.branch is not None:
        output().line((f"{at} is a branch, too: --at {quote(point.branch)}", Style.DIM))


def _show(context: Opened, view: SnapshotView, *, full: bool, as_json: bool) -> None:
    if as_json:
        print_json({"instance": context.instance, **view.to_json()})
        return
    tell_snapshot(output(), context.names, view, full=full)


def show_diff(db: str | None, prefix: str, before: str, after: str, *, masked: bool, as_json: bool) -> None:
    """Print what differs between two snapshots."""
    with opened(db, prefix, masked=masked) as context:
        old, new = context.contexts.snapshot(before), context.contexts.snapshot(after)
        changes = diff(context.graph, old, new)
    if as_json:
        changed = [change.to_json() for change in changes]
        print_json({"instance": context.instance, "before": old, "after": new, "changes": changed})
        return
    tell_diff(output(), old, new, changes)
