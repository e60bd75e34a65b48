"""Drawings for files that have none."""

from __future__ import annotations

from itertools import combinations

import pytest

from bpmn.definition import Element, Scope, Shape
from bpmn.load import load
from engine.report.geometry import Box, around
from engine.report.model.layout import lay_out
from engine.report.model.ranks import arrange
from tests.engine.models import boundary, edges, end, gateway, model, script, start, sub, timer, user
from tests.engine.random.drawing import Drawing
from tests.engine.random.generator import process_of


def scope_of(source: bytes) -> Scope:
    return load(source, file="m.bpmn", process="p").definition.processes["p"].scope


def boxes(scope: Scope, shapes: dict[str, Shape]) -> dict[str, Box]:
    return {id: Box(*shapes[id].bounds) for id in scope.elements}


def straight(*content: str, path: str) -> tuple[Scope, dict[str, Shape]]:
    scope = scope_of(model(start(), *content, end(), edges(path)))
    return scope, lay_out(scope)


def nested(scope: Scope) -> list[tuple[Element, Scope]]:
    found = [(element, element.scope) for element in scope.elements.values() if element.scope is not None]
    return found + [each for _, inner in found for each in nested(inner)]


@pytest.mark.parametrize("seed", range(40))
def test_nothing_covers_anything_and_everything_is_drawn(seed: int) -> None:
    scope = scope_of(Drawing().draw(process_of(seed)))
    shapes = lay_out(scope)
    for each in (scope, *(inner for _, inner in nested(scope))):
        placed = boxes(each, shapes)
        free = [placed[id] for id, element in each.elements.items() if element.attached_to is None]
        assert not [(one, other) for one, other in combinations(free, 2) if one.meets(other)]
        assert all(len(shapes[flow].waypoints) > 1 for flow in each.flows)
    for element, inner in nested(scope):
        outer = Box(*shapes[element.id].bounds)
        assert all(outer.holds((box.x, box.y)) and outer.holds((box.right, box.bottom)) for box in
                   boxes(inner, shapes).values())  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_flows_begin_and_end_at_their_elements(seed: int) -> None:
    scope = scope_of(Drawing().draw(process_of(seed)))
    shapes = lay_out(scope)
    for flow in scope.flows.values():
        points = shapes[flow.id].waypoints
        for id, (x, y) in ((flow.source, points[0]), (flow.target, points[-1])):
            box = Box(*shapes[id].bounds)
            assert Box(box.x - 1, box.y - 1, box.width + 2, box.height + 2).holds((x, y)), flow.id


def test_a_sequence_stands_in_one_line_from_left_to_right() -> None:
    scope, shapes = straight(script("a", "x = 1"), user("b"), path="s > a > b > e")
    placed = boxes(scope, shapes)
    assert placed["s"].right < placed["a"].x < placed["a"].right < placed["b"].x < placed["e"].x
    assert len({box.middle[1] for box in placed.values()}) == 1
    assert all(len(shapes[flow].waypoints) == 2 for flow in scope.flows)


def test_a_loop_leads_back_below() -> None:
    content = (gateway("m", "exclusive"), script("a", "x = 1"), gateway("x", "exclusive", default="out"))
    scope = scope_of(model(start(), *content, end(), edges("s > m > a > x", "x -x > 0-> m", "x =out=> e")))
    back = arrange(scope).back
    assert [(scope.flows[flow].source, scope.flows[flow].target) for flow in back] == [("x", "m")]
    shapes = lay_out(scope)
    lowest = max(box.bottom for box in boxes(scope, shapes).values())
    assert max(y for _, y in shapes[back[0]].waypoints) > lowest


def test_a_boundary_event_stands_on_its_activity_and_what_it_leads_to_below() -> None:
    content = (user("u"), boundary("late", "u", timer("PT1H")), script("after", "x = 1"), end("e2"))
    scope = scope_of(model(start(), *content, end(), edges("s > u > e", "late > after > e2")))
    placed = boxes(scope, lay_out(scope))
    assert placed["late"].middle[1] == placed["u"].bottom
    assert placed["after"].y > placed["e"].y


def test_a_long_process_goes_on_in_a_line_below() -> None:
    names = [f"t{number}" for number in range(60)]
    scope, shapes = straight(*(script(name, "x = 1") for name in names), path=f"s > {' > '.join(names)} > e")
    every = around(boxes(scope, shapes).values())
    assert every.width < 2_000 < every.height + every.width
    assert boxes(scope, shapes)["t59"].y > boxes(scope, shapes)["t0"].bottom


def test_a_process_of_many_thousand_elements_is_laid_out() -> None:
    names = [f"t{number}" for number in range(3_000)]
    scope, shapes = straight(*(script(name, "x = 1") for name in names), path=f"s > {' > '.join(names)} > e")
    assert len(shapes) == len(scope.elements) + len(scope.flows)


def test_a_sub_process_is_as_large_as_what_it_holds() -> None:
    inner = sub("box", start("s2"), script("a", "x = 1"), script("b", "x = 2"), end("e2"), edges("s2 > a > b > e2"))
    scope, shapes = straight(inner, path="s > box > e")
    assert Box(*shapes["box"].bounds).width > 350
    assert len(scope.elements) == 3


def test_a_split_of_many_branches_has_a_row_for_each() -> None:
    names = [f"t{number}" for number in range(2_000)]
    paths = [f"g > {name} > j" for name in names]
    content = (gateway("g"), gateway("j"), *(script(name, "x = 1") for name in names))
    scope = scope_of(model(start(), *content, end(), edges("s > g", *paths, "j > e")))
    cells = arrange(scope).cells
    rows = [cells[name][1] for name in names]
    assert sorted(rows) == list(range(2_000))
