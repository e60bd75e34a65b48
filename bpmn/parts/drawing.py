"""What a file draws: it changes nothing in how a process runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Where the diagram draws an element: `bounds` (x, y, width, height) of a node, `waypoints` (x, y) of an edge."""

    bounds: tuple[float, ...] = ()
    waypoints: tuple[tuple[float, ...], ...] = ()
    label: tuple[float, ...] = ()
    """Bounds of its name, where the diagram places it."""


ArtifactKind = Literal["textAnnotation", "group", "dataObject", "dataStore", "association", "dataAssociation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """What a diagram shows beside flow nodes and flows; it changes nothing in how a process runs.

    `name`: the name, an annotation's text, a group's category. `holder`: id of the process or
    sub-process that it stands in; None: beside the processes, in the collaboration.
    """

    id: str
    kind: ArtifactKind
    name: str | None = None
    holder: str | None = None
