"""Large files load in time that grows with the file, and without recursion over its flows."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from bpmn.load import load
from tests.bpmn.files import chain, flow, policy, process
from tests.bpmn.rule_shapes import SPLITS


def sequence(count: int) -> bytes:
    """A row of script tasks."""
    ids = ["s", *(f"t{n}" for n in range(count)), "e"]
    tasks = (
        f'<scriptTask id="t{n}"><incoming>f{n}</incoming><outgoing>f{n + 1}</outgoing>'
        "<script>n = n + 1</script></scriptTask>"
        for n in range(count)
    )
    flows = (flow(f"f{n}", ids[n], ids[n + 1]) for n in range(count + 1))
    return process("\n".join(['<startEvent id="s"/>', *tasks, '<endEvent id="e"/>', *flows]))


def wide(count: int) -> bytes:
    """A parallel block of many branches behind one exclusive gateway each."""
    nodes = ['<startEvent id="s"/><parallelGateway id="g"/><parallelGateway id="j"/><endEvent id="e"/>']
    flows = [flow("f", "s", "g"), flow("k", "j", "e")]
    for n in range(count):
        nodes.append(f'<exclusiveGateway id="x{n}"/><task id="t{n}"/>')
        flows += [flow(f"a{n}", "g", f"x{n}"), flow(f"b{n}", f"x{n}", f"t{n}", "n &gt; 1"), flow(f"c{n}", f"x{n}", "j")]
    return process("\n".join([*nodes, *flows]))


def blocks(count: int) -> bytes:
    """Parallel blocks of two tasks in a row, each in a loop of its own."""
    nodes, flows, last = ['<startEvent id="s"/>'], [], "s"
    for n in range(count // 8):
        nodes.append(
            f'<exclusiveGateway id="m{n}"/><parallelGateway id="g{n}"/><task id="a{n}"/><task id="b{n}"/>'
            f'<parallelGateway id="j{n}"/><exclusiveGateway id="x{n}" default="o{n}"/>'
        )
        flows += [
            flow(f"i{n}", last, f"m{n}"), flow(f"o{n}", f"x{n}", f"y{n}"),
            flow(f"r{n}", f"x{n}", f"m{n}", "n &gt; 1"),
            *(flow(f"{a}{b}{n}", f"{a}{n}", f"{b}{n}") for a, b in ("mg", "ga", "gb", "aj", "bj", "jx")),
        ]  # fmt: skip
        nodes.append(f'<task id="y{n}"/>')
        last = f"y{n}"
    return process("\n".join([*nodes, '<endEvent id="e"/>', *flows, flow("e-", last, "e")]))


def retaining(count: int) -> bytes:
    """A row of which the first half retains what the second half produces."""
    kept, made = ' gov:retainKeys="x"', "<script>x = 1</script>"
    halves = [(kept, "<script>y = 1</script>")] * (count // 2) + [("", made)] * (count // 2)
    return chain(*(f'<scriptTask id="t{n}"{key}>{script}</scriptTask>' for n, (key, script) in enumerate(halves)))


def splitting(count: int) -> bytes:
    """Sub-processes with a split each, of which the first alone has a strategy."""
    said = policy(SPLITS)
    return chain(*(
        f'<subProcess id="u{n}"><startEvent id="s{n}"/><parallelGateway id="g{n}">{"" if n else said}</parallelGateway>'
        f'<task id="a{n}"/><task id="b{n}"/>' + flow(f"x{n}", f"s{n}", f"g{n}") + flow(f"y{n}", f"g{n}", f"a{n}")
        + flow(f"z{n}", f"g{n}", f"b{n}") + "</subProcess>"
        for n in range(count // 8)
    ))  # fmt: skip


def wrong(count: int) -> bytes:
    """A file in which everything is wrong."""
    nodes = [f'<scriptTask id="t{n}" gov:workingTreshold="0"/>{flow(f"f{n}", f"t{n}", f"no{n}")}' for n in range(count)]
    return process("\n".join(nodes))


def cpu(data: bytes) -> float:
    """Seconds of CPU to load, the better of two."""
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        load(data, file="a.bpmn")
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.slow
@pytest.mark.parametrize("make", [sequence, wide, blocks, retaining, splitting, wrong])
def test_eight_times_the_file_takes_about_eight_times_as_long(make: Callable[[int], bytes]) -> None:
    small, large = cpu(make(500)), cpu(make(4000))
    assert large < 20 * small


@pytest.mark.slow
def test_a_row_of_30_000_tasks_loads_in_about_ten_times_what_3_000_take() -> None:
    few, start = cpu(sequence(3_000)), time.process_time()
    result = load(sequence(30_000), file="a.bpmn")
    assert not result.findings
    assert len(result.definition.processes["p"].scope.elements) == 30_002
    assert time.process_time() - start < 25 * few
