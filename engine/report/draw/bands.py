"""Pools and lanes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from engine.report.draw.icons import at, shield
from engine.report.draw.lettering import LINE, block, wrap
from engine.report.draw.svg import number, tag
from engine.report.model.diagram import Band

_HEAD: Final = 30.0


def draw_band(band: Band, bands: Sequence[Band]) -> Markup:
    """A pool or lane with its name: along its left edge, or along its upper one where lanes stand side by side."""
    box = band.box
    class_ = "band pool" if band.is_pool else "band lane"
    frame = tag("rect", x=box.x, y=box.y, width=box.width, height=box.height)
    return tag("g", tag("title", band.name), frame, *_head(band, bands), class_=class_)


def _head(band: Band, bands: Sequence[Band]) -> list[Markup]:
    box = band.box
    if band.is_empty:
        lines = wrap(band.name, box.width - 20, 2)
        return [block(lines, box.middle[0], box.middle[1] - LINE * len(lines) / 2)]
    upright = _is_upright(band, bands)
    length = box.width if upright else box.height
    lines = wrap(band.name, length - 40, 2)
    x, y = (box.middle[0], box.y + _HEAD / 2) if upright else (box.x + _HEAD / 2, box.middle[1])
    name = block(lines, x, y - LINE * len(lines) / 2)
    turned = name if upright else tag("g", name, transform=f"rotate(-90 {number(x)} {number(y)})")
    badge = []
    if band.policy is not None:
        place = (box.x + 14, box.y + 14)
        badge = [tag("g", at(shield(own=True), *place), data_policy=band.policy.number, class_="node", tabindex=0)]
    head = []
    if band.is_pool:
        size = (box.width, _HEAD) if upright else (_HEAD, box.height)
        head = [tag("rect", x=box.x, y=box.y, width=size[0], height=size[1], class_="head")]
    return [*head, turned, *badge]


def _is_upright(band: Band, bands: Sequence[Band]) -> bool:
    """Whether names stand above: where the lanes of the pool begin below its upper edge."""
    pools = [other.box for other in bands if other.is_pool and other.box.holds(band.box.middle)]
    around = pools[0] if pools else band.box
    inside = [other.box for other in bands if not other.is_pool and around.holds(other.box.middle)]
    if not inside or not pools:
        return band.box.height > 3 * band.box.width
    return min(box.y for box in inside) - around.y > min(box.x for box in inside) - around.x
