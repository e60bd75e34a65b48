"""`governor instances` and `governor show`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from engine.cli.options import Db, Instance, Json, Personal, Roles, may_see_personal

Status = Literal["running", "waiting", "completed", "failed", "stalled", "suspended", "cancelled"]

def instances(
    status: Annotated[Status | None, typer.Option("--status", help="Only those with this status.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")] = 50,
    db: Db = None,
    json: Json = False,
) -> None:
    """List instances, the newest first."""
    from engine.cli.listing import list_instances

    list_instances(db, status, limit, as_json=json)


def incidents(
    instance: Annotated[
        str | None, typer.Argument(metavar="INSTANCE", help="Id of an instance, or its beginning; default: all.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 50,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """List what has failed and waits for somebody, of all instances or of one."""
    from engine.cli.incidents import list_incidents

    list_incidents(db, instance, limit, masked=not may_see_personal(personal, role), as_json=json)


def show(
    instance: Instance,
    events: Annotated[bool, typer.Option("--events", help="Every event of it, too.")] = False,
    personal: Personal = False,
    role: Roles = None,
    db: Db = None,
    json: Json = False,
) -> None:
    """Show what an instance came to so far."""
    from engine.cli.listing import show_instance

    show_instance(db, instance, events=events, masked=not may_see_personal(personal, role), as_json=json)
