"""What work came to comes back as it was."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import BpmnErrorRaised, DeadEndNote, Finding, Outcome, Suspended
from engine.governed.chains import Thought
from engine.replay.results import Unkept, dump_result, load_result
from governance.cda.dead_ends.transient import is_transient
from governance.snapshots.values import ValueStore
from governance.vocabulary import Producer

EVERY: dict[str, Any] = {
    "outputs": {"x": [1, {"y": 2.5}], "big": 2**70},
    "deleted": frozenset({"a", "b"}),
    "confidence": 0.25,
    "decision": "so be it",
    "problems": ("missing: z",),
    "blocked_tool": "rm",
    "breached_guard": "size",
    "tools": ("look", "see"),
    "findings": (Finding("it rains", 0.5, "weather"),),
    "producer": Producer.AGENT,
    "tokens_assembled": 7,
    "tokens_ungoverned": 9,
    "head": "0" * 32,
    "dead_ends": (DeadEndNote("x", {"v": 1}, "no", ("a", "b")),),
    "outside": True,
    "trusted": frozenset({"look"}),
    "zones": [["HISTORY/@1:a", "keep", 0, False]],
    "refused": True,
}


def again(result: Any) -> Any:
    values = ValueStore()
    return load_result(values, dump_result(values, result))


def test_every_field_of_an_outcome() -> None:
    assert set(EVERY) == set(Outcome._fields), "a new field has to be kept, too: engine/replay/results.py"
    assert again(Outcome(**EVERY)) == Outcome(**EVERY)
    assert again(Outcome()) == Outcome()


@pytest.mark.parametrize("field", EVERY)
def test_each_field_by_itself(field: str) -> None:
    outcome = Outcome(**{field: EVERY[field]})
    assert again(outcome) == outcome


def test_thoughts_and_interruptions() -> None:
    thought = Thought({"WORKING/x": "short"}, "look here", {"c1": ["a", "why", 0.9]})
    assert again(thought) == thought
    assert again(Suspended("a")).element == "a"
    raised = again(BpmnErrorRaised("broken", "it broke", {"why": [1]}))
    assert (raised.code, raised.variables, str(raised)) == ("broken", {"why": [1]}, "BPMN error broken: it broke")


def test_errors_are_caught_and_told_as_they_were() -> None:
    class Gone(ConnectionError):
        status_code = 503

    found = again(Gone("not there"))
    assert [each.__name__ for each in type(found).__mro__][:2] == ["Gone", "ConnectionError"]
    assert (str(found), is_transient(found)) == ("not there", True)
    assert str(again(KeyError("name"))) == "'name'"
    assert not is_transient(again(ValueError("no such order")))


def test_what_is_no_json_is_not_kept() -> None:
    with pytest.raises(Unkept, match="not kept"):
        again(Outcome(outputs={"x": object()}))
