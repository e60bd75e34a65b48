"""Live rows of what has failed are marked, so that listing incidents looks at nothing else."""

from __future__ import annotations

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"

NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.add_column("gov_live", sa.Column("incident", NUMBER, nullable=False, server_default="0"))
    live = sa.table("gov_live", sa.column("instance"), sa.column("key"), sa.column("body"), sa.column("incident"))
    named = live.c.key.like("t%"), live.c.body.like('%"phase":"incident"%')
    connection = op.get_bind()
    for row in connection.execute(sa.select(live).where(*named)).all():
        run = orjson.loads(row.body)[-1]  # a variable may say the same
        if isinstance(run, dict) and run.get("phase") == "incident":
            this = live.c.instance == row.instance, live.c.key == row.key
            connection.execute(sa.update(live).where(*this).values(incident=1))
    failed = sa.text("incident = 1")
    op.create_index(
        "gov_live_by_incident", "gov_live", ["instance", "key"], sqlite_where=failed, postgresql_where=failed
    )
