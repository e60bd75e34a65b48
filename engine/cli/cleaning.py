"""`governor gc`: what was removed, or would be."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final, NamedTuple

from engine.cli.errors import BadOption
from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.wiring import governor_on
from engine.errors import EngineError
from engine.store.advance import ENDED
from engine.store.cleaned import Cleaned, Wanted
from governance.ports import SystemClock, timestamp

_AGE: Final = re.compile(r"(\d{1,6})([hdw])")
_UNITS: Final = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class Irrevocable(EngineError):
    """Instances would be removed for good, and nobody has agreed to that.

    `count` that ended `older_than` ago (None: no age is given), or are kept no longer by their processes' retention.
    """

    def __init__(self, count: int, older_than: str | None) -> None:
        self.count, self.older_than = count, older_than
        age = "" if older_than is None else f"{older_than} ago or earlier, or "
        what = f"{_count(count, 'instance')}, ended {age}as long ago as the retention of the process says,"
        super().__init__(f"{what} would be removed for good: see which with --dry-run, then --yes, with --reason")


class Wish(NamedTuple):
    """What somebody wants removed."""

    older_than: str | None
    states: tuple[str, ...]
    yes: bool
    reason: str
    dry_run: bool
    user: str | None


def clean(db: str | None, wish: Wish, *, as_json: bool) -> None:
    """Clean up a database, and say what of. Raises BadOption, NotEnded, Irrevocable."""
    if wish.states and wish.older_than is None:
        raise BadOption("--state", ", ".join(wish.states), "says which instances, and --older-than is not given")
    by = "" if wish.dry_run else somebody(wish.user)
    now = SystemClock().now()
    before = None if wish.older_than is None else now - _age(wish.older_than)
    states = frozenset(wish.states) if wish.states else ENDED
    with governor_on(db, must_exist=True) as governor:
        if not wish.dry_run and not (wish.yes and wish.reason):
            doomed = len(governor.store.clean(before, states, only_look=True, now=now).instances)
            if doomed:
                raise Irrevocable(doomed, wish.older_than)
        wanted = Wanted(by, timestamp(now), wish.reason)
        cleaned = governor.store.clean(before, states, only_look=wish.dry_run, wanted=wanted, now=now)
    _tell(cleaned, wish.dry_run, as_json=as_json)


def _tell(cleaned: Cleaned, dry_run: bool, *, as_json: bool) -> None:
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
