"""A small process for each kind of element, in which a program is killed wherever something is committed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from tests.bpmn.files import document, policy
from tests.engine.models import (
    MESSAGE,
    boundary,
    catch,
    condition,
    edges,
    end,
    error,
    escalation,
    gateway,
    handler,
    instances,
    message,
    model,
    script,
    service,
    signal,
    start,
    sub,
    throw,
    timer,
    user,
)

UNDO = "<compensateEventDefinition/>"
LINK = '<linkEventDefinition name="l"/>'
APPROVED = policy('<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>')
NAMES = (
    f'{MESSAGE}<signal id="sig" name="sig"/><error id="err" errorCode="E1"/>'
    '<escalation id="esc" escalationCode="X"/>'
)


@dataclass(frozen=True)
class Kind:
    """`final` are variables that the first instance must have in the end; `message` comes from outside in its time."""

    source: bytes
    final: dict[str, Any] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)
    message: str | None = None
    instances: int = 1


def _in_a_row(*content: str, path: str, beside: str = NAMES) -> bytes:
    return model(start(), *content, end(), edges(path), beside=beside)


def _two_branches() -> bytes:
    return model(
        start(), gateway("g"), service("a", "one"), user("b"), gateway("j"), service("c", "two"), end(),
        edges("s > g > a > j > c > e", "g > b > j"),
    )  # fmt: skip


def _undone() -> bytes:
    work = script("undo", "x = x - 10").replace("Task id=", 'Task isForCompensation="true" id=')
    link = '<association id="as" sourceRef="c" targetRef="undo"/>'
    return _in_a_row(
        script("a", "x = x + 10"), boundary("c", "a", UNDO), work, link, user("b"), throw("t", UNDO),
        path="s > a > b > t > e",
    )  # fmt: skip


def _cancelled() -> bytes:
    inside = start("s2") + service("a", "one") + script("b", "y = 1") + end("e2", "<cancelEventDefinition/>")
    body = f'<transaction id="t">{inside}{edges("s2 > a > b > e2")}</transaction>'
    return model(
        start(), body, boundary("k", "t", "<cancelEventDefinition/>"), script("h", "gone = True"), end(), end("e3"),
        edges("s > t > e", "k > h > e3"),
    )  # fmt: skip


def _called() -> bytes:
    inner = f'<process id="q">{start("qs")}{service("qa", "one")}{script("qb", "called = True")}{end("qe")}'
    inner += f'{edges("qs > qa > qb > qe")}</process>'
    outer = f'{start()}<callActivity id="a" calledElement="q"/>{end()}{edges("s > a > e")}'
    return document(f'<process id="p" isExecutable="true">{outer}</process>{inner}')


def _to_another() -> bytes:
    sender = f'{start()}{throw("t", message())}{script("a", "sent = True")}{end()}{edges("s > t > a > e")}'
    receiver = f'{start("qs", message())}{service("qa", "one")}{end("qe")}{edges("qs > qa > qe")}'
    return document(
        f'<process id="p" isExecutable="true">{sender}</process>'
        f'<process id="q" isExecutable="true">{receiver}</process>{MESSAGE}'
    )


KINDS: Final[dict[str, Kind]] = {
    "scriptTask": Kind(_in_a_row(script("a", "x = 1"), script("b", "y = x + 1"), path="s > a > b > e"), {"y": 2}),
    "serviceTask": Kind(
        _in_a_row(service("a", "one"), service("b", "two"), path="s > a > b > e"), {"one": 1, "two": 1}
    ),
    "model calls": Kind(_in_a_row(service("a", "model"), path="s > a > e"), {"model": "A B"}),
    "userTask": Kind(_in_a_row(user("a"), user("b"), path="s > a > b > e"), {"said": "b"}),
    "manualTask": Kind(_in_a_row('<manualTask id="a"/>', script("b", "y = 1"), path="s > a > b > e"), {"y": 1}),
    "sendTask": Kind(_in_a_row('<sendTask id="a" gov:jobType="one"/>', path="s > a > e"), {"one": 1}),
    "receiveTask": Kind(_in_a_row('<receiveTask id="a" messageRef="m"/>', path="s > a > e"), message="m"),
    "approval": Kind(_in_a_row(service("a", "one", APPROVED), path="s > a > e"), {"one": 1}),
    "exclusiveGateway": Kind(
        model(start(), user("u"), gateway("g", "exclusive", default="no"), service("a", "one"), script("b", "x = 2"),
              end(), end("f"), edges("s > u > g -n < 5-> a > e", "g =no=> b > f")),
        {"one": 1}, {"n": 1},
    ),
    "parallelGateway": Kind(_two_branches(), {"one": 1, "two": 1, "said": "b"}),
    "inclusiveGateway": Kind(
        model(start(), gateway("g", "inclusive"), service("a", "one"), user("b"), gateway("j", "inclusive"), end(),
              edges("s > g -n < 5-> a > j > e", "g -n < 6-> b > j")),
        {"one": 1, "said": "b"}, {"n": 1},
    ),
    "eventBasedGateway": Kind(
        model(start(), gateway("g", "eventBased"), catch("c", message()), catch("d", timer("PT1H")),
              script("a", "x = 1"), script("b", "late = True"), end(), end("f"),
              edges("s > g > c > a > e", "g > d > b > f"), beside=MESSAGE),
        {"late": True},
    ),
    "subProcess": Kind(
        _in_a_row(sub("p1", start("s2"), service("a", "one"), user("b"), end("e2"), edges("s2 > a > b > e2")),
                  path="s > p1 > e"),
        {"one": 1, "said": "b"},
    ),
    "callActivity": Kind(_called()),
    "transaction": Kind(_cancelled(), {"gone": True}),
    "compensation": Kind(_undone(), {"x": 1}, {"x": 1}),
    "multiInstance parallel": Kind(
        _in_a_row(service("a", "item", instances(collection="items", output="res")), path="s > a > e"),
        {"res": [10, 20]}, {"items": [1, 2]},
    ),
    "multiInstance sequential": Kind(
        _in_a_row(user("a", instances(cardinality="2", item="", sequential=True)), path="s > a > e"), {"said": "a"},
    ),
    "standardLoop": Kind(
        _in_a_row(service("a", "count", '<standardLoopCharacteristics loopMaximum="3"/>'), path="s > a > e"),
        {"n": 3}, {"n": 0},
    ),
    "message catch": Kind(_in_a_row(catch("c", message()), service("a", "one"), path="s > c > a > e"), {"one": 1},
                          message="m"),
    "message to another instance": Kind(_to_another(), {"sent": True}, instances=2),
    "timer catch": Kind(_in_a_row(catch("c", timer("PT1H")), service("a", "one"), path="s > c > a > e"), {"one": 1}),
    "timer boundary": Kind(
        model(start(), catch("c", timer("P2D")), user("u"), boundary("b", "u", timer("PT1H"), interrupting=False),
              script("r", "reminded = True"), end(), end("f"), edges("s > c > u > e", "b > r > f")),
        {"said": "u"},
    ),
    "error boundary": Kind(
        model(start(), service("a", "fails"), boundary("b", "a", error()), script("r", "caught = True"), end(),
              end("f"), edges("s > a > e", "b > r > f"), beside=NAMES),
        {"caught": True},
    ),
    "signal": Kind(
        model(start(), gateway("g"), catch("c", signal()), script("a", "heard = True"), user("u"), throw("t", signal()),
              gateway("j"), end(), edges("s > g > c > a > j > e", "g > u > t > j"), beside=NAMES),
        {"heard": True},
    ),
    "escalation": Kind(
        model(start(), sub("p1", start("s2"), user("a"), throw("t", escalation()), end("e2"), edges("s2 > a > t > e2")),
              boundary("b", "p1", escalation(), interrupting=False), service("r", "one"), end(), end("f"),
              edges("s > p1 > e", "b > r > f"), beside=NAMES),
        {"one": 1},
    ),
    "conditional": Kind(
        model(start(), gateway("g"), catch("c", condition("n > 5")), service("a", "one"), user("u"),
              script("b", "n = 6"), gateway("j"), end(), edges("s > g > c > a > j > e", "g > u > b > j")),
        {"one": 1}, {"n": 1},
    ),
    "link": Kind(
        model(start(), user("u"), throw("t", LINK), catch("c", LINK), service("a", "one"), end(),
              edges("s > u > t", "c > a > e")),
        {"one": 1},
    ),
    "terminate": Kind(
        model(start(), gateway("g"), user("a"), catch("c", timer("P9D")), end("e", "<terminateEventDefinition/>"),
              end("f"), edges("s > g > a > e", "g > c > f")),
        {"said": "a"},
    ),
    "event sub-process": Kind(
        model(start(), user("a"), end(), handler("h", timer("PT1H"), script("x", "late = True"), end("he"),
              edges("h_s > x > he"), interrupting=False), catch("c", timer("P2D")), edges("s > c > a > e")),
        {"late": True, "said": "a"},
    ),
}  # fmt: skip
"""All kinds of elements that wait, work, route or throw."""
