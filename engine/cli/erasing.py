"""`governor erase`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from engine.cli.options import somebody
from engine.cli.output import print_json
from engine.cli.screen.choose import output
from engine.cli.screen.port import Style
from engine.cli.wiring import governor_on
from engine.report.words import several


def erase_data(
    db: str | None,
    prefix: str,
    keys: Sequence[str] | None,
    user: str | None,
    reason: str,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Erase, and tell what. Raises BadOption, NotEnded, NothingPersonal, StoreError."""
    user = somebody(user)
    with governor_on(db, must_exist=True) as governor:
        instance = governor.store.find_instance(prefix)
        found = governor.erase(instance, keys or None, by=user, reason=reason, dry_run=dry_run)
    if as_json:
        print_json({**asdict(found), "erased": not dry_run})
        return
    screen = output()
    what = f"{several(found.values, 'value')}, the data of {several(found.events, 'event')}"
    what += f", texts of {several(found.decisions, 'decision')}"
    screen.line((instance, Style.STRONG), f": {what} {'would be' if dry_run else 'were'} erased")
    if found.shared:
        told = f"{several(len(found.shared), 'value')} stay until they are erased in the other instances that hold them"
        screen.line((told, Style.WARN))
