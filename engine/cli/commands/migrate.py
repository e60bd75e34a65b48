"""`governor migrate`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, Json, Process, Quiet, TrustScripts, User, person


def migrate(
    instance: Instance,
    to: Annotated[
        str, typer.Option("--to", metavar="FILE|HASH", help="A .bpmn file, or the hash of a deployed definition.")
    ],
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="OLD=NEW", help="What an element is called there. Repeatable."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what maps and what does not.")] = False,
    process: Process = None,
    trust_scripts: TrustScripts = False,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it goes on record.")] = "",
    db: Db = None,
    user: User = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let an instance go on with another definition. Its tokens stay where they are.

    What does not map is told, and then nothing changes; with --dry-run nothing does anyway, and the exit code is 1 if
    something does not map.
    """
    from engine.cli.migrating import Wanted, migrate_instance
    from engine.cli.running import RunOptions

    options = RunOptions(db=db, user=person(user), json=json, quiet=quiet)
    wanted = Wanted(to=to, mapping=tuple(map_ or ()), process=process, trust_scripts=trust_scripts, reason=reason)
    raise typer.Exit(migrate_instance(options, instance, wanted, dry_run=dry_run))
