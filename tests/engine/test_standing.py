"""What the variables of an instance are while branches go on, or wait at a join for a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.governor import Governor
from engine.result import RunResult
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user

ASKS = policy('<gov:policy><gov:branchStrategy merge="HUMAN"/></gov:policy>')


@pytest.fixture
def governor(tmp_path: Path) -> Iterator[Governor]:
    with open_governor(str(tmp_path / "governor.db")) as opened:
        yield opened


def forked(left: str, right: str, *more: str, paths: tuple[str, ...] = ("s > g > a > j > e", "g > b > j")) -> bytes:
    return model(start(), gateway("g"), script("a", left), script("b", right),
                 f'<parallelGateway id="j">{ASKS}</parallelGateway>', end(), *more, edges(*paths))  # fmt: skip


def begun(governor: Governor, source: bytes, **variables: Any) -> RunResult:
    return governor.start(load(source, file="m.bpmn"), variables)


def values(result: RunResult) -> dict[str, dict[str, Any]]:
    """By variable and the branch's last part, the value."""
    return {
        name: {each["branch"].rpartition(".")[2]: each.get("value", "deleted") for each in held}
        for name, held in result.differing.items()
    }


def test_at_a_held_join_what_is_settled_stands_and_what_differs_is_told(governor: Governor) -> None:
    source = forked("x = 1; left = True; same = 5; del gone", "x = 2; right = True; same = 5; gone = 0")
    result = begun(governor, source, x=0, kept="k", gone="g", same=0)
    assert result.status == "waiting"
    assert result.variables == {"kept": "k", "left": True, "right": True, "same": 5}
    assert values(result) == {"x": {"a": 1, "b": 2}, "gone": {"a": "deleted", "b": 0}}
    again = governor.result(result.instance)
    assert (again.variables, again.differing) == (result.variables, result.differing)
    asked = result.waiting[0]["id"]
    result = governor.answer(asked, "resolve", by="ann", values={"x": 7, "gone": 8})
    assert (result.status, result.differing) == ("completed", {})
    assert result.variables == {"kept": "k", "left": True, "right": True, "same": 5, "x": 7, "gone": 8}


def test_a_branch_that_waits_does_not_hide_what_others_did(governor: Governor) -> None:
    source = forked("x = 1", "y = 2", user("u"), paths=("s > g > a > j > e", "g > b > u > j"))
    result = begun(governor, source, x=0, y=0)
    assert (result.variables, result.differing) == ({"x": 1, "y": 2}, {})


def test_what_a_branch_inside_has_seen_and_changed_is_no_difference(governor: Governor) -> None:
    inside = (gateway("h"), gateway("k"), user("u"), script("c", "x = x + 10"))
    paths = ("s > g > a > h > c > k > j > e", "h > u > k", "g > b > j")
    result = begun(governor, forked("x = 1", "y = 2", *inside, paths=paths), x=0)
    assert (result.variables, result.differing) == ({"x": 11, "y": 2}, {})


def test_variables_of_a_called_process_are_its_own(governor: Governor) -> None:
    given = (
        '<ioSpecification><dataInput id="qi" name="x"/><inputSet><dataInputRefs>qi</dataInputRefs></inputSet>'
        "<outputSet/></ioSpecification>"
    )
    inner = f"{given}{start('t')}{script('i', 'x = 5')}{user('w')}{end('f')}{edges('t > i > w > f')}"
    called = f'<process id="q">{inner}</process>'
    source = model(
        start(), gateway("g"), '<callActivity id="c" calledElement="q"/>', script("b", "y = 2"), gateway("j"), end(),
        edges("s > g > c > j > e", "g > b > j"), beside=called,
    )  # fmt: skip
    result = begun(governor, source, x=0)
    assert (result.variables, result.differing) == ({"x": 0, "y": 2}, {})
