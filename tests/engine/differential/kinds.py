"""One model of each kind of behaviour that the library is known for: joins, loops, instances, scopes, events."""

from __future__ import annotations

from tests.engine.differential.fixtures import Fixture
from tests.engine.models import (
    boundary,
    catch,
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
    signal,
    start,
    sub,
    throw,
    timer,
    user,
)

SIGNAL = '<signal id="sig" name="sig"/>'
ERROR = '<error id="err" errorCode="E"/>'
ESCALATION = '<escalation id="esc" name="esc" escalationCode="E"/>'
TERMINATE, CANCEL = "<terminateEventDefinition/>", "<cancelEventDefinition/>"
NOW = timer('"PT0S"')


def loop(marker: str) -> str:
    return f"<standardLoopCharacteristics {marker}</standardLoopCharacteristics>"


def called(*content: str, path: str) -> str:
    return f'<process id="q" isExecutable="true">{"".join(content)}{edges(path)}</process>'


KINDS: dict[str, Fixture] = {
    "several threads at one activity": Fixture(
        model(start(), gateway("g"), user("a"), user("b"), user("c"), end(),
              edges("s > g > a > c > e", "g > b > c")), order=("a", "b", "c", "c")),
    "split, split, join, join": Fixture(
        model(start(), gateway("g"), gateway("h"), user("a"), user("b"), user("c"), gateway("i"), gateway("j"), end(),
              edges("s > g > h > a > i > j > e", "h > b > i", "g > c > j")), order=("c", "b", "a")),
    "exclusive merge between splits": Fixture(
        model(start(), gateway("g"), user("a"), user("b"), gateway("m", "exclusive"), script("c", "pass"), end(),
              edges("s > g > a > m > c > e", "g > b > m")), order=("b", "a")),
    "inclusive join far behind": Fixture(
        model(start(), gateway("g", "inclusive", "d"), user("a"), script("b", "y = 1"), script("b2", "y2 = 1"),
              script("c", "w = 1"), gateway("j", "inclusive"), script("z", "pass"), end(),
              edges("s > g", "g -n > 0-> a > j > z > e", "g -n > 0-> b > b2 > j", "g =d=> c > j")), {"n": 1},
        {"a": "x = 1"}, order=("a",)),
    "several ends, one terminates": Fixture(
        model(start(), sub("sp", start("s2"), gateway("g"), user("a"), user("b"), end("e2", TERMINATE), end("e3"),
                           edges("s2 > g > a > e2", "g > b > e3")), user("c"), end(),
              edges("s > sp > c > e")), order=("a", "c")),
    "nested sub-processes": Fixture(
        model(start(), sub("o", start("s2"), sub("i", start("s3"), script("a", "x = x * 2"), user("b"), end("e3"),
                                                 edges("s3 > a > b > e3")), script("c", "x = x + 1"), end("e2"),
                           edges("s2 > i > c > e2")), end(), edges("s > o > e")), {"x": 2}, {"b": "x = x * 5"}, ("b",)),
    "two start events": Fixture(
        model(start(), start("s2", signal()), script("a", "x = 1"), script("b", "y = 1"), end(),
              edges("s > a > e", "s2 > b > e"), beside=SIGNAL)),
    "signal between branches": Fixture(
        model(start(), gateway("g"), catch("c", signal()), user("u"), throw("t", signal()), script("a", "x = 1"), end(),
              end("e2"), edges("s > g > c > a > e", "g > u > t > e2"), beside=SIGNAL), order=("u",)),
    "timers that are due": Fixture(
        model(start(), script("a", "x = 1"), catch("c", NOW), script("b", "y = 1"), end(), edges("s > a > c > b > e"))),
    "event-based gateway with a timer": Fixture(
        model(start(), gateway("g", "eventBased"), catch("c", NOW), catch("d", message()), script("a", "x = 1"), end(),
              end("e2"), edges("s > g > c > a > e", "g > d > e2"), beside='<message id="m" name="m"/>')),
    "signal that interrupts nothing": Fixture(
        model(start(), user("a"), boundary("b", "a", signal(), interrupting=False), gateway("g"), throw("t", signal()),
              script("h", "pass"), end(), end("e2"), end("e3"), edges("s > g > a > e", "g > t > e3", "b > h > e2"),
              beside=SIGNAL), order=("a",)),
    "error through two scopes": Fixture(
        model(start(), sub("o", start("s2"), sub("i", start("s3"), end("e3", error()), edges("s3 > e3")), end("e2"),
                           edges("s2 > i > e2")), boundary("b", "o", error()), script("h", "x = 1"), end(), end("e4"),
              edges("s > o > e", "b > h > e4"), beside=ERROR)),
    "error from a called process": Fixture(
        model(start(), '<callActivity id="c" calledElement="q"/>', boundary("b", "c", error()), script("h", "x = 1"),
              end(), end("e2"), edges("s > c > e", "b > h > e2"),
              beside=ERROR + called(start("qs"), end("qe", error()), path="qs > qe"))),
    "escalation from a called process": Fixture(
        model(start(), '<callActivity id="c" calledElement="q"/>', boundary("b", "c", escalation(), interrupting=False),
              script("h", "pass"), end(), end("e2"), edges("s > c > e", "b > h > e2"),
              beside=ESCALATION + called(start("qs"), end("qe", escalation()), path="qs > qe"))),
    "transaction that is cancelled": Fixture(
        model(start(), '<transaction id="t">', start("s2"), script("a", "x = 1"), end("e2", CANCEL),
              edges("s2 > a > e2"), "</transaction>", boundary("b", "t", CANCEL),
              script("h", "y = 1"), end(), end("e3"), edges("s > t > e", "b > h > e3")),
        differs="transaction: what a cancelled one wrote is there for what undoes it, and stays; the library drops it"),
    "error event sub-process": Fixture(
        model(start(), sub("sp", start("s2"), script("a", "x = 1"), end("e2", error()), edges("s2 > a > e2"),
                           handler("h", error(), script("ha", "y = 1"), end("he"), edges("h_s > ha > he"))),
              script("c", "z = 1"), end(), edges("s > sp > c > e"), beside=ERROR)),
    "instances until a condition": Fixture(
        model(start(), user("a", instances(cardinality="5", item="", sequential=True, until="done > 1")), end(),
              edges("s > a > e")), {"done": 0}, {"a": "done = done + 1"}, ("a", "a")),
    "a number of instances": Fixture(
        model(start(), script("a", "pass", instances(cardinality="n", item="", sequential=True)), end(),
              edges("s > a > e")), {"n": 3}),
    "instances of a sub-process": Fixture(
        model(start(), sub("sp", start("s2"), script("a", "o = it + 1"), user("b"), end("e2"), edges("s2 > a > b > e2"),
                           inside=instances(collection="l", output="r")), end(), edges("s > sp > e")),
        {"l": [1, 2], "r": []}, order=("b", "b")),
    "sequential instances of a sub-process": Fixture(
        model(start(), sub("sp", start("s2"), script("a", "o = it + 1"), user("b"), end("e2"), edges("s2 > a > b > e2"),
                           inside=instances(collection="l", output="r", sequential=True)), end(), edges("s > sp > e")),
        {"l": [1, 2], "r": []}, order=("b", "b")),
    "instances over a dictionary": Fixture(
        model(start(), script("a", "o = it * 2", instances(collection="l", output="r")), end(), edges("s > a > e")),
        {"l": {"x": 1, "y": 2}, "r": {}}),
    "loop that is tested before": Fixture(
        model(start(), script("a", "n = n + 1", loop('testBefore="true"><loopCondition>n &lt; 2</loopCondition>')),
              end(), edges("s > a > e")), {"n": 5}),
    "loop of people": Fixture(
        model(start(), user("a", loop('loopMaximum="3">')), end(), edges("s > a > e")), {"n": 0}, {"a": "n = n + 1"},
        ("a", "a", "a")),
    "a token at a boundary event and behind it": Fixture(
        model(start(), user("a"), boundary("b", "a", NOW), script("h", "x = 1"), end(), end("e2"),
              edges("s > a > e", "b > h > e2"))),
}  # fmt: skip
