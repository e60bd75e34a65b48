"""`governor inbox list`, `show` and `answer`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from engine.cli.options import Db, Json, Quiet, Roles, person

app = typer.Typer(help="What waits for people.", no_args_is_help=True, rich_markup_mode=None)

Item = Annotated[str, typer.Argument(metavar="ID", help="Id of a task or a question, or its beginning.")]


Decision = Literal["approve", "deny", "edit", "resolve"]

@app.command(name="list")
def list_(db: Db = None, json: Json = False) -> None:
    """List what waits for people, the oldest first."""
    from engine.cli.inbox import list_inbox

    list_inbox(db, as_json=json)


@app.command()
def show(id: Item, db: Db = None, json: Json = False) -> None:
    """Show a task or a question."""
    from engine.cli.inbox import show_item

    show_item(db, id, as_json=json)


@app.command()
def delegate(
    id: Item,
    to: Annotated[str, typer.Option("--to", metavar="NAME", help="Who alone may answer from now on.")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")] = "",
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who delegates. Default: USER.")] = None,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Hand a question to one person, who alone may answer it then.

    Whoever was asked at first may take it back, by naming themselves.
    """
    from engine.cli.inbox import delegate_item
    from engine.cli.running import RunOptions

    options = RunOptions(db=db, user=person(by), roles=tuple(role or ()), json=json, quiet=quiet)
    raise typer.Exit(delegate_item(options, id, to, reason))


@app.command()
def answer(
    id: Item,
    decision: Annotated[
        Decision | None, typer.Option("--decision", help="On a question.", show_default=False)
    ] = None,
    values: Annotated[
        str | None, typer.Option("--values", metavar="JSON", help="What edit and resolve put in place, by key.")
    ] = None,
    outputs: Annotated[str | None, typer.Option("--outputs", metavar="JSON", help="Of a task that is done.")] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; deny needs it.")] = "",
    shown: Annotated[
        str | None, typer.Option("--shown", metavar="HASH", help="Only to what shows this, as `inbox show` told.")
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who answers. Default: USER.")] = None,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Answer a question or do a task, and run on.

    Without options it asks, if you are at a terminal.
    """
    from engine.cli.asking.given import GivenOptions
    from engine.cli.inbox import answer_item
    from engine.cli.running import RunOptions

    given = GivenOptions(
        decision=decision, values=values, outputs=outputs, reason=reason, shown=shown
    )
    options = RunOptions(db=db, user=person(by), roles=tuple(role or ()), json=json, quiet=quiet)
    raise typer.Exit(answer_item(options, id, given))
