"""`governor gc`: what was removed, or would be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from engine.cli.errors import BadOption
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.wiring import governor_on
from engine.store.advance import ENDED
from governance.ports import SystemClock

_AGE: Final = re.compile(r"(\d{1,6})([hdw])")
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def clean(
    db: str | None, older_than: str | None, states: Sequence[str] | None, *, dry_run: bool, as_json: bool
) -> None:
    """Clean up a database, and say what of. Raises BadOption, NotEnded."""
    if states and older_than is None:
        raise BadOption("--state", ", ".join(states), "says which instances, and --older-than is not given")
    before = None if older_than is None else SystemClock().now() - _age(older_than)
    with governor_on(db, must_exist=True) as governor:
        cleaned = governor.store.clean(before, frozenset(states) if states else ENDED, only_look=dry_run)
    if as_json:
        told = {"instances": list(cleaned.instances), "values": cleaned.values, "bytes": cleaned.bytes}
        print_json({"dry_run": dry_run, **told, "definitions": cleaned.definitions})
        return
    done = "Would remove" if dry_run else "Removed"
    counted = [_count(len(cleaned.instances), "instance"), _count(cleaned.definitions, "definition")]
    output().line(f"{done} {', '.join(counted)}, {_count(cleaned.values, 'value')} of {cleaned.bytes:,} bytes")
    for instance in cleaned.instances:
        output().line(f"  {instance}")


def _age(text: str) -> timedelta:
    found = _AGE.fullmatch(text)
    if found is None:
        raise BadOption("--older-than", text, "is no age; allowed are a number and h, d or w, as in 30d")
    return int(found[1]) * _UNITS[found[2]]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
