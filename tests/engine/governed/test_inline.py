"""Scripts and plain tasks that are done at once come to what they come to step by step."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.processes import CASES
from bpmn.definition import Element
from engine.events import EventType
from engine.governed.activity_run import Phase
from engine.governed.inline import Inline
from engine.spiff.task import DrivenTask
from engine.status import Status
from tests.engine.models import edges, end, model, script, start
from tests.engine.running import Run, deployed_from


def course(source: bytes, variables: dict[str, Any], *, inline: bool) -> tuple[Any, ...]:
    deployed = deployed_from(source, None)
    if not inline:
        deployed.index.__dict__["inline"] = frozenset()
    run = Run(source, variables, deployed=deployed)
    return run.status, run.head, run.variables, list(run.memory.events), sorted(run.memory.commits)


def in_a_row(*codes: str) -> bytes:
    ids = [f"t{n}" for n in range(len(codes))]
    scripts = (script(id, code) for id, code in zip(ids, codes, strict=True))
    return model(start(), *scripts, end(), edges(f"s > {' > '.join(ids)} > e"))


@pytest.mark.parametrize("name", CASES)
def test_snapshots_and_events_are_the_same(name: str) -> None:
    assert course(CASES[name](9), {}, inline=True) == course(CASES[name](9), {}, inline=False)


def test_the_short_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    inner = Inline.done

    def noted(self: Inline, task: DrivenTask, element: Element) -> bool:
        if inner(self, task, element):
            done.append(element.id)
        return element.id in done

    monkeypatch.setattr(Inline, "done", noted)
    Run(in_a_row("x = 1", "y = x + 1"))
    assert done == ["t0", "t1"]


def test_what_does_not_fit_is_compressed_first() -> None:
    source, variables = in_a_row("x = 1", "del big", "y = 1"), {"big": "The pump stopped. " * 900}
    assert course(source, variables, inline=True) == course(source, variables, inline=False)
    assert [event.type for event in Run(source, variables).memory.events if event.type is EventType.D1]


@pytest.mark.parametrize("code", ["x = 1 / zero", "x = 10 ** 400"])
def test_a_script_that_fails_is_an_incident_of_its_work_and_may_be_tried_again(code: str) -> None:
    run = Run(in_a_row("y = 1", code), {"zero": 0})
    assert run.status is Status.FAILED
    [id] = run.instance.incidents
    task = run.instance.task(id)
    assert task is not None
    assert (task.activity.phase, task.activity.failed_in) == (Phase.INCIDENT, Phase.WORKING)
    assert run.retry(id) is Status.FAILED
