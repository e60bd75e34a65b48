"""Variables are changed by hand."""

from __future__ import annotations

import pytest

from engine.activities.work import Outcome, Work
from engine.errors import UnknownBranch
from engine.events import EventType
from engine.operations.operation import NotPossible
from governance.vocabulary import Producer
from tests.engine.models import boundary, condition, edges, end, gateway, model, script, service, start, user
from tests.engine.operating.office import Office

DOUBTED = model(start(), service("a"), end(), edges("s > a > e"))
ONE = model(start(), user("u"), script("then", "seen = x"), end(), edges("s > u > then > e"))
TWO = model(
    start(), gateway("g"), user("a"), user("b"), gateway("j"), end(), edges("s > g > a > j > e", "g > b > j")
)


def doubtful(work: Work) -> Outcome:
    return Outcome(outputs={"y": work.variables["x"]}, confidence=0.2, producer=Producer.AGENT)


@pytest.mark.parametrize("suspended", [False, True])
def test_variables_are_set_and_taken_away(office: Office, suspended: bool) -> None:
    begun = office.start(ONE, {"x": 1, "old": True})
    if suspended:
        office.do(lambda g: g.suspend(begun.instance, by="olga"))
    edited = office.do(lambda g: g.edit(begun.instance, {"x": 2}, delete=["old"], by="olga", reason="a typo"))
    assert edited.status == ("suspended" if suspended else "waiting")
    assert dict(edited.variables) == {"x": 2}
    (event,) = office.log(begun.instance, EventType.VARIABLES_EDITED)
    assert dict(event.data) == {"by": "olga", "reason": "a typo", "variables": ["old", "x"]}
    if suspended:
        office.do(lambda g: g.unsuspend(begun.instance, by="olga"))
    done = office.do(lambda g: g.complete(begun.waiting[0]["id"], {}, by="ann"))
    assert (done.status, done.variables["seen"]) == ("completed", 2)


def test_one_branch_is_meant_and_it_has_written_what_was_set(office: Office) -> None:
    begun = office.start(TWO, {"x": 1})
    with pytest.raises(UnknownBranch):
        office.do(lambda g: g.edit(begun.instance, {"x": 2}, by="olga"))
    branch = next(iter(office.do(lambda g: g.heads(begun.instance))))
    office.do(lambda g: g.edit(begun.instance, {"x": 2}, branch=branch, by="olga"))
    for item in begun.waiting:
        result = office.do(lambda g, item=item: g.complete(item["id"], {}, by="ann"))
    assert (result.status, result.variables["x"], result.conflicts) == ("completed", 2, [])


def test_what_is_asked_about_the_context_is_asked_anew(office: Office) -> None:
    office.doers["a"] = doubtful
    begun = office.start(DOUBTED, {"x": 1})
    (first,) = begun.waiting
    again = office.do(lambda g: g.edit(begun.instance, {"x": 2}, by="olga"))
    assert office.do(lambda g: g.store.intervention(first["id"])).status == "withdrawn"
    assert again.waiting[0]["id"] != first["id"]


def test_no_context_changes_under_a_question_that_cannot_be_asked_anew(office: Office) -> None:
    office.doers["a"] = doubtful
    begun = office.start(DOUBTED, {"x": 1})
    office.do(lambda g: g.suspend(begun.instance, by="olga"))
    with pytest.raises(NotPossible, match="unsuspend first"):
        office.do(lambda g: g.edit(begun.instance, {"x": 2}, by="olga"))


def test_a_condition_that_waits_for_the_variable_holds_now(office: Office) -> None:
    source = model(start(), user("u"), boundary("b", "u", condition("x > 1")), end(), end("e2"),
                   edges("s > u > e", "b > e2"))  # fmt: skip
    begun = office.start(source, {"x": 1})
    assert begun.status == "waiting"
    assert office.do(lambda g: g.edit(begun.instance, {"x": 2}, by="olga")).status == "completed"
    assert [each.element for each in office.log(begun.instance, EventType.INTERRUPTED)] == ["b"]
