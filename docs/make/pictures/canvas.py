"""A drawing in SVG: the few shapes that the pictures are made of."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from typing import Final, Literal

Anchor = Literal["start", "middle", "end"]
Point = tuple[float, float]

INK: Final = "#1f2933"
SOFT: Final = "#6b7785"
FAINT: Final = "#d5dbe1"
PAPER: Final = "#ffffff"
_FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"


class Canvas:
    """Shapes on white paper, in the order they are drawn; the paper is drawn too, for readers with dark pages."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {width} {height}",
                "width": str(width),
                "height": str(height),
                "role": "img",
                "font-family": _FONT,
            },
        )
        ET.SubElement(self._root, "title").text = title
        self.rect((0, 0), (width, height), fill=PAPER, radius=8)

    def rect(
        self,
        corner: Point,
        size: Point,
        *,
        fill: str = "none",
        line: str = "none",
        radius: float = 0,
        dashed: bool = False,
    ) -> None:
        """A rectangle by its upper left corner."""
        shape = self._shape("rect", fill, line, dashed=dashed)
        for name, value in zip(("x", "y", "width", "height"), (*corner, *size), strict=True):
            shape.set(name, _number(value))
        if radius:
            shape.set("rx", _number(radius))

    def circle(self, center: Point, radius: float, *, fill: str = "none", line: str = "none", width: float = 1) -> None:
        shape = self._shape("circle", fill, line, width)
        for name, value in zip(("cx", "cy", "r"), (*center, radius), strict=True):
            shape.set(name, _number(value))

    def path(self, data: str, *, line: str, width: float = 1, fill: str = "none", dashed: bool = False) -> None:
        """A path by SVG's own commands."""
        self._shape("path", fill, line, width, dashed=dashed).set("d", data)

    def lines(self, points: Sequence[Point], *, line: str, width: float = 1, dashed: bool = False) -> None:
        """Straight lines from point to point."""
        data = "M " + " L ".join(f"{_number(x)} {_number(y)}" for x, y in points)
        self.path(data, line=line, width=width, dashed=dashed)

    def text(
        self, at: Point, text: str, *, size: float = 12, anchor: Anchor = "start", fill: str = INK, bold: bool = False
    ) -> None:
        """A line of text by its anchor on the base line."""
        node = ET.SubElement(self._root, "text", {"x": _number(at[0]), "y": _number(at[1]), "font-size": _number(size)})
        node.text = text
        node.set("fill", fill)
        if anchor != "start":
            node.set("text-anchor", anchor)
        if bold:
            node.set("font-weight", "600")

    def to_text(self) -> str:
        """The SVG file, a shape a line."""
        ET.indent(self._root)
        return ET.tostring(self._root, encoding="unicode") + "\n"

    def _shape(self, kind: str, fill: str, line: str, width: float = 1, *, dashed: bool = False) -> ET.Element:
        shape = ET.SubElement(self._root, kind, {"fill": fill})
        if line != "none":
            shape.set("stroke", line)
            shape.set("stroke-width", _number(width))
        if dashed:
            shape.set("stroke-dasharray", "3 3")
        return shape


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
