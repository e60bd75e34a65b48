"""The drawings of a report, each made where the page asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from bpmn.reader.kinds import ACTIVITIES
from engine.report.draw.diagram import draw_plane
from engine.report.draw.growth import draw_growth
from engine.report.draw.lanes import draw_crossing
from engine.report.draw.pyramid import draw_pyramid
from engine.report.draw.radar import draw_radar
from engine.report.draw.trend import draw_trend
from engine.report.model.activities import Tally
from engine.report.model.diagram import Node, Plane
from engine.report.model.growth import Step
from engine.report.model.policies import PolicyView
from engine.report.model.report import Report
from engine.report.model.timeline import Row
from engine.report.words import score_text, several, times
from engine.told import Say, told
from governance.attention.bands import health_of


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A drawn element in the table beside the diagram."""

    number: int
    node: Node
    name: str
    tally: Tally


class Drawings:
    """Draws a report's data, with words as `say` tells them. Nodes have numbers, the same in the diagram and its table.
    """

    def __init__(self, report: Report, say: Say = str) -> None:
        self._report, self._say = report, say
        nodes = [node for plane in report.planes for node in plane.nodes]
        self._rows = {
            node.element.id: NodeRow(
                number,
                node,
                report.names.element(node.element.id),
                report.tallies.get(node.element.id) or Tally(node.element.id),
            )
            for number, node in enumerate(nodes)
        }

    def plane(self, plane: Plane, key: str) -> Markup:
        return draw_plane(plane, key, self._titled, self._say)

    def nodes(self) -> Iterator[NodeRow]:
        """Activities, and gateways at which something was decided or that have a policy of their own."""
        for row in self._rows.values():
            kind, policy = row.node.element.kind, row.node.policy
            is_gateway = kind.endswith("Gateway") and (
                row.node.score is not None or row.tally.merges or row.tally.splits or _is_own(policy)
            )
            if kind in ACTIVITIES or is_gateway:
                yield row

    def growth(self) -> Markup:
        return draw_growth(self._report.growth, self._report.names.element, self._say)

    def pyramids(self) -> list[tuple[str, Markup]]:
        """At the beginning, at its fullest and at the end, each with a heading."""
        steps = self._report.growth
        fullest = max(steps, key=lambda step: step.shown)
        largest = max(layer.full for step in steps for layer in step.layers)
        chosen = [("After the first activity", steps[0]), ("When models saw most", fullest), ("At the end", steps[-1])]
        named = [(self._say(told(words)), step) for words, step in chosen]
        return [(self._heading(words, step), draw_pyramid(step, largest, words, self._say)) for words, step in named]

    def _heading(self, words: str, step: Step) -> str:
        return f"{words}: {step.number}. {self._report.names.element(step.element)}"

    def radar(self) -> Markup:
        found = self._report.attention
        return draw_radar(found.dimensions, self._say) if found else Markup()

    def trend(self) -> Markup:
        found = self._report.attention
        return draw_trend(found, self._report.names.element, self._say) if found else Markup()

    def crossing(self, row: Row) -> Markup:
        return draw_crossing(row.crossing, self._report.timeline.lanes, row.telling.kind)

    def _titled(self, node: Node) -> tuple[int, str]:
        row = self._rows[node.element.id]
        return row.number, "\n".join(map(self._say, _told(row)))


def _told(row: NodeRow) -> Iterator[str]:
    node = row.node
    yield row.name
    if node.failed:
        yield told("failed")
    if node.waits:
        yield told("waits")
    yield told("done {times}", times=times(node.visits)) if node.visits else told("not done")
    if node.score is not None:
        health = told(health_of(node.score).value)
        yield told("lowest attention {score}: {health}", score=score_text(node.score), health=health)
    if row.tally.compressed:
        yield told("context compressed {times}", times=times(row.tally.compressed))
    if row.tally.conflicts:
        yield several(row.tally.conflicts, "conflict")
    if node.policy is not None and node.policy.fields:
        yield told(f"policy {node.policy.badge}")
        for field in node.policy.fields:
            yield told("  {name}: {value} ({origin})", name=field.name, value=field.value, origin=field.origin)


def _is_own(policy: PolicyView | None) -> bool:
    return policy is not None and policy.badge == "own"
