"""`governor context log`, `show`, `diff` and `restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, Json, Quiet, User, person

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
    snapshot: Annotated[str, typer.Argument(metavar="SNAPSHOT", help="A snapshot.")] = "head",
    full: Annotated[bool, typer.Option("--full", help="Do not cut long values.")] = False,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show a snapshot, layer by layer."""
    from engine.cli.contexts import show_snapshot

    show_snapshot(db, instance, snapshot, full=full, as_json=json)


@app.command()
def diff(
    instance: Instance,
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="A snapshot.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="A snapshot.")] = "head",
    db: Db = None,
    json: Json = False,
) -> None:
    """Show what changed between two snapshots, word by word."""
    from engine.cli.contexts import show_diff

    show_diff(db, instance, before, after, as_json=json)


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
