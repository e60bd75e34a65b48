"""The small pictures of BPMN: what kind a task is, what an event waits for or throws, how an activity repeats.

Each is drawn around (0, 0), about 18 units wide, and put in place by `at`. Classes: `line` has a stroke only, `solid`
is filled in ink, `hollow` in the colour of the ground.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin
from typing import Final

from markupsafe import Markup

from engine.report.draw.svg import join, number, tag

_ENVELOPE: Final = "M-9,-6H9V6H-9Z"
_FLAP: Final = "M-9,-6L0,1L9,-6"


def at(icon: Markup, x: float, y: float, scale: float = 1.0) -> Markup:
    """The icon with its middle at (x, y)."""
    size = "" if scale == 1.0 else f" scale({scale:.2f})"
    return tag("g", icon, transform=f"translate({number(x)},{number(y)}){size}", class_="icon")


def task_icon(kind: str, *, agent: bool) -> Markup | None:
    """What does the task: an agent's spark comes before the kind that BPMN knows."""
    draw = _agent if agent else _TASKS.get(kind)
    return None if draw is None else draw()


def event_icon(kind: str, *, thrown: bool, parallel: bool = False) -> Markup | None:
    """What an event is about; those that are thrown are filled."""
    if kind == "multiple" and parallel:
        return _path("M-3,-9H3V-3H9V3H3V9H-3V3H-9V-3H-3Z", "solid" if thrown else "hollow")
    draw = _EVENTS.get(kind)
    return None if draw is None else draw(thrown)


def gateway_icon(kind: str, *, instantiates: bool = False) -> Markup | None:
    if kind == "eventBasedGateway":
        rings = [_circle(13, "line"), *([] if instantiates else [_circle(10.5, "line")])]
        return join([*rings, _path(_polygon(5, 7), "line")])
    return _GATEWAYS[kind]() if kind in _GATEWAYS else None


def marker(name: str) -> Markup:
    """How an activity repeats, or what it is: `standard`, `parallel`, `sequential`, `collapsed` and others."""
    return _MARKERS[name]()


def shield(*, own: bool) -> Markup:
    """The badge of a policy."""
    return _path("M0,-8L7,-5.5V0C7,4.5 4,7 0,9C-4,7 -7,4.5 -7,0V-5.5Z", "badge own" if own else "badge inherited")


def _path(d: str, class_: str) -> Markup:
    return tag("path", d=d, class_=class_)


def _circle(radius: float, class_: str) -> Markup:
    return tag("circle", r=radius, class_=class_)


def _polygon(corners: int, radius: float) -> str:
    angles = [2 * pi * corner / corners - pi / 2 for corner in range(corners)]
    return "M" + "L".join(f"{number(radius * cos(a))},{number(radius * sin(a))}" for a in angles) + "Z"


def _agent() -> Markup:
    star = "M-1,-8C0,-2 1,-1 7,0C1,1 0,2 -1,8C-2,2 -3,1 -9,0C-3,-1 -2,-2 -1,-8Z"
    small = "M6,-9C6.4,-6.6 6.8,-6.2 9,-5.8C6.8,-5.4 6.4,-5 6,-2.6C5.6,-5 5.2,-5.4 3,-5.8C5.2,-6.2 5.6,-6.6 6,-9Z"
    return join([_path(star, "spark"), _path(small, "spark")])


def _user() -> Markup:
    return join([tag("circle", cy=-4, r=4, class_="hollow"), _path("M-8,9C-8,3 -4,1 0,1C4,1 8,3 8,9Z", "hollow")])


def _hand() -> Markup:
    return _path(
        "M-8,-1C-8,-4 -5,-6 -3,-6H3C5,-6 5,-3 3,-3H-1H7C9,-3 9,-0.5 7,-0.5H1H7C9,-0.5 9,2 7,2H1H6C8,2 8,4.5 6,4.5H0"
        "H4C6,4.5 6,7 4,7H-3C-6,7 -8,4 -8,1Z",
        "hollow",
    )


def _script() -> Markup:
    sheet = "M-4,-9H8C4,-5 4,-3 6,0C8,3 8,5 4,9H-8C-4,5 -4,3 -6,0C-8,-3 -8,-5 -4,-9Z"
    return join([_path(sheet, "hollow"), _path("M-4,-5H3M-5,-1.5H3M-3,2H5M-3.5,5.5H4", "line")])


def _gear() -> Markup:
    teeth, points = 8, []
    for tooth in range(teeth):
        for turn, radius in ((-0.3, 6.2), (-0.18, 9.0), (0.18, 9.0), (0.3, 6.2)):
            angle = 2 * pi * (tooth + turn) / teeth
            points.append(f"{number(radius * cos(angle))},{number(radius * sin(angle))}")
    return join([_path("M" + "L".join(points) + "Z", "hollow"), _circle(2.8, "hollow")])


def _table() -> Markup:
    return join(
        [_path("M-9,-7H9V7H-9Z", "hollow"), _path("M-9,-7H9V-2.5H-9Z", "solid"), _path("M-9,2.3H9M-3,-2.5V7", "line")]
    )


def _message(filled: bool) -> Markup:
    envelope, flap = ("solid", "line on-solid") if filled else ("hollow", "line")
    return join([_path(_ENVELOPE, envelope), _path(_FLAP, flap)])


def _timer(filled: bool) -> Markup:
    ticks = "".join(
        f"M{number(8 * cos(pi * hour / 6))},{number(8 * sin(pi * hour / 6))}"
        f"L{number(10 * cos(pi * hour / 6))},{number(10 * sin(pi * hour / 6))}"
        for hour in range(12)
    )
    return join([_circle(10, "hollow"), _path(ticks + "M2,-7L0,0L5,2", "line")])


def _conditional(filled: bool) -> Markup:
    return join([_path("M-7,-9H7V9H-7Z", "hollow"), _path("M-5,-6H5M-5,-2H5M-5,2H5M-5,6H5", "line")])


def _shape(d: str) -> Callable[[bool], Markup]:
    return lambda filled: _path(d, "solid" if filled else "hollow")


_TASKS: Final[Mapping[str, Callable[[], Markup]]] = {
    "userTask": _user,
    "manualTask": _hand,
    "scriptTask": _script,
    "serviceTask": _gear,
    "businessRuleTask": _table,
    "sendTask": lambda: _message(True),
    "receiveTask": lambda: _message(False),
}
_EVENTS: Final[Mapping[str, Callable[[bool], Markup]]] = {
    "message": _message,
    "timer": _timer,
    "conditional": _conditional,
    "signal": _shape("M0,-9L9.5,7H-9.5Z"),
    "error": _shape("M-8,8L-4,-7L2.5,1.5L8,-8L4,7L-2.5,-1.5Z"),
    "escalation": _shape("M0,-9L7.5,9L0,1.5L-7.5,9Z"),
    "link": _shape("M-9,-4H2V-8.5L9.5,0L2,8.5V4H-9Z"),
    "compensation": _shape("M-10,0L-1,-7V7ZM-1,0L8,-7V7Z"),
    "cancel": _shape("M-8,-5L-5,-8L0,-3L5,-8L8,-5L3,0L8,5L5,8L0,3L-5,8L-8,5L-3,0Z"),
    "terminate": lambda filled: _circle(10, "solid"),
    "multiple": _shape(_polygon(5, 10)),
}
_GATEWAYS: Final[Mapping[str, Callable[[], Markup]]] = {
    "exclusiveGateway": lambda: _path("M-6,-8L6,8M6,-8L-6,8", "line thick"),
    "parallelGateway": lambda: _path("M-10,0H10M0,-10V10", "line thick"),
    "inclusiveGateway": lambda: _circle(9.5, "line thick"),
    "complexGateway": lambda: _path("M-10,0H10M0,-10V10M-7,-7L7,7M7,-7L-7,7", "line thick"),
}
_MARKERS: Final[Mapping[str, Callable[[], Markup]]] = {
    "parallel": lambda: _path("M-4,-5.5V5.5M0,-5.5V5.5M4,-5.5V5.5", "line thick"),
    "sequential": lambda: _path("M-5.5,-4H5.5M-5.5,0H5.5M-5.5,4H5.5", "line thick"),
    "standard": lambda: _path("M-2.5,5.2A5.5,5.5 0 1 1 2.5,5.2M-7,5.4H-2.3V0.8", "line"),
    "compensation": lambda: _path("M-7,0L0,-5V5ZM0,0L7,-5V5Z", "hollow"),
    "adHoc": lambda: _path("M-7,2C-5,-4 -2,-3 0,0C2,3 5,4 7,-2", "line thick"),
    "collapsed": lambda: join([_path("M-7,-7H7V7H-7Z", "hollow"), _path("M-4.5,0H4.5M0,-4.5V4.5", "line")]),
}
