"""`governor context log`, `show`, `diff`, `blame` and `restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, Json, Personal, Quiet, Roles, User, may_see_personal, person

app = typer.Typer(
    help="Look at what agents knew, and go back to it.\n\n"
    "A snapshot is named by the beginning of its id, by its branch, or as head.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def log(
    instance: Instance,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many, the newest first.")] = 50,
    db: Db = None,
    json: Json = False,
) -> None:
    """List the snapshots of an instance.

    When and why each was made, on which branch, and which keys it changed.
    """
    from engine.cli.contexts import show_log

    show_log(db, instance, limit, as_json=json)


@app.command()
def show(
    instance: Instance,
    snapshot: Annotated[str | None, typer.Argument(metavar="SNAPSHOT", help="A snapshot; default: head.")] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="ACTIVITY|BRANCH", help="After this activity ran last, or the last of a branch."),
    ] = None,
    before: Annotated[
        bool, typer.Option("--before", help="What the activity was given, or the branch began with.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Do not cut long values.")] = False,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show a snapshot, layer by layer.

    What an activity was given and left, or what a branch knew: --at.
    """
    from engine.cli.contexts import show_point, show_snapshot
    from engine.cli.errors import BadOption

    masked = not may_see_personal(personal, role)
    if at is None:
        if before:
            raise BadOption("--before", "without --at", "say before what: --at ACTIVITY")
        show_snapshot(db, instance, snapshot or "head", full=full, masked=masked, as_json=json)
        return
    if snapshot is not None:
        raise BadOption("--at", at, f"give either this or the snapshot {snapshot}")
    show_point(db, instance, at, before=before, full=full, masked=masked, as_json=json)


@app.command()
def diff(
    instance: Instance,
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="A snapshot.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="A snapshot.")] = "head",
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show what changed between two snapshots, word by word."""
    from engine.cli.contexts import show_diff

    show_diff(db, instance, before, after, masked=not may_see_personal(personal, role), as_json=json)


@app.command()
def blame(
    instance: Instance,
    key: Annotated[
        str | None, typer.Argument(metavar="KEY", help="A variable, or LAYER/NAME; default: the last write of each.")
    ] = None,
    snapshot: Annotated[str, typer.Option("--snapshot", metavar="SNAPSHOT", help="As of this snapshot.")] = "head",
    db: Db = None,
    json: Json = False,
) -> None:
    """Show who wrote each variable last, or every write of one.

    What a merge took over was written on a branch; what it settled names the join, whose value won, and over which.
    """
    from engine.cli.blaming import show_blame

    show_blame(db, instance, key, snapshot, as_json=json)


@app.command()
def restore(
    instance: Instance,
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="The snapshot to go back to.")],
    branch: Annotated[
        str | None, typer.Option("--branch", metavar="BRANCH", help="Whose context, if there are several branches.")
    ] = None,
    db: Db = None,
    user: User = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put a context back to a snapshot, and run on.

    What stood there stands again, as a new snapshot on top; nothing is lost.
    """
    from engine.cli.running import Runner, RunOptions, by_prefix, restoring

    runner = Runner(RunOptions(db=db, user=person(user), json=json, quiet=quiet))
    raise typer.Exit(runner.go_on(by_prefix(instance), restoring(snapshot, branch, person(user))))


@app.command()
def system(
    instance: Instance,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The entry of SYSTEM.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What it shall say.")],
    db: Db = None,
    user: User = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Ask to change SYSTEM, what every agent of an instance is told first.

    Somebody has to approve it (`governor inbox`); then it stands in all contexts of the instance at once.
    """
    from engine.cli.running import Runner, RunOptions, by_prefix

    by = person(user) or "the host"
    runner = Runner(RunOptions(db=db, user=person(user), json=json, quiet=quiet))
    raise typer.Exit(
        runner.go_on(by_prefix(instance), lambda governor, id, _: governor.write_system(id, name, text, by=by))
    )
