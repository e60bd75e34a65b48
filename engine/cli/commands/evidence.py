"""`governor evidence` and `governor evidence verify`."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from engine.cli.options import Db, Instance, Json, Personal, Roles, may_see_personal

_WRITE = "write"


class _Write(TyperGroup):
    """`governor evidence INSTANCE` writes."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        known = not args or args[0] in self.commands or args[0].startswith("-")
        return super().resolve_command(ctx, args if known else [_WRITE, *args])


app = typer.Typer(
    cls=_Write,
    help="What an instance did, as one file for others to check.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def write(
    instance: Instance,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write the archive.")],
    key: Annotated[
        str | None, typer.Option("--key", metavar="FILE", help="The private key to sign with (governor audit key).")
    ] = None,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write all that shows what an instance did into one archive.

    Definition, policies, source file, events with their chain, snapshots, every decision with what was shown, versions
    of models and templates: a zip of JSON files with a manifest of hashes. `governor evidence INSTANCE` is the same.
    """
    from engine.cli.evidence import write_evidence

    write_evidence(db, instance, out, key, masked=not may_see_personal(personal, role), as_json=json)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="An archive of governor evidence write.")],
    public_key: Annotated[
        str | None, typer.Option("--public-key", metavar="FILE", help="Whose signature it has to have.")
    ] = None,
    json: Json = False,
) -> None:
    """Check an archive, without a database; says what it proves and what not.

    Exit code 1 if something in it is not what it should be.
    """
    from engine.cli.evidence import verify_evidence

    raise typer.Exit(verify_evidence(file, public_key, as_json=json))
