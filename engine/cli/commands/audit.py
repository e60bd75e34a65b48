"""`governor audit verify`, `checkpoint` and `key`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Json

app = typer.Typer(
    help="Is the log of events what was written?\n\n"
    "Each event is linked to the one before it; a checkpoint kept elsewhere shows that nothing was cut off.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def verify(
    instance: Annotated[
        str | None, typer.Argument(metavar="INSTANCE", help="Id of an instance, or its beginning.")
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="All instances.")] = False,
    checkpoint: Annotated[
        str | None, typer.Option("--checkpoint", metavar="FILE", help="Compare with a checkpoint, too.")
    ] = None,
    public_key: Annotated[
        str | None, typer.Option("--public-key", metavar="FILE", help="Whose signature the checkpoint has to have.")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Look for events that were changed, taken out, put in, put elsewhere or cut off.

    Names the first one; exit code 1 if there is one.
    """
    from engine.cli.auditing import Wanted, verify_logs

    raise typer.Exit(verify_logs(db, Wanted(instance, all, checkpoint, public_key), as_json=json))


@app.command()
def checkpoint(
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")],
    key: Annotated[
        str | None, typer.Option("--key", metavar="FILE", help="The private key to sign with (governor audit key).")
    ] = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write where the logs of all instances stand now.

    Keep the file where those who can write to the database cannot.
    """
    from engine.cli.auditing import make_checkpoint

    make_checkpoint(db, out, key, as_json=json)


@app.command()
def key(
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write the private key.")],
    json: Json = False,
) -> None:
    """Make a key to sign with: FILE, which only you can read, and FILE.pub to check with."""
    from engine.cli.auditing import make_signing_key

    make_signing_key(out, as_json=json)
