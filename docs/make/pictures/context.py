"""The picture at the top of README: a process, and under it what happens to the context of its token."""

from __future__ import annotations

from typing import Any, Final

from docs.make.pictures.canvas import FAINT, INK, PAPER, SOFT, Canvas, Point
from docs.make.pictures.card import HEIGHT, WIDTH, Card
from docs.make.pictures.diagram import Diagram
from docs.make.tour import Tour, run_tour
from engine.events import EventType

TITLE: Final = "The context follows the token: compressed (D1), split (D2) and merged (D3) with it"

_SIZE: Final = (960, 660)
_SHIFT: Final = (-90.0, -44.0)
_MAIN, _COVER, _DAMAGE = "#2457a6", "#00796b", "#a85400"
"""Colours of the token and its two branches."""
_ROW, _APART, _CARDS = 346.0, 28.0, 416.0
_STEPS: Final = {
    "start": (84.0, 0),
    "D1:read_claim": (221.0, 0),
    "done:read_claim": (276.0, 0),
    "D1:check_cover": (446.0, -1),
    "done:check_cover": (476.0, -1),
    "D1:assess_damage": (562.0, 1),
    "done:assess_damage": (592.0, 1),
    "D3:put_together": (720.0, 0),
    "D1:write_letter": (848.0, 0),
    "done:write_letter": (898.0, 0),
}
"""Where each snapshot stands: x, and the row above or below the main one."""


def draw() -> str:
    """The SVG file."""
    tour = run_tour()
    canvas = Canvas(*_SIZE, TITLE)
    canvas.text((20, 28), "The process", size=13, fill=SOFT, bold=True)
    diagram = Diagram(canvas, tour.definition, _SHIFT)
    diagram.draw()
    for flow, share, colour in _TOKENS:
        canvas.circle(diagram.along(flow, share), 8, fill=colour, line=PAPER, width=2)
    x, y = diagram.along("f_read", 0.35)
    canvas.text((x, y - 14), "token", size=11, anchor="middle", fill=_MAIN)
    canvas.lines([(20, 252), (_SIZE[0] - 20, 252)], line=FAINT)
    canvas.text((20, 276), "Its contexts", size=13, fill=SOFT, bold=True)
    _leaders(canvas)
    _graph(canvas)
    _decisions(canvas, tour)
    _cards(canvas, tour)
    _legend(canvas)
    return canvas.to_text()


_TOKENS: Final = (
    ("f_read", 0.35, _MAIN),
    ("f_cover", 0.4, _COVER),
    ("f_damage", 0.4, _DAMAGE),
    ("f_letter", 0.35, _MAIN),
)
"""Where tokens stand: the flow, how far along its last stretch, and the colour."""
_CARD_AT: Final = (
    ("start", "at the start", 84.0, _MAIN),
    ("D1:read_claim", "before Read the claim", 221.0, _MAIN),
    ("done:check_cover", "after Check the cover", 448.0, _COVER),
    ("done:assess_damage", "after Assess the damage", 585.0, _DAMAGE),
    ("D3:put_together", "merged", 722.0, _MAIN),
    ("D1:write_letter", "before Write the letter", 859.0, _MAIN),
)
"""Which snapshots are shown on a card, what is written below it, its middle, and the colour of its frame."""


def _at(step: str) -> Point:
    x, row = _STEPS[step]
    return x, _ROW + row * _APART


def _leaders(canvas: Canvas) -> None:
    """From each shown snapshot to its card."""
    for step, _, middle, _ in _CARD_AT:
        x, y = _at(step)
        canvas.lines([(x, y), (x, _CARDS - 12), (middle, _CARDS)], line="#c3ccd6", dashed=True)


def _graph(canvas: Canvas) -> None:
    fork, join = 316.0, _STEPS["D3:put_together"][0]
    canvas.lines([_at("start"), (fork, _ROW)], line=_MAIN, width=3)
    for colour, row in ((_COVER, -1), (_DAMAGE, 1)):
        y = _ROW + row * _APART
        out = f"M {fork} {_ROW} C {fork + 40} {_ROW} {fork + 40} {y} {fork + 80} {y}"
        back = f"L {join - 70} {y} C {join - 30} {y} {join - 40} {_ROW} {join} {_ROW}"
        canvas.path(f"{out} {back}", line=colour, width=3)
    canvas.lines([(join, _ROW), _at("done:write_letter")], line=_MAIN, width=3)
    for step in _STEPS:
        colour = _MAIN if not _STEPS[step][1] else _COVER if _STEPS[step][1] < 0 else _DAMAGE
        is_decision = step[:2] in ("D1", "D3")
        canvas.circle(_at(step), 7, fill=colour if is_decision else PAPER, line=colour, width=2.5)


def _decisions(canvas: Canvas, tour: Tour) -> None:
    pressures = {event.element: event.data for event in tour.events if event.type is EventType.D1}
    for element, x in (("read_claim", 221.0), ("write_letter", 864.0)):
        data = pressures[element]
        _badge(canvas, (x, 310), "D1 compress", f"{data['before']['pressure']:.0%} → {data['after']['pressure']:.0%}")
    _badge(canvas, (352, 292), "D2 split", "a context for each")
    settled = next(each for each in tour.result.conflicts if each["key"] == "WORKING/payout")
    found = " or ".join(str(value["value"]) for value in sorted(settled["values"], key=_value))
    _badge(canvas, (714, 284), "D3 merge", f"payout {found}?", f"a person: {settled['value']}")


def _value(conflicting: Any) -> float:
    return float(conflicting["value"])


def _badge(canvas: Canvas, middle: Point, name: str, *told: str) -> None:
    """The name of a decision, and under it what came of it."""
    x, y = middle
    canvas.text((x, y), name, size=13, anchor="middle", fill=INK, bold=True)
    for number, line in enumerate(told, 1):
        canvas.text((x, y + 15 * number), line, size=12, anchor="middle", fill=INK)


def _cards(canvas: Canvas, tour: Tour) -> None:
    policies = {id: each.resolved.policy for id, each in tour.definition.processes["claim"].scope.elements.items()}
    letter = policies["write_letter"]
    for step, told, middle, colour in _CARD_AT:
        # A merged context is seen by the next activity.
        coming = "write_letter" if step.startswith("D3") else step.rpartition(":")[2]
        threshold = policies["read_claim" if coming == "start" else coming].working_threshold
        # The value that wins keeps the colour of its branch.
        values = {"payout": _DAMAGE if colour == _DAMAGE else _COVER}
        card = Card(tour.snapshots[step], threshold, retained=letter.retain_keys, values=values)
        card.draw(canvas, (middle - WIDTH / 2, _CARDS), colour)
        canvas.text((middle, _CARDS + HEIGHT + 15), told, size=11, anchor="middle", fill=colour)


def _legend(canvas: Canvas) -> None:
    told = (
        "A card: the variables as an agent is shown them, of so many characters as the activity's policy allows. "
        "Outline: the whole value, which the",
        "process keeps. Bold: retained by the policy. "
        "● the context was compressed or merged, ○ an activity wrote to it.",
    )
    for number, line in enumerate(told):
        canvas.text((20, _CARDS + HEIGHT + 42 + 16 * number), line, size=11, fill=SOFT)
