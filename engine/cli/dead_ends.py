"""`governor dead-ends list`, `show`, `retire` and `export`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from engine.cli.errors import BadOption
from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.screen.choose import messages, output
from engine.cli.screen.port import Style
from engine.cli.telling.times import moment
from engine.cli.variables import json_or_text
from engine.cli.wiring import governor_on, looking_at
from engine.dead_ends import DeadEnds, Standing
from engine.governor import Governor
from engine.json_text import pretty
from engine.personal.records import told_standing
from governance.cda.dead_ends.model import describe
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.ports import SystemClock, timestamp

_WORDS = {"failed": "failed", "alternative": "worked instead", "worked": "worked after all", "retired": "retired"}


class Selection(NamedTuple):
    """Which dead ends are meant; those that no longer count only if `ended`."""

    process: str | None
    instance: str | None
    ended: bool


def list_dead_ends(db: str | None, selection: Selection, limit: int, *, masked: bool, as_json: bool) -> None:
    """Print them, the most frequent first; `masked`: without what is personal."""
    with looking_at(db, masked=masked) as governor:
        found = _selected(governor, selection)
        told = [told_standing(governor.store, each) for each in found[:limit]]
    if as_json:
        print_json({"dead_ends": [each.to_json() for each in told]})
        return
    screen = output()
    if not found:
        screen.line("There are no dead ends.")
        return
    screen.table(
        ["id", "failures", "last", "status", "what", "because"],
        [
            [
                (each.dead_end.id, Style.NAME),
                str(each.dead_end.frequency),
                moment(each.dead_end.last_at),
                (each.status, Style.WARN if each.status == "active" else Style.DIM),
                describe(each.dead_end.signature.action),
                each.dead_end.reason,
            ]
            for each in told
        ],
    )
    if len(found) > limit:
        screen.line((f"There are {len(found) - limit} more: --limit", Style.DIM))


def show_dead_end(db: str | None, prefix: str, *, masked: bool, as_json: bool) -> None:
    """Print one; `masked`: without what is personal. Raises UnknownDeadEnd, AmbiguousDeadEnd."""
    with looking_at(db, masked=masked) as governor:
        standing = told_standing(governor.store, _dead_ends(governor).find(prefix))
    found, facts, document = standing.dead_end, standing.facts, standing.to_json()
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
    by = somebody(by)
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
        now = timestamp(SystemClock().now())
        print_json(Standing(found, DeadEndRegistry().status(found, now)).to_json())
    else:
        output().line(f"{describe(found.signature.action)} is not proposed so again in {instance}: dead end {found.id}")


def retire_dead_end(db: str | None, prefix: str, by: str | None, reason: str, *, as_json: bool) -> None:
    """End one. Raises UnknownDeadEnd, AmbiguousDeadEnd, NotRetired, BadOption without a name."""
    by = somebody(by)
    with governor_on(db, must_exist=True) as governor:
        standing = _dead_ends(governor).retire(prefix, by=by, reason=reason)
    if as_json:
        print_json(standing.to_json())
    else:
        found = standing.dead_end
        output().line(f"{describe(found.signature.action)} may be done again: dead end {found.id} is retired.")


def export_dead_ends(db: str | None, selection: Selection, file: str, *, masked: bool) -> None:
    """Write them as one JSON object, as `list --json` prints it."""
    with looking_at(db, masked=masked) as governor:
        found = [told_standing(governor.store, each) for each in _selected(governor, selection)]
    document = {"dead_ends": [each.to_json() for each in found]}
    if file == "-":
        print_json(document)
        return
    Path(file).write_text(f"{pretty(document)}\n", encoding="utf-8")
    messages().line(f"{len(found)} written to {file}")


def _selected(governor: Governor, selection: Selection) -> list[Standing]:
    instance = None if selection.instance is None else governor.store.find_instance(selection.instance)
    return _dead_ends(governor).list(process=selection.process, instance=instance, ended=selection.ended)


def _dead_ends(governor: Governor) -> DeadEnds:
    return DeadEnds(governor.store, SystemClock())
