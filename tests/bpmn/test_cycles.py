"""Which nodes of a graph may lead back to themselves."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bpmn.cycles import on_cycles

NODES = "abcdefg"
graphs = st.dictionaries(st.sampled_from(NODES), st.lists(st.sampled_from(NODES), max_size=3), max_size=len(NODES))


def reached(graph: dict[str, list[str]], start: str) -> set[str]:
    """The nodes that a way of one step or more leads to."""
    found: set[str] = set()
    todo = [*graph.get(start, ())]
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += graph.get(node, ())
    return found


@settings(derandomize=True, max_examples=300)
@given(graphs)
def test_what_is_left_is_on_a_cycle_or_between_two(graph: dict[str, list[str]]) -> None:
    nodes = {*graph, *(target for targets in graph.values() for target in targets)}
    cyclic = {node for node in nodes if node in reached(graph, node)}
    after = {node for node in nodes if cyclic & {node, *reached(graph, node)}}
    before = {node for node in nodes if any(node in {other, *reached(graph, other)} for other in cyclic)}
    assert on_cycles(graph) == after & before


def test_a_row_has_none_and_a_loop_is_one() -> None:
    assert on_cycles({"a": ["b"], "b": ["c"]}) == set()
    assert on_cycles({"a": ["b"], "b": ["c"], "c": ["b", "d"]}) == {"b", "c"}
    assert on_cycles({"a": ["a"]}) == {"a"}
