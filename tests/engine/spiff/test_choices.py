"""Gateways at which no flow can be taken say which conditions did not hold."""

from __future__ import annotations

import pytest

from engine.status import Status
from tests.engine.models import edges, gateway, model, script, start
from tests.engine.running import Run

X, Y = script("x", "r = 1"), script("y", "r = 2")


@pytest.mark.parametrize("kind", ["exclusive", "inclusive", "complex"])
def test_no_condition_and_no_default_is_an_incident_that_names_the_flows(kind: str) -> None:
    run = Run(model(start(), gateway("g", kind), X, Y, edges("s > g", "g -n > 1-> x", "g -n > 2-> y")), {"n": 0})
    assert (run.status, run.done()) == (Status.FAILED, [])
    assert [each.kind for each in run.instance.incidents.values()] == ["NoFlowTaken"]
    told = "g: no condition of its flows holds (f_1_g_x, f_2_g_y), and it has no default flow"
    assert told in (run.instance.reason or "")


def test_a_task_whose_conditions_do_not_hold_names_its_flows_too() -> None:
    run = Run(model(start(), script("a", "n = 0"), X, Y, edges("s > a", "a -n > 1-> x", "a -n > 2-> y")))
    assert (run.status, run.done()) == (Status.FAILED, ["a"])
    assert "f_1_a_x, f_2_a_y" in (run.instance.reason or "")
