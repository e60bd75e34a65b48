"""`governor gc`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Json, User, person


def gc(
    older_than: Annotated[
        str | None,
        typer.Option("--older-than", metavar="AGE", help="Instances, too, that ended so long ago: 30d, 12h, 2w."),
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option("--state", help="Of those only the completed or the cancelled ones. Repeatable. Default: both."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be removed, and leave it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to the end of these instances, for good.")] = False,
    reason: Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; goes on record.")] = "",
    db: Db = None,
    user: User = None,
    json: Json = False,
) -> None:
    """Remove contents and definitions that no instance refers to, and instances that are kept no longer.

    Of a process with a `retention`, an instance goes when that is over, and not earlier, whatever --older-than says.
    An instance that may still move is never removed, nor what one that stays refers to. What is removed goes on record,
    and instances are removed only with --yes and --reason: --dry-run says which.
    """
    from engine.cli.cleaning import Wish, clean

    clean(db, Wish(older_than, tuple(state or ()), yes, reason, dry_run, person(user)), as_json=json)
