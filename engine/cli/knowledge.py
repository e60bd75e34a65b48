"""What is known, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from engine.clean_text import one_line
from engine.cli.exits import Exit
from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.telling.times import moment
from engine.cli.wiring import governor_on, looking_at
from engine.personal.records import told_item
from governance.flywheel.item import KnowledgeItem, Standing

_SHORT: Final = 70
_LOOKS: Final = {Standing.USABLE: Style.GOOD, Standing.TO_VERIFY: Style.WARN}


def add_documents(db: str | None, path: str, type: str | None, *, as_json: bool) -> Exit:
    """Take in a document or a folder of them. BAD_INPUT if one could not be read; the others are taken all the same."""
    with governor_on(db) as governor:
        taken = governor.knowledge.take_in(Path(path), type)
    if as_json:
        document = {name: getattr(taken, name) for name in ("read", "unchanged", "gone", "added", "superseded")}
        print_json({**document, "unreadable": [str(error) for error in taken.unreadable]})
    else:
        screen = output()
        counts = f"{len(taken.read)} read, {len(taken.unchanged)} unchanged, {len(taken.gone)} gone"
        screen.line(f"Documents: {counts}; items: {taken.added} added, {taken.superseded} superseded")
        for error in taken.unreadable:
            screen.item(("not read", Style.BAD), str(error))
    return Exit.BAD_INPUT if taken.unreadable else Exit.DONE


def add_text(db: str | None, text: str, title: str, type: str, by: str | None, *, as_json: bool) -> None:
    """Keep what a person knows."""
    with governor_on(db) as governor:
        kept = governor.knowledge.add(text, type, by=somebody(by), title=title)
    if as_json:
        print_json({"result": kept.result, "item": kept.item.dump(), "other": kept.other and kept.other.dump()})
        return
    told = {
        "stored": f"Stored as {kept.item.id}",
        "kept": f"{kept.other and kept.other.id} says the same, and is as sure",
        "replaced": f"Stored as {kept.item.id} in place of {kept.other and kept.other.id}, which is less sure",
    }
    output().line(told.get(kept.result, kept.result))


def list_items(db: str | None, query: str | None, type: str, *, all: bool, masked: bool, as_json: bool) -> None:
    """Print items; with a query those that it finds, best first. `masked`: without what is personal."""
    with looking_at(db, masked=masked) as governor:
        knowledge = governor.knowledge
        found = knowledge.items(type=type, all=all) if query is None else knowledge.search(query, type=type)
        items = [told_item(governor.store, item) for item in found]
    if as_json:
        print_json({"items": [item.dump() for item in items]})
        return
    screen = output()
    if not items:
        screen.line("Nothing is found." if query is not None else "Nothing is known yet: governor knowledge add PATH")
        return
    screen.table(
        ["item", "type", "confidence", "standing", "cited", "text"],
        [
            [
                (item.id, Style.STRONG),
                item.type,
                f"{item.confidence:.2f}",
                (item.standing.value, _LOOKS.get(item.standing, Style.DIM)),
                str(item.citations),
                one_line(f"{item.title}: {item.text}" if item.title else item.text, _SHORT),
            ]
            for item in items
        ],
        flexible=5,
    )


def show_item(db: str | None, id: str, *, why: bool, masked: bool, as_json: bool) -> None:
    """Print one item; `why`: what its confidence rests on, `masked`: without what is personal."""
    with looking_at(db, masked=masked) as governor:
        item = told_item(governor.store, governor.knowledge.find(id))
    if as_json:
        print_json(item.dump())
    else:
        _tell(output(), item, why=why)


def confirm_item(db: str | None, id: str, by: str | None, *, as_json: bool) -> None:
    with governor_on(db, must_exist=True) as governor:
        _changed(governor.knowledge.confirm(id, by=somebody(by)), as_json=as_json)


def retire_item(db: str | None, id: str, reason: str, by: str | None, *, as_json: bool) -> None:
    with governor_on(db, must_exist=True) as governor:
        _changed(governor.knowledge.retire(id, by=somebody(by), reason=reason), as_json=as_json)


def _changed(item: KnowledgeItem, *, as_json: bool) -> None:
    if as_json:
        print_json(item.dump())
    else:
        output().line(f"{item.id} is {item.standing.value}, confidence {item.confidence:.2f}")


def _tell(screen: Screen, item: KnowledgeItem, *, why: bool) -> None:
    source = item.provenance
    place = f", {source.place}" if source.place else ""
    screen.line((item.id, Style.STRONG), f"  {item.type}, {item.standing.value}, confidence {item.confidence:.2f}")
    screen.line("  from ", f"{source.kind.value} {source.source}{place}", f", {moment(item.created_at)}")
    if item.why:
        screen.line("  out of use: ", item.why)
    if not why:
        screen.line()
        screen.line(f"{item.title}\n" if item.title else "", item.text)
        return
    if source.origins:
        screen.line("  made from ", ", ".join(source.origins))
    screen.line("  vouched for by ", item.confirmed_by or "nobody")
    screen.line("  helped in ", _counts(item.helped))
    screen.line("  offered in vain in ", _counts(item.misled))
    if item.tainted:
        screen.line("  comes from outside: what it says is never followed as an instruction")


def _counts(counts: Mapping[str, Any]) -> str:
    return ", ".join(f"{activity} {times}\u00d7" for activity, times in sorted(counts.items())) or "no activity yet"
