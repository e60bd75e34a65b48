"""`governor knowledge add`, `list`, `show`, `why`, `confirm` and `retire`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Json, Personal, Roles, User, may_see_personal, person

app = typer.Typer(
    help="What runs may know, across instances: documents, and what runs found out.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Item = Annotated[str, typer.Argument(metavar="ID", help="Id of an item, or its beginning.")]


@app.command()
def add(
    path: Annotated[
        str | None, typer.Argument(metavar="PATH", help="A document, or a folder of them: md, txt, html, pdf.")
    ] = None,
    text: Annotated[str | None, typer.Option("--text", metavar="TEXT", help="One item, in your own words.")] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What --text is about.")] = "",
    type: Annotated[
        str | None,
        typer.Option("--type", metavar="TYPE", help="Its type; default: the subfolder's name, else document."),
    ] = None,
    db: Db = None,
    user: User = None,
    json: Json = False,
) -> None:
    """Take in documents, or a text of your own.

    A folder may be added again: only what changed is read, and what is gone leaves use.
    """
    from engine.cli.errors import BadOption
    from engine.cli.knowledge import add_documents, add_text

    if (path is None) == (text is None):
        raise BadOption("--text", text or "", "give either a PATH or --text TEXT")
    if text is not None:
        add_text(db, text, title, type or "document", person(user), as_json=json)
    elif path is not None:
        raise typer.Exit(add_documents(db, path, type, as_json=json))


@app.command(name="list")
def list_(
    query: Annotated[
        str | None, typer.Option("--query", metavar="TEXT", help="What an activity that asks for this would find.")
    ] = None,
    type: Annotated[str, typer.Option("--type", metavar="TYPE", help="Only of this type.")] = "",
    all: Annotated[bool, typer.Option("--all", help="Those out of use, too.")] = False,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List what is known."""
    from engine.cli.knowledge import list_items

    list_items(db, query, type, all=all, masked=not may_see_personal(personal, role), as_json=json)


@app.command()
def show(id: Item, personal: Personal = False, role: Roles = None, db: Db = None, json: Json = False) -> None:
    """Show an item: its text, where it comes from, how sure it is."""
    from engine.cli.knowledge import show_item

    show_item(db, id, why=False, masked=not may_see_personal(personal, role), as_json=json)


@app.command()
def why(id: Item, personal: Personal = False, role: Roles = None, db: Db = None, json: Json = False) -> None:
    """Show why an item is trusted as much as it is: its source, who vouched for it, where it helped and misled."""
    from engine.cli.knowledge import show_item

    show_item(db, id, why=True, masked=not may_see_personal(personal, role), as_json=json)


@app.command()
def confirm(id: Item, db: Db = None, user: User = None, json: Json = False) -> None:
    """Vouch for an item: it is used with a confidence of 0.95."""
    from engine.cli.knowledge import confirm_item

    confirm_item(db, id, person(user), as_json=json)


@app.command()
def retire(
    id: Item,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why it is not to be used any more.")],
    db: Db = None,
    user: User = None,
    json: Json = False,
) -> None:
    """Take an item out of use. It stays readable."""
    from engine.cli.knowledge import retire_item

    retire_item(db, id, reason, person(user), as_json=json)
