"""`governor context blame`."""

from __future__ import annotations

from engine.cli.contexts import Opened, opened
from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.telling.blame import tell_blame, tell_history
from engine.context_blame import KeyWrite, blame, history, merges_of
from engine.context_names import short
from engine.events import EventType
from governance.snapshots.model import key_of
from governance.vocabulary import Layer


def show_blame(db: str | None, prefix: str, key: str | None, snapshot: str, *, as_json: bool) -> None:
    """Print who wrote each variable last, or every write of one."""
    with opened(db, prefix) as context:
        at = context.contexts.snapshot(snapshot)
        writes = _last(context, at) if key is None else _all(context, at, key)
    if as_json:
        told = [write.to_json() for write in writes]
        print_json({"instance": context.instance, "snapshot": at, "key": key, "writes": told})
        return
    screen = output()
    if key is not None:
        tell_history(screen, context.names, writes)
    elif writes:
        tell_blame(screen, context.names, writes)
    else:
        screen.line((f"No variable stands in {short(at)}.", Style.DIM))


def _last(context: Opened, at: str) -> list[KeyWrite]:
    return list(blame(context.graph, at, merges_of(context.graph, context.events(EventType.D3))).values())


def _all(context: Opened, at: str, name: str) -> list[KeyWrite]:
    """The writes of a variable, or of an entry that is named with its layer."""
    merges = merges_of(context.graph, context.events(EventType.D3))
    named = key_of(Layer.WORKING, name)
    found = history(context.graph, at, named, merges) or history(context.graph, at, name, merges)
    if not found:
        known = ", ".join(context.graph.contents(at).names(Layer.WORKING)) or "none"
        raise BadOption("KEY", name, f"no step wrote it; variables that stand are: {known}")
    return found
