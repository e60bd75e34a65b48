"""`governor dead-ends list`, `show`, `retire` and `export`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Json, Personal, Roles, User, may_see_personal, person

app = typer.Typer(help="What failed and is not done again the same way.", no_args_is_help=True, rich_markup_mode=None)

DeadEnd = Annotated[str, typer.Argument(metavar="ID", help="Id of a dead end, or its beginning.")]
Process = Annotated[str | None, typer.Option("--process", metavar="ID", help="Only those of this process.")]
Instance = Annotated[str | None, typer.Option("--instance", metavar="ID", help="Only those of this instance.")]
Ended = Annotated[bool, typer.Option("--ended", help="Those that no longer count, too.")]


@app.command(name="list")
def list_(
    process: Process = None,
    instance: Instance = None,
    ended: Ended = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the most frequent first.")] = 50,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List dead ends, those that failed most often first."""
    from engine.cli.dead_ends import Selection, list_dead_ends

    masked = not may_see_personal(personal, role)
    list_dead_ends(db, Selection(process, instance, ended), limit, masked=masked, as_json=json)


@app.command()
def show(id: DeadEnd, personal: Personal = False, role: Roles = None, db: Db = None, json: Json = False) -> None:
    """Show a dead end, with all that happened to it."""
    from engine.cli.dead_ends import show_dead_end

    show_dead_end(db, id, masked=not may_see_personal(personal, role), as_json=json)


@app.command()
def add(
    instance: Annotated[str, typer.Argument(metavar="INSTANCE", help="Id of an instance, or its beginning.")],
    variable: Annotated[str, typer.Argument(metavar="VARIABLE", help="The variable whose value led nowhere.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; agents are told.")],
    value: Annotated[
        str | None, typer.Option("--value", metavar="JSON", help="The value; default: the one it has now.")
    ] = None,
    user: User = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say that a value of a variable led nowhere in an instance: its agents do not propose it again."""
    from engine.cli.dead_ends import add_dead_end

    add_dead_end(db, instance, variable, value, reason, person(user), as_json=json)


@app.command()
def retire(
    id: DeadEnd,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why it is none any more.")] = "",
    user: User = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Say that a dead end is none any more."""
    from engine.cli.dead_ends import retire_dead_end

    retire_dead_end(db, id, person(user), reason, as_json=json)


@app.command()
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where to write them, as JSON; - for standard output.")],
    process: Process = None,
    instance: Instance = None,
    ended: Ended = False,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
) -> None:
    """Write dead ends to a file."""
    from engine.cli.dead_ends import Selection, export_dead_ends

    masked = not may_see_personal(personal, role)
    export_dead_ends(db, Selection(process, instance, ended), file, masked=masked)
