"""Posts that nobody has tried to deliver, since the program that was to died, are found again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    # Those that lie there already have been tried, or their senders are resumed by hand.
    op.add_column("gov_post", sa.Column("tried", NUMBER, nullable=False, server_default="1"))
    untried = sa.text("tried = 0")
    op.create_index("gov_post_untried", "gov_post", ["sender"], sqlite_where=untried, postgresql_where=untried)
