"""What each advance was made by, so that it can be made again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    text = sa.String().with_variant(sa.Text(collation="C"), "postgresql")
    number = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
    op.create_table(
        "gov_cause",
        sa.Column("instance", number, sa.ForeignKey("gov_instance.number"), primary_key=True, autoincrement=False),
        sa.Column("version", number, primary_key=True, autoincrement=False),
        sa.Column("at", text, nullable=False),
        sa.Column("kind", text, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sqlite_with_rowid=False,
    )
