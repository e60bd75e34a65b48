"""`governor incidents`: what has failed and waits for somebody."""

from __future__ import annotations

from dataclasses import asdict

from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.stored import names_of
from engine.cli.telling.times import moment
from engine.cli.wiring import looking_at


def list_incidents(db: str | None, prefix: str | None, limit: int, *, masked: bool, as_json: bool) -> None:
    """Print them, those of the oldest instance first; `masked`: without what is personal."""
    with looking_at(db, masked=masked) as governor:
        instance = None if prefix is None else governor.store.find_instance(prefix)
        found = governor.incidents(instance, limit=limit)
        names = {id: names_of(governor, id) for id in {each.instance for each in found}}
    if as_json:
        print_json({"incidents": [asdict(each) for each in found]})
        return
    screen = output()
    if not found:
        screen.line("Nothing has failed.")
        return
    screen.table(
        ["instance", "failed", "branch", "since", "error"],
        [
            [
                (each.instance, Style.STRONG),
                (names[each.instance].element(each.element), Style.BAD),
                names[each.instance].branch(each.branch),
                moment(each.since),
                each.error,
            ]
            for each in found
        ],
        flexible=4,
    )
    screen.line(("Again: governor retry INSTANCE. Without it: governor skip INSTANCE ELEMENT.", Style.DIM))
    if len(found) == limit:
        screen.line((f"There may be more than these {limit}: --limit", Style.DIM))
