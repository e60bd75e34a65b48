"""What Alembic runs: the revisions between the schema that was found and ours, in the caller's transaction."""

from __future__ import annotations

from alembic import context

from engine.store.schema import METADATA

if __name__ != "engine.store.migrations.env":  # Alembic runs this file; whoever imports it migrates nothing
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=METADATA,
        version_table="gov_revision",
        render_as_batch=True,
    )
    context.run_migrations()
