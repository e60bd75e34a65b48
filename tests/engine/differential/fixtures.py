"""Models that plain SpiffWorkflow runs to the end, and what is different with ours on purpose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.engine.models import (
    boundary,
    edges,
    end,
    error,
    escalation,
    gateway,
    instances,
    model,
    script,
    start,
    sub,
    throw,
    user,
)


@dataclass(frozen=True)
class Fixture:
    """`order` is the order in which people do their tasks, with what `code` says.

    `differs` tells why ours is not the same, "" where it is.
    """

    source: bytes
    variables: dict[str, Any] = field(default_factory=dict)
    code: dict[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    differs: str = ""


def both(*branches: str) -> bytes:
    """Branches between an AND split and an AND join."""
    ways = [f"g > {branch.split(chr(34), 2)[1]} > j" for branch in branches]
    flows = edges("s > g", *ways, "j > z > e")
    return model(start(), gateway("g"), *branches, gateway("j"), script("z", "pass"), end(), flows)


CALLED = (
    '<process id="q" isExecutable="true">'
    f"{start('qs')}{script('qa', 'y = x + 1')}{end('qe')}{edges('qs > qa > qe')}</process>"
)
LOOP = model(
    start(), gateway("m", "exclusive"), script("a", "n = n + 1"), gateway("x", "exclusive", default="out"), end(),
    edges("s > m > a > x", "x -n < 20-> m", "x =out=> e"),
)  # fmt: skip
FIXTURES: dict[str, Fixture] = {
    "sequence": Fixture(model(start(), script("a", "x = 1"), user("b"), script("c", "y = x"), end(),
                              edges("s > a > b > c > e")), code={"b": "x = 2"}, order=("b",)),
    "exclusive": Fixture(model(start(), gateway("g", "exclusive", "d"), script("a", "x = 1"), script("b", "x = 2"),
                               gateway("j", "exclusive"), end(),
                               edges("s > g", "g -n > 1-> a > j > e", "g =d=> b > j")), {"n": 2}),
    "parallel, own keys": Fixture(both(user("a"), user("b"), script("c", "w = 1")), {}, {"a": "x = 1", "b": "y = 1"},
                                  ("b", "a")),
    "inclusive": Fixture(model(start(), gateway("g", "inclusive", "d"), script("a", "x = 1"), script("b", "y = 2"),
                               script("c", "w = 3"), gateway("j", "inclusive"), script("z", "pass"), end(),
                               edges("s > g", "g -n > 0-> a > j > z > e", "g -n > 1-> b > j", "g =d=> c > j")),
                         {"n": 2}),
    "loop": Fixture(LOOP, {"n": 0}),
    "two ends": Fixture(model(start(), gateway("g"), script("a", "x = 1"), script("b", "y = 1"), end(), end("e2"),
                              edges("s > g > a > e", "g > b > e2"))),
    "terminate": Fixture(model(start(), gateway("g"), user("a"), user("b"), end("e", "<terminateEventDefinition/>"),
                               end("e2"), edges("s > g > a > e", "g > b > e2")), {}, {"a": "x = 1"}, ("a",)),
    "sub-process": Fixture(model(start(), sub("sp", start("s2"), script("a", "x = x + 1"), user("b"), end("e2"),
                                              edges("s2 > a > b > e2")), script("c", "y = x"), end(),
                                 edges("s > sp > c > e")), {"x": 1}, {"b": "x = x * 10"}, ("b",)),
    "standard loop": Fixture(model(start(), script("a", "n = n + 1",
                             '<standardLoopCharacteristics loopMaximum="3"><loopCondition>n &lt; 9</loopCondition>'
                             "</standardLoopCharacteristics>"), end(), edges("s > a > e")), {"n": 0}),
    "sequential instances": Fixture(model(start(), script("a", "o = it * 2", instances(
        collection="l", output="r", sequential=True)), end(), edges("s > a > e")), {"l": [1, 2, 3], "r": []}),
    "parallel instances": Fixture(model(start(), script("a", "o = it * 2", instances(collection="l", output="r")),
                                        end(), edges("s > a > e")), {"l": [1, 2, 3], "r": []}),
    "error boundary": Fixture(model(start(), sub("sp", start("s2"), script("a", "pass"), end("e2", error()),
                                                 edges("s2 > a > e2")), boundary("b", "sp", error()),
                                    script("h", "caught = 1"), script("c", "pass"), end(), end("e3"),
                                    edges("s > sp > c > e", "b > h > e3"), beside='<error id="err" errorCode="E"/>')),
    "escalation that interrupts nothing": Fixture(
        model(start(), sub("sp", start("s2"), throw("t", escalation()), script("a", "pass"), end("e2"),
                           edges("s2 > t > a > e2")), boundary("b", "sp", escalation(), interrupting=False),
              script("h", "pass"), end(), end("e3"), edges("s > sp > e", "b > h > e3"),
              beside='<escalation id="esc" name="esc" escalationCode="E"/>')),
    "lost update": Fixture(both(user("a"), user("b")), {"x": 1}, {"a": "x = 2", "b": "pass"}, ("a", "b"),
                           differs="join: merged by who wrote, where an unchanged copy wins in the library"),
    "shared nested value": Fixture(both(user("a"), user("b")), {"d": {"k": {"m": 1}}},
                                   {"a": "d['k']['m'] = 2", "b": "seen = d['k']['m']"}, ("a", "b"),
                                   differs="branches: isolated, where nested values leak in the library"),
    "cut list": Fixture(both(user("a"), user("b")), {"x": [1, 2, 3]}, {"a": "x = x[:1]", "b": "pass"}, ("a", "b"),
                        differs="join: a list may shrink, which the library undoes"),
    "call": Fixture(model(start(), '<callActivity id="c" calledElement="q"/>', script("z", "pass"), end(),
                          edges("s > c > z > e"), beside=CALLED), {"x": 1},
                    differs="call activity: only declared outputs come back, where all do in the library"),
    "uncaught error": Fixture(model(start(), gateway("g"), script("a", "pass"), end("e", error()), end("e2"),
                                    edges("s > g > a > e2", "g > e"), beside='<error id="err" errorCode="E"/>'),
                              differs="errors: an unhandled one is an incident, where the library goes on"),
}  # fmt: skip
