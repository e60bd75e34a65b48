"""A page costs what it shows: however long an instance ran, it has the newest of it, and says what it left out."""

from __future__ import annotations

from typing import Any

from bpmn.load import load
from engine.governor import Governor
from tests.engine.models import edges, end, gateway, model, script, start


def turned(governor: Governor, times: int) -> str:
    """A loop of two activities, so many times; its instance."""
    source = model(
        start(), script("first", "n = n + 1"), script("second", "m = n"), gateway("more", "exclusive", "out"), end(),
        edges(f"s > first > second > more -n &lt; {times}-> first", "more =out=> e").replace("&amp;lt;", "&lt;"),
    )  # fmt: skip
    return governor.start(load(source, file="loop.bpmn"), {"n": 0}).instance


def test_four_times_as_many_events_make_a_page_that_is_hardly_longer(server: Any, governor: Governor) -> None:
    client = server.client("ann", "viewer")
    pages = {times: client.get(f"/instances/{turned(governor, times)}").text for times in (150, 600)}
    assert len(pages[600]) < 1.25 * len(pages[150])
    assert pages[600].count('<li class="row ') == 300
    assert pages[600].count('<tr data-type=') == 200
    assert "earlier rows are left out" in pages[600]
