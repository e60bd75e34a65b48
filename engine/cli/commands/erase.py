"""`governor erase`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, Json, User, person


def erase(
    instance: Instance,
    reason: Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; goes on record.")],
    key: Annotated[
        list[str] | None,
        typer.Option(
            "--key", metavar="NAME", help="A variable, or a glob. Repeatable. Default: the policies' personalKeys."
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be erased, and erase nothing.")] = False,
    db: Db = None,
    user: User = None,
    json: Json = False,
) -> None:
    """Erase what an ended instance knows of a person.

    The values of variables, and whatever tells them; the chain of its log stays whole. It cannot be undone.
    """
    from engine.cli.erasing import erase_data

    erase_data(db, instance, key, person(user), reason, dry_run=dry_run, as_json=json)
