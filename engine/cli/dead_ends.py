"""`governor dead-ends list`, `show`, `retire` and `export`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import messages, output
from engine.cli.screen.port import Style
from engine.cli.telling.times import moment
from engine.cli.variables import json_or_text
from engine.cli.wiring import governor_on
from engine.governor import Governor
from engine.json_text import pretty
from governance.cda.dead_ends.errors import UnknownDeadEnd
from governance.cda.dead_ends.model import DeadEnd, DeadEndFact, describe
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.ports import SystemClock, timestamp

_WORDS = {"failed": "failed", "alternative": "worked instead", "worked": "worked after all", "retired": "retired"}


class Selection(NamedTuple):
    """Which dead ends are meant; those that no longer count only if `ended`."""

    process: str | None
    instance: str | None
    ended: bool


def list_dead_ends(db: str | None, selection: Selection, limit: int, *, as_json: bool) -> None:
    """Print them, the most frequent first."""
    now = timestamp(SystemClock().now())
    with governor_on(db, must_exist=True) as governor:
        registry, found = _selected(governor, selection, now)
    if as_json:
        print_json({"dead_ends": [_document(registry, each, now) for each in found[:limit]]})
        return
    screen = output()
    if not found:
        screen.line("There are no dead ends.")
        return
    screen.table(
        ["id", "failures", "last", "status", "what", "because"],
        [
            [
                (each.id, Style.NAME),
                str(each.frequency),
                moment(each.last_at),
                (registry.status(each, now), Style.WARN if registry.status(each, now) == "active" else Style.DIM),
                describe(each.signature.action),
                each.reason,
            ]
            for each in found[:limit]
        ],
    )
    if len(found) > limit:
        screen.line((f"There are {len(found) - limit} more: --limit", Style.DIM))


def show_dead_end(db: str | None, prefix: str, *, as_json: bool) -> None:
    """Print one, whole. Raises UnknownDeadEnd, BadOption where several begin so."""
    now = timestamp(SystemClock().now())
    with governor_on(db, must_exist=True) as governor:
        registry, found, facts = _found(governor, prefix)
    document = _document(registry, found, now)
    if as_json:
        print_json({**document, "facts": [each.model_dump(mode="json", exclude_defaults=True) for each in facts]})
        return
    screen = output()
    screen.line((describe(found.signature.action), Style.STRONG), f"  {document['status']}")
    told = {
        "with": found.text,
        "because": found.reason,
        "instead": found.alternative,
        "process": found.scope,
        "instance": found.session,
        "found by": found.source,
        "ended": found.ended_why,
    }
    for name, text in told.items():
        if text:
            screen.fact(name, text, width=10)
    screen.line()
    for fact in facts:
        by = f" by {fact.by}" if fact.by else f" in {fact.session}" if fact.session else ""
        screen.line(f"  {moment(fact.at)}  {_WORDS[fact.kind]}{by}", (f"  {fact.reason}", Style.DIM))


def add_dead_end(
    db: str | None, prefix: str, variable: str, value: str | None, reason: str, by: str | None, *, as_json: bool
) -> None:
    """Register one as an operator. Raises BadOption for a variable that there is not, or without a name."""
    if by is None:
        raise BadOption("--user", "", "say who does this: --user NAME")
    now = timestamp(SystemClock().now())
    with governor_on(db, must_exist=True) as governor:
        instance = governor.store.find_instance(prefix)
        if value is None:
            variables = governor.result(instance).variables
            if variable not in variables:
                raise BadOption("VARIABLE", variable, f"there is none; there are {', '.join(variables) or 'none'}")
            given = variables[variable]
        else:
            given = json_or_text(value)
        found = governor.register_dead_end(instance, variable, given, reason, by=by)
    if as_json:
        print_json(_document(DeadEndRegistry(), found, now))
    else:
        output().line(f"{describe(found.signature.action)} is not proposed so again in {instance}: dead end {found.id}")


def retire_dead_end(db: str | None, prefix: str, by: str | None, reason: str, *, as_json: bool) -> None:
    """End one. Raises UnknownDeadEnd, NotRetired, BadOption without a name."""
    if by is None:
        raise BadOption("--user", "", "say who does this: --user NAME")
    now = timestamp(SystemClock().now())
    with governor_on(db, must_exist=True) as governor:
        registry, found, _ = _found(governor, prefix)
        found = registry.retire(found.id, by=by, at=now, reason=reason)
        governor.store.dead_ends().add(registry.drain())
    if as_json:
        print_json(_document(registry, found, now))
    else:
        output().line(f"{describe(found.signature.action)} may be done again: dead end {found.id} is retired.")


def export_dead_ends(db: str | None, selection: Selection, file: str) -> None:
    """Write them as one JSON object, as `list --json` prints it."""
    now = timestamp(SystemClock().now())
    with governor_on(db, must_exist=True) as governor:
        registry, found = _selected(governor, selection, now)
    document = {"dead_ends": [_document(registry, each, now) for each in found]}
    if file == "-":
        print_json(document)
        return
    Path(file).write_text(f"{pretty(document)}\n", encoding="utf-8")
    messages().line(f"{len(found)} written to {file}")


def _selected(governor: Governor, selection: Selection, now: str) -> tuple[DeadEndRegistry, Sequence[DeadEnd]]:
    registry = DeadEndRegistry()
    registry.load(governor.store.dead_ends().all(scope=selection.process))
    instance = None if selection.instance is None else governor.store.find_instance(selection.instance)
    return registry, registry.list(session=instance, at=now, status=None if selection.ended else "active")


def _found(governor: Governor, prefix: str) -> tuple[DeadEndRegistry, DeadEnd, Sequence[DeadEndFact]]:
    facts = governor.store.dead_ends().all(id=prefix)
    registry = DeadEndRegistry()
    registry.load(facts)
    found = registry.list()
    if len(found) > 1:
        raise BadOption("ID", prefix, f"several begin so: {', '.join(each.id for each in found[:5])}")
    if not found or not prefix:
        raise UnknownDeadEnd(prefix)
    return registry, found[0], facts


def _document(registry: DeadEndRegistry, dead_end: DeadEnd, now: str) -> dict[str, Any]:
    return {**dead_end.model_dump(mode="json"), "status": registry.status(dead_end, now)}
