"""A version that somebody had to look at or approve says why it is right, and by what hash what they saw is known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    text = sa.String().with_variant(sa.Text(collation="C"), "postgresql")
    for name in ("reason", "seen"):
        op.add_column("gov_deployment", sa.Column(name, text, nullable=True))
