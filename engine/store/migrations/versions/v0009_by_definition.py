"""Instances are found by their definition: one that nothing was started from can be cleaned up."""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_index("gov_instance_by_definition", "gov_instance", ["definition"])
