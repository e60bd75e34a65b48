"""Versions of processes: which definition each was, when, and who deployed it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    text = sa.String().with_variant(sa.Text(collation="C"), "postgresql")
    number = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
    op.create_table(
        "gov_deployment",
        sa.Column("process", text, primary_key=True),
        sa.Column("version", number, primary_key=True, autoincrement=False),
        sa.Column("definition", text, sa.ForeignKey("gov_definition.hash"), nullable=False),
        sa.Column("name", text, nullable=False),
        sa.Column("file", text, nullable=False),
        sa.Column("at", text, nullable=False),
        sa.Column("by", text, nullable=False),
    )
    op.create_index("gov_deployment_by_definition", "gov_deployment", ["definition"])
