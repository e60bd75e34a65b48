"""Brings a database to this program's schema. Alembic is imported here alone, when there is something to do."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

FIRST: Final = 8
"""The first schema that has a revision; those before only lacked tables."""


def migrate(connection: Connection, found: int) -> None:
    """Run the revisions after schema `found`, in the caller's transaction."""
    config = _config(connection)
    if found >= FIRST:
        command.stamp(config, revision_of(found))
    command.upgrade(config, "head")


def revisions() -> list[str]:
    """All of them, oldest first."""
    found = ScriptDirectory.from_config(_config(None)).walk_revisions()
    return [each.revision for each in found][::-1]


def revision_of(schema: int) -> str:
    return f"{schema:04}"


def _config(connection: Connection | None) -> Config:
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config
