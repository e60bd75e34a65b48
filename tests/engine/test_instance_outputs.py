"""What is collected of each instance of an activity may read what is the instance's own: its inputs and its results."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.status import Status
from tests.engine.governed.test_derived_taint import tainted
from tests.engine.governed.test_tainting import giving
from tests.engine.models import edges, end, start
from tests.engine.running import Run
from tests.engine.test_mappings import _input, _io, _output, _source

KINDS = {
    "serviceTask": "",
    "userTask": "",
    "scriptTask": "<script>res = x + 1</script>",
    "subProcess": '<startEvent id="is"/><scriptTask id="b"><script>res = x + 1</script></scriptTask><endEvent id="ie"/>'
    + edges("is > b > ie"),
    "callActivity": "",
}
CALLED = (
    f'<process id="q">{start("qs")}<scriptTask id="qb"><script>res = x + 1</script></scriptTask>{end("qe")}'
    f"{edges('qs > qb > qe')}</process>"
)
INPUT = _input("=it * 2", "x")


def run(kind: str, output: str, *mappings: str, sequential: bool = False) -> Run:
    """Instances for 1 and 2, with an input `x` of 2 and 4, and a result `res` of one more."""
    loop = (
        f'<multiInstanceLoopCharacteristics isSequential="{str(sequential).lower()}"><extensionElements>'
        f'<zeebe:loopCharacteristics inputCollection="=xs" inputElement="it" outputCollection="ys" '
        f'outputElement="{output}"/></extensionElements></multiInstanceLoopCharacteristics>'
    )
    job = '<zeebe:taskDefinition type="j"/>' if kind == "serviceTask" else '<zeebe:calledElement processId="q"/>'
    inside = f"<extensionElements>{job if kind in ('serviceTask', 'callActivity') else ''}{_io(INPUT, *mappings)}"
    task = f'<{kind} id="a">{inside}</extensionElements>{KINDS[kind]}{loop}</{kind}>'

    def do(work: Work) -> Outcome:
        return Outcome(outputs={"res": work.variables["x"] + 1})

    made = Run(_source(task, CALLED), {"xs": [1, 2]}, handlers={"a": do}, process="p")
    while made.instance.work_items:
        item = next(iter(made.instance.work_items.values()))
        made = made.reload()
        made.do("a", {"res": item.shown["inputs"]["x"] + 1})
    assert made.status is Status.COMPLETED
    return made


@pytest.mark.parametrize("sequential", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("output", "collected"), [("=x", [2, 4]), ("=res", [3, 5]), ("=x + res", [5, 9]), ("=[it, x][2]", [2, 4])]
)
def test_an_output_element_reads_inputs_and_results(kind: str, output: str, collected: Any, sequential: bool) -> None:
    made = run(kind, output, sequential=sequential)
    assert made.variables["ys"] == collected
    assert "x" not in made.variables


@pytest.mark.parametrize("kind", KINDS)
def test_it_reads_what_output_mappings_leave_inside_and_what_they_make(kind: str) -> None:
    made = run(kind, "=x + res + r2", _output("=res * 10", "r2"))
    assert made.variables["ys"] == [2 + 3 + 30, 4 + 5 + 50]
    assert run(kind, "=x + 0", _output("=res * 10", "x")).variables["ys"] == [30, 50]
    assert run(kind, "=x", _output("=res * 10", "x")).variables["ys"] == [30, 50]


@pytest.mark.parametrize("outside", [True, False])
@pytest.mark.parametrize(("output", "made_of_result"), [("=res + 1", True), ("=res", True), ("=[it, x]", False)])
def test_what_is_collected_of_what_came_from_outside_is_from_outside(
    output: str, made_of_result: bool, outside: bool
) -> None:
    loop = (
        '<multiInstanceLoopCharacteristics isSequential="true"><extensionElements><zeebe:loopCharacteristics '
        f'inputCollection="=xs" inputElement="it" outputCollection="ys" outputElement="{output}"/></extensionElements>'
        "</multiInstanceLoopCharacteristics>"
    )
    inside = f'<zeebe:taskDefinition type="j"/>{_io(INPUT, _output("=100", "one"))}'
    task = f'<serviceTask id="a"><extensionElements>{inside}</extensionElements>{loop}</serviceTask>'
    run = Run(_source(task), {"xs": [1]}, handlers={"a": giving({"res": 77}, outside=outside)})
    assert run.variables["ys"] == [{"=res + 1": 78, "=res": 77, "=[it, x]": [1, 2]}[output]]
    assert tainted(run, "ys") == [outside and made_of_result]
