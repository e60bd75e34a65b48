"""By what people raised the budget of all instances together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    number = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
    op.create_table(
        "gov_raise",
        sa.Column("number", number, primary_key=True),
        sa.Column("body", text, nullable=False),
    )
