"""`governor report`."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.errors import BadOption
from engine.cli.options import Db, Instance, Json, Personal, Roles, may_see_personal


def report(
    instance: Instance,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to write the page.")] = "report.html",
    lang: Annotated[str, typer.Option("--lang", metavar="LANGUAGE", help="en or zh.")] = "en",
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Write a page that shows what an instance did.

    One HTML file for a browser; it fetches nothing.
    """
    from engine.cli.output import print_json
    from engine.cli.wiring import looking_at
    from engine.report.page import write_report
    from engine.words.catalogue import LANGUAGES

    if lang not in LANGUAGES:
        raise BadOption("--lang", lang, f"allowed: {', '.join(LANGUAGES)}")

    with looking_at(db) as governor:
        found = governor.store.find_instance(instance)
        size = write_report(governor.store, found, out, personal=may_see_personal(personal, role), language=lang)
    if json:
        print_json({"instance": found, "file": out, "bytes": size})
    else:
        typer.echo(f"{out}: {size:,} bytes")
