"""`governor chat`."""

from __future__ import annotations

import typer

from engine.cli.options import Db, Instance, Roles, User, person


def chat(instance: Instance, db: Db = None, user: User = None, role: Roles = None) -> None:
    """Talk with an instance: hear what it does, answer what it asks, say what its agents should know.

    Reads lines from the terminal or standard input; /help tells more.
    """
    from engine.cli.chatting import chat as talk

    raise typer.Exit(talk(db, instance, person(user), tuple(role or ())))
