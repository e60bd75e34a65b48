"""`governor replay` and `governor rewind`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, Json, Roles, User, person


def replay(instance: Instance, db: Db = None, json: Json = False) -> None:
    """Make every advance of an instance again, from its log, and compare the snapshots.

    Nothing is done outside. Exit code 1 if something came out otherwise: the first difference is named.
    """
    from engine.cli.rewinding import replay_instance

    raise typer.Exit(replay_instance(db, instance, as_json=json))


def rewind(
    instance: Instance,
    to: Annotated[str, typer.Option("--to", metavar="SNAPSHOT", help="Where it shall go on (governor context log).")],
    yes: Annotated[bool, typer.Option("--yes", help="Agree to what was done outside since, and stays done.")] = False,
    reason: Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; goes on record.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what it means, and do nothing.")] = False,
    db: Db = None,
    user: User = None,
    role: Roles = None,
    json: Json = False,
) -> None:
    """Put an instance back to where it stood at a snapshot: its tokens, and what they know.

    It goes on from there with `governor resume`, on a new line of its history; the old one stays in the log. What was
    done outside is listed, not undone.
    """
    from engine.cli.rewinding import Wish, rewind_instance

    wish = Wish(to, yes, reason, dry_run, person(user), tuple(role or ()))
    raise typer.Exit(rewind_instance(db, instance, wish, as_json=json))
