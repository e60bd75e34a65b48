"""Workers: who they are, which instances they have, how often models may be called, whose an instance is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"

_TEXT = sa.String().with_variant(sa.Text(collation="C"), "postgresql")
_LONG_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_HAS_TIME = sa.text("due IS NOT NULL")


def upgrade() -> None:
    op.add_column("gov_instance", sa.Column("tenant", _TEXT, nullable=False, server_default=""))
    op.add_column("gov_instance", sa.Column("protocol", _NUMBER, nullable=False, server_default="1"))
    op.create_index(
        "gov_instance_by_tenant", "gov_instance", ["tenant", "due", "number"],
        sqlite_where=_HAS_TIME, postgresql_where=_HAS_TIME,
    )  # fmt: skip
    op.create_table(
        "gov_worker",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("host", _TEXT, nullable=False),
        sa.Column("pid", _NUMBER, nullable=False),
        sa.Column("protocol", _NUMBER, nullable=False),
        sa.Column("slots", _NUMBER, nullable=False),
        sa.Column("started_at", _TEXT, nullable=False),
        sa.Column("beat_at", sa.Float(), nullable=False),
        sa.Column("draining", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "gov_dispatch",
        sa.Column("instance", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("ticket", _TEXT, nullable=False),
        sa.Column("version", _NUMBER, nullable=False),
        sa.Column("attempts", _NUMBER, nullable=False),
        sa.Column("put_at", sa.Float(), nullable=False),
        sa.Column("error", _LONG_TEXT),
        sa.Column("retry_at", sa.Float()),
    )
    op.create_index("gov_dispatch_by_ticket", "gov_dispatch", ["ticket"], unique=True)
    op.create_table(
        "gov_model_rate",
        sa.Column("model", _TEXT, primary_key=True),
        sa.Column("free_at", sa.Float(), nullable=False),
    )
