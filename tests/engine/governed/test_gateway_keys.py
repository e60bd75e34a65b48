"""A person decides about what a condition reads that can still be reached behind the join."""

from __future__ import annotations

import pytest

from engine.status import Status
from tests.bpmn.files import document
from tests.engine.models import boundary, edges, end, gateway, instances, model, start, sub, timer, user
from tests.engine.running import Run

BRANCHES = gateway("g") + user("a") + user("b") + gateway("j") + edges("g > a > j", "g > b > j")


def choice(then: str, other: str) -> str:
    return gateway("x", "exclusive", default="d") + edges(f"x -v == 1-> {then}", f"x =d=> {other}")


CHOICE = choice("e1", "e2") + end("e1") + end("e2")
_CONDITION = "<loopCondition>v == 1</loopCondition>"
LOOP = f'<standardLoopCharacteristics loopMaximum="1">{_CONDITION}</standardLoopCharacteristics>'
ROUNDS = LOOP.replace("v == 1", "True")
UNTIL = instances(cardinality="2", until="v == 1", sequential=True)
CALLED = (
    f'<process id="q">{start("qs")}{gateway("qx", "exclusive", default="qd")}{end("q1")}{end("q2")}'
    f"{edges('qs > qx -v == 1-> q1', 'qx =qd=> q2')}</process>"
)


def inside(*content: str, loop: str = "", behind: str = "") -> bytes:
    """The join stands in a sub-process."""
    held = sub("p1", start("ps"), BRANCHES, *content, inside=loop)
    return model(start(), held, behind or end() + edges("p1 > e"), edges("s > p1"))


def behind(*content: str) -> bytes:
    """The join stands in the process."""
    return model(start(), BRANCHES, edges("s > g"), *content)


ASKED = {
    "in a sub-process": behind(sub("u", start("us"), CHOICE, edges("us > x")), end(), edges("j > u > e")),
    "in a sub-process of a sub-process": behind(
        sub("u", start("us"), sub("w", start("ws"), CHOICE, edges("ws > x")), end("ue"), edges("us > w > ue")),
        end(), edges("j > u > e"),
    ),
    "of a loop": behind(user("t", LOOP), end(), edges("j > t > e")),
    "of a loop in a sub-process": behind(
        sub("u", start("us"), user("t", LOOP), end("ue"), edges("us > t > ue")), end(), edges("j > u > e")
    ),
    "that ends instances": behind(user("t", UNTIL), end(), edges("j > t > e")),
    "behind a boundary event": behind(
        user("t"), boundary("late", "t", timer("PT1H")), end(), CHOICE, edges("j > t > e", "late > x")
    ),
    "behind a boundary event of a sub-process": behind(
        sub("u", start("us"), user("t"), end("ue"), edges("us > t > ue")), boundary("late", "u", timer("PT1H")),
        end(), CHOICE, edges("j > u > e", "late > x"),
    ),
    "behind the sub-process around": inside(end("pe"), edges("ps > g", "j > pe"), behind=CHOICE + edges("p1 > x")),
    "of the loop around": inside(end("pe"), edges("ps > g", "j > pe"), loop=LOOP),
    "earlier in the loop around": inside(
        choice("g", "e2"), end("e2"), end("pe"), edges("ps > x", "j > pe"), loop=ROUNDS
    ),
    "behind an event on the sub-process around": inside(
        end("pe"), edges("ps > g", "j > pe"),
        behind=boundary("late", "p1", timer("PT1H")) + CHOICE + end() + edges("p1 > e", "late > x"),
    ),
}  # fmt: skip

NOT_ASKED = {
    "before the join": model(
        start(), BRANCHES, choice("e1", "g"), end("e1"), end(), edges("s > x", "j > e")
    ),
    "in a called process": document(
        f'<process id="p" isExecutable="true">{start()}{BRANCHES}<callActivity id="c" calledElement="q"/>{end()}'
        f'{edges("s > g", "j > c > e")}</process>{CALLED}'
    ),
    "behind an event on an activity before the join": model(
        start(), gateway("g"), user("a"), boundary("late", "a", timer("PT1H")), user("b"), gateway("j"), CHOICE,
        end(), edges("s > g > a > j > e", "g > b > j", "late > x"),
    ),
    "earlier in the instance around": inside(
        choice("g", "e2"), end("e2"), end("pe"), edges("ps > x", "j > pe"), loop=instances(cardinality="1")
    ),
}  # fmt: skip


def run_to_the_join(source: bytes, v: int) -> Run:
    return Run(source, {"v": v}, code={"a": "v = 3", "b": "v = 4"}).do_all("ab")


@pytest.mark.parametrize("place", ASKED)
def test_a_condition_asks_a_person(place: str) -> None:
    run = run_to_the_join(ASKED[place], 1)
    assert run.instance.status is Status.WAITING
    (asked,) = run.instance.interventions.values()
    assert (asked.kind, asked.element, asked.level.value) == ("conflict", "j", "EXPLICIT_APPROVAL")


@pytest.mark.parametrize("place", NOT_ASKED)
def test_a_condition_that_cannot_be_reached_does_not(place: str) -> None:
    run = run_to_the_join(NOT_ASKED[place], 1 if "instance" in place else 5)
    assert not run.instance.interventions
    assert run.instance.status is Status.COMPLETED
