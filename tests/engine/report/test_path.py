"""The path told from the log is the one that tokens took."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bpmn.definition import Definition, Element
from bpmn.reader.kinds import ACTIVITIES
from engine.governed.hooks import GovernedHooks
from engine.report.model.path import Path, find_path
from engine.report.model.places import Places
from engine.spiff.task import DrivenTask
from tests.engine.models import boundary, edges, end, gateway, message, model, script, start, sub, user
from tests.engine.random.generator import process_of
from tests.engine.random.running import Course
from tests.engine.running import Run


def path_of(run: Run, tokens: tuple[tuple[str, str], ...] = ()) -> Path:
    return find_path(Places(run.deployed.index.definition), "p", run.memory.events, tokens)


def flows(*content: str, variables: dict[str, Any] | None = None) -> dict[str, int]:
    """Flows that a run to the end took, by their ends."""
    return by_ends(Run(model(*content), variables).do_all())


def by_ends(run: Run) -> dict[str, int]:
    found = path_of(run).flows
    definition = run.deployed.index.definition
    scopes = Places(definition).scopes.values()
    known = {flow.id: f"{flow.source} {flow.target}" for scope in scopes for flow in scope.flows.values()}
    return {known[flow]: count for flow, count in found.items()}


class Watched:
    """What the engine itself says of tokens: each element that one reached, and the element that it came from."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[tuple[str, str]] = []
        enter = GovernedHooks.enter

        def watch(hooks: GovernedHooks, task: DrivenTask) -> None:
            if task.up is not None and not task.triggered:
                self.seen.append((task.up.task_spec.name, task.task_spec.name))
            enter(hooks, task)

        monkeypatch.setattr(GovernedHooks, "enter", watch)

    def flows(self, run: Run) -> Counter[str]:
        places = Places(run.deployed.index.definition)
        ends = Counter(self.seen)
        found: Counter[str] = Counter()
        for scope in places.scopes.values():
            for flow in scope.flows.values():
                found[flow.id] = ends[flow.source, flow.target]
        return +found


def unclear(definition: Definition) -> set[str]:
    """Flows of which the log does not tell how often they were taken.

    Where a sub-process loops around nothing but looping calls and sub-processes, its rounds look like theirs: of these
    the log tells how they end, but not before what is done inside.
    """
    places = Places(definition)
    found: set[str] = set()
    for id, scope in places.scopes.items():
        activities = [each for each in scope.elements.values() if each.kind in ACTIVITIES and not _is_told(each)]
        holder = places.find(id)
        if holder is not None and holder.element.loop and activities and all(each.loop for each in activities):
            found.update(scope.flows)
    return found


def _is_told(element: Element) -> bool:
    """Whether the log says with each round of it, before anything else, that it is its first."""
    return element.loop is not None and element.scope is None and element.called is None


@pytest.mark.parametrize("seed", range(60))
def test_random_processes_take_the_flows_that_the_engine_took(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched(monkeypatch)
    run = Course.of(process_of(seed)).run(order=seed)
    found, expected = path_of(run).flows, watched.flows(run)
    doubtful = unclear(run.deployed.index.definition)
    assert found.keys() == expected.keys()
    assert {flow: found[flow] for flow in found.keys() - doubtful} == {
        flow: expected[flow] for flow in expected.keys() - doubtful
    }


def test_a_choice_takes_one_way_and_a_loop_takes_it_again() -> None:
    content = (
        start(),
        gateway("m", "exclusive"),
        script("a", "n = n + 1"),
        gateway("x", "exclusive", default="out"),
        script("b", "pass"),
        end(),
        edges("s > m > a > x", "x -n < 3-> m", "x =out=> b > e"),
    )
    taken = flows(*content, variables={"n": 0})
    assert taken == {"s m": 1, "m a": 3, "a x": 3, "x m": 2, "x b": 1, "b e": 1}


def test_an_interrupted_activity_is_left_by_its_boundary_event() -> None:
    run = Run(
        model(
            start(),
            sub("box", start("s2"), user("u"), end("e2"), edges("s2 > u > e2")),
            boundary("stop", "box", message()),
            script("after", "pass"),
            end(),
            end("e3"),
            edges("s > box > e", "stop > after > e3"),
            beside='<message id="m" name="m"/>',
        )
    )
    run.go(lambda: run.advancing.correlate("m", {}))
    assert run.status == "completed"
    taken = by_ends(run)
    assert taken == {"s box": 1, "s2 u": 1, "stop after": 1, "after e3": 1}
    assert path_of(run).passed["stop"] == 1


def test_an_error_is_thrown_at_its_end_event() -> None:
    caught = '<errorEventDefinition errorRef="err"/>'
    run = Run(
        model(
            start(),
            sub("box", start("s2"), script("t", "pass"), end("bad", caught), edges("s2 > t > bad")),
            boundary("rescue", "box", caught),
            end(),
            end("e3"),
            edges("s > box > e", "rescue > e3"),
            beside='<error id="err" errorCode="E"/>',
        )
    )
    assert by_ends(run) == {"s box": 1, "s2 t": 1, "t bad": 1, "rescue e3": 1}


def test_a_branch_that_an_interruption_ended_is_told() -> None:
    inner = (start("s2"), gateway("g"), user("u"), user("v"), gateway("j"), end("e2"))
    run = Run(
        model(
            start(),
            sub("box", *inner, edges("s2 > g > u > j > e2", "g > v > j")),
            boundary("stop", "box", message()),
            end(),
            end("e3"),
            edges("s > box > e", "stop > e3"),
            beside='<message id="m" name="m"/>',
        )
    )
    run.go(lambda: run.advancing.correlate("m", {}))
    [lost] = path_of(run).lost.values()
    assert [branch.rpartition(".")[2] for branch in lost] == ["u", "v"]


def test_the_path_goes_on_to_where_tokens_wait() -> None:
    run = Run(
        model(
            start(),
            script("t", "pass"),
            f'<intermediateCatchEvent id="c">{message()}</intermediateCatchEvent>',
            end(),
            edges("s > t > c > e"),
            beside='<message id="m" name="m"/>',
        )
    )
    found = path_of(run, (("c", ""),))
    assert len(found.flows) == 2
    assert found.passed["c"] == 0


def test_what_is_not_known_marks_nothing() -> None:
    run = Run(model(start(), script("t", "pass"), end(), edges("s > t > e")))
    places = Places(run.deployed.index.definition)
    strange = [event for event in run.memory.events if event.element is None]
    assert not find_path(places, "p", [], (("nowhere", ""), ("t", "/nobody"))).flows
    assert strange
