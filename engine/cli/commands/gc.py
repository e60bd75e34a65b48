"""`governor gc`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Json


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
    db: Db = None,
    json: Json = False,
) -> None:
    """Remove contents and definitions that no instance refers to.

    An instance that may still move is never removed, nor what one that stays refers to.
    """
    from engine.cli.cleaning import clean

    clean(db, older_than, state, dry_run=dry_run, as_json=json)
