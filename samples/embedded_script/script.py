"""A plain program that runs a process: start, hear, decide, look back.

    python script.py [DATABASE]
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.activities.job import Job, handler
from engine.embedding import open_governor
from engine.events import Event

HERE = Path(__file__).parent


@handler("reserve")
def reserve(job: Job) -> dict[str, Any]:
    """The warehouse: a function of this program does the service task."""
    return {"reservation": f"R-{job.variables['order']}"}


def tell(instance: str, event: Event) -> None:
    """Hears of what is durable."""
    if event.type in ("activity_completed", "work_item_created", "instance_completed"):
        print(f"  {event.type.value}: {event.element or instance}")


def run(database: str, amount: int) -> Mapping[str, Any]:
    """One order, from its beginning to its end."""
    with open_governor(database, settings={"handlers": [__file__]}) as governor:
        governor.listen(tell)
        result = governor.start(governor.check(HERE / "order.bpmn"), {"order": 1, "amount": amount}, starter="ines")
        for task in result.waiting:
            result = governor.complete(task["id"], {"consent": True}, by="maria")
        print(f"{result.status} with {len(governor.snapshots(result.instance))} snapshots")
        return result.variables


if __name__ == "__main__":
    print(dict(run(sys.argv[1] if len(sys.argv) > 1 else "orders.db", 2500)))
