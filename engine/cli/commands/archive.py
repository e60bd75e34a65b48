"""`governor export` and `governor import`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.options import Db, Instance, Json


def export(
    instance: Instance,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write it.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Write an instance, whole, to one file that `governor import` takes in elsewhere.

    It stays where it is: cancel it there, or it goes on in both places.
    """
    from engine.cli.archiving import export_to

    export_to(db, instance, out, as_json=json)


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What `governor export` wrote.")],
    db: Db = None,
    json: Json = False,
) -> None:
    """Take in an instance from a file, if all of it is what its hashes say.

    Handlers, models and folders that it was started with are left out: give those of this machine to `governor resume`.
    """
    from engine.cli.archiving import import_from

    import_from(db, file, as_json=json)
