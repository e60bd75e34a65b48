"""The warehouse, as the process knows it."""

from __future__ import annotations

from typing import Any

from engine.activities.job import Job, handler


@handler("reserve")
def reserve(job: Job) -> dict[str, Any]:
    """Reserve the goods; `job.key` is the same for each attempt, so that a warehouse can tell a repetition."""
    return {"reservation": f"R-{job.variables['order']}"}
