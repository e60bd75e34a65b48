"""Annotations, groups, data objects and stores of a diagram, and what joins them to flow nodes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from bpmn.definition import Artifact, ArtifactKind
from engine.report.geometry import Box, Point
from engine.report.model.drawn import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """An artifact as it is drawn: in a box, or along points. `label`: where the file places its name."""

    kind: ArtifactKind
    name: str | None
    box: Box | None = None
    points: tuple[Point, ...] = ()
    label: Box | None = None


def extras(artifacts: Iterable[Artifact], holders: Collection[str | None], layout: Layout) -> Iterator[Extra]:
    """Those that stand in one of `holders` and that the layout places."""
    for each in artifacts:
        if each.holder in holders:
            box, points = layout.box(each.id), layout.points(each.id)
            if box is not None or points:
                yield Extra(kind=each.kind, name=each.name, box=box, points=points, label=layout.label(each.id))
