"""The tables as they were when revisions began: those that an older SQLite file lacks are made."""

from __future__ import annotations

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = None


def upgrade() -> None:
    assert op.get_bind().dialect.name == "sqlite", "there was no PostgreSQL before"
    for statement in (Path(__file__).parent / "schema_8.sql").read_text().split(";\n"):
        if statement.strip():
            op.execute(statement)
