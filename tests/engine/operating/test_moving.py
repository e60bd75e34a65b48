"""A token is taken elsewhere by hand, and what that leaves undone is told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.events import EventType
from engine.operations.operation import NotPossible
from tests.bpmn.files import document
from tests.engine.models import (
    boundary,
    catch,
    edges,
    end,
    gateway,
    instances,
    message,
    model,
    script,
    service,
    start,
    sub,
    timer,
    user,
)
from tests.engine.operating.office import Office, failing

LINE = model(
    start(), user("a"), boundary("late", "a", timer("PT1H")), user("b"), script("c", "seen = x"), user("d"), end(),
    end("e2"), edges("s > a > b > c > d > e", "late > e2"),
)  # fmt: skip


def open_at(office: Office, id: str) -> list[str]:
    return [each["element"] for each in office.do(lambda g: g.result(id)).waiting]


@pytest.mark.parametrize("suspended", [False, True])
def test_forward_passes_over_what_is_between(office: Office, suspended: bool) -> None:
    id = office.start(LINE, {"x": 1}).instance
    if suspended:
        office.do(lambda g: g.suspend(id, by="olga"))
    result = office.do(lambda g: g.move(id, "a", "d", by="olga", reason="done on paper"))
    if suspended:
        assert (result.status, [each["kind"] for each in result.waiting]) == ("suspended", [])
        office.do(lambda g: g.unsuspend(id, by="olga"))
    assert open_at(office, id) == ["d"]
    (event,) = office.log(id, EventType.TOKEN_MOVED)
    assert (event.element, dict(event.data)) == ("a", {
        "by": "olga", "reason": "done on paper", "to": "d", "passed_over": ["b", "c"], "again": [],
        "undone": [{"kind": "timer", "element": "late"}, {"kind": "work_item", "element": "a"}],
    })  # fmt: skip
    assert [each.status for each in office.do(lambda g: g.work_items(id, status=None))] == ["cancelled", "open"]
    office.clock.move_to(office.clock.now() + timedelta(hours=2))
    assert office.do(lambda g: g.due()) == []
    assert office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann")).status == "completed"


def test_backward_does_again_what_was_done(office: Office) -> None:
    id = office.start(LINE, {"x": 1}).instance
    office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    office.do(lambda g: g.move(id, "b", "a", by="olga"))
    assert office.log(id, EventType.TOKEN_MOVED)[0].data["again"] == ["a", "b"]
    assert sorted(open_at(office, id)) == ["a", "late"]
    for _ in range(3):
        result = office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    assert (result.status, result.variables["seen"]) == ("completed", 1)


def test_away_from_a_failure(office: Office) -> None:
    office.doers["a"] = failing(9)
    id = office.start(model(start(), service("a"), user("b"), end(), edges("s > a > b > e"))).instance
    assert office.do(lambda g: g.move(id, "a", "b", by="olga")).incidents == []
    assert office.log(id, EventType.TOKEN_MOVED)[0].data["undone"] == [{"kind": "incident", "element": "a"}]


def test_away_from_a_gateway_without_a_way(office: Office) -> None:
    source = model(start(), gateway("x", "exclusive"), user("a"), user("b"), edges("s > x", "x -y-> a", "x -z-> b"))
    id = office.start(source, {"y": False, "z": False}).instance
    office.do(lambda g: g.move(id, "x", "b", by="olga"))
    assert open_at(office, id) == ["b"]


def test_a_whole_activity_with_what_is_in_it(office: Office) -> None:
    inner = sub("o", start("s1"), user("u"), catch("m1", message()), end("e1"), edges("s1 > u > m1 > e1"))
    source = model(start(), inner, user("several", instances(collection="xs")), user("after"), end(),
                   edges("s > o > several > after > e"), beside='<message id="m" name="m"/>')  # fmt: skip
    id = office.start(source, {"xs": [1, 2]}).instance
    office.do(lambda g: g.move(id, "o", "several", by="olga"))
    assert office.log(id, EventType.TOKEN_MOVED)[0].data["undone"] == [{"kind": "work_item", "element": "u"}]
    assert open_at(office, id) == ["several", "several"]
    office.do(lambda g: g.move(id, "several", "after", by="olga"))
    assert open_at(office, id) == ["after"]
    assert office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann")).status == "completed"


def test_inside_a_scope_and_not_out_of_it(office: Office) -> None:
    inner = sub("o", start("s1"), user("u"), user("v"), end("e1"), edges("s1 > u > v > e1"))
    id = office.start(model(start(), inner, user("w"), end(), edges("s > o > w > e"))).instance
    with pytest.raises(NotPossible, match="w: it is not in the scope of u"):
        office.do(lambda g: g.move(id, "u", "w", by="olga"))
    office.do(lambda g: g.move(id, "u", "v", by="olga"))
    assert open_at(office, id) == ["v"]


def test_the_branch_is_said_where_several_tokens_stand_there(office: Office) -> None:
    source = model(start(), gateway("g"), user("a"), user("b"), gateway("x", "exclusive"), user("t"), end(),
                   edges("s > g > a > x > t > e", "g > b > x"))  # fmt: skip
    id = office.start(source).instance
    for _ in range(2):
        office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    with pytest.raises(NotPossible, match="say which branch, of /g"):
        office.do(lambda g: g.move(id, "t", "e", by="olga"))
    branch = next(iter(office.do(lambda g: g.heads(id))))
    assert office.do(lambda g: g.move(id, "t", "e", branch=branch, by="olga")).status == "waiting"
    assert open_at(office, id) == ["t"]


@pytest.mark.parametrize("to", ["j", "late", "s", "nothing"])
def test_where_no_token_can_be_put(office: Office, to: str) -> None:
    source = model(start(), gateway("g"), user("a"), boundary("late", "a", timer("PT1H")), user("b"), gateway("j"),
                   end(), edges("s > g > a > j > e", "g > b > j", "late > e"))  # fmt: skip
    id = office.start(source).instance
    with pytest.raises(NotPossible, match=f"cannot move: {to}"):
        office.do(lambda g: g.move(id, "a", to, by="olga"))
    with pytest.raises(NotPossible, match="no token stands at late; tokens stand at a, b"):
        office.do(lambda g: g.move(id, "late", "b", by="olga"))


def test_a_branch_that_was_moved_still_comes_together_with_the_others(office: Office) -> None:
    source = model(start(), gateway("g"), user("a"), script("a2", "left = 1"), user("b"), script("b2", "right = x"),
                   gateway("j"), end(), edges("s > g > a > a2 > j > e", "g > b > b2 > j"))  # fmt: skip
    id = office.start(source, {"x": 7}).instance
    office.do(lambda g: g.move(id, "a", "a2", by="olga"))
    result = office.do(lambda g: g.complete(g.work_items()[0].id, {}, by="ann"))
    assert (result.status, result.variables["left"], result.variables["right"]) == ("completed", 1, 7)


def test_a_moved_token_may_be_asked_about_first(office: Office) -> None:
    strict = '<extensionElements><gov:policy interactionLevel="EXPLICIT_APPROVAL"/></extensionElements>'
    body = start() + user("a", strict) + user("b") + end() + edges("s > a > b > e")
    id = office.start(document(f'<process id="p" isExecutable="true">{body}</process>')).instance
    office.do(lambda g: g.move(id, "a", "b", by="olga"))
    (question,) = office.do(lambda g: g.interventions(id))
    assert (question.shown["from"], question.shown["to"], question.shown["undone"]) == (
        "a", "b", [{"kind": "work_item", "element": "a"}],
    )  # fmt: skip
    office.do(lambda g: g.answer(question.id, "approve", by="ann"))
    assert open_at(office, id) == ["b"]
