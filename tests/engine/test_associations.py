"""Data associations that assign or transform (BPMN 2.0, 10.4.2): what an element sees, and what comes out of it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.activities.work import Outcome, Work
from engine.status import Status
from tests.bpmn.files import chain, loaded
from tests.engine.models import message, script
from tests.engine.running import Run

OBJECTS = '<dataObject id="d1" name="order"/><dataObjectReference id="r1" dataObjectRef="d1" name="order"/>'


def _io(inputs: str = "", outputs: str = "") -> str:
    return f"<ioSpecification>{inputs}{outputs}<inputSet/><outputSet/></ioSpecification>"


def _input(name: str) -> str:
    return f'<dataInput id="in_{name}" name="{name}"/>'


def _output(name: str) -> str:
    return f'<dataOutput id="out_{name}" name="{name}"/>'


def _assign(source: str, target: str, language: str = "") -> str:
    said = f' language="{language}"' if language else ""
    return f"<assignment><from{said}>{source}</from><to>{target}</to></assignment>"


def _into(target: str, *inside: str, source: str = "") -> str:
    reference = f"<sourceRef>{source}</sourceRef>" if source else ""
    return f"<dataInputAssociation>{reference}<targetRef>{target}</targetRef>{''.join(inside)}</dataInputAssociation>"


def _out(source: str, target: str, *inside: str) -> str:
    return (
        f"<dataOutputAssociation><sourceRef>{source}</sourceRef><targetRef>{target}</targetRef>{''.join(inside)}"
        "</dataOutputAssociation>"
    )


def _service(*inside: str) -> str:
    return f'{OBJECTS}<serviceTask id="a" gov:jobType="j">{"".join(inside)}</serviceTask>'


def _run(task: str, outputs: dict[str, Any] | None = None) -> tuple[Run, dict[str, Any]]:
    seen: dict[str, Any] = {}

    def do(work: Work) -> Outcome:
        seen.update(work.variables)
        return Outcome(outputs=outputs or {})

    head, _, rest = task.partition("<serviceTask")
    source = chain(f"<serviceTask{rest}").replace(b'<startEvent id="s"/>', f'{head}<startEvent id="s"/>'.encode())
    return Run(source, {"order": {"total": 4, "no": "x"}}, handlers={"a": do}), seen


def test_an_assignment_sets_a_data_input_by_name_or_id_and_places_inside_it() -> None:
    assigned = _into(
        "in_sum", _assign("order['total'] * 2", "in_sum"), source="r1",
    ) + _into("in_bill", _assign('"EUR"', "bill.currency"), _assign("order['no']", "in_bill.of.order"))  # fmt: skip
    run, seen = _run(_service(_io(_input("sum") + _input("bill")), assigned))
    assert run.status is Status.COMPLETED
    assert (seen["sum"], seen["bill"]) == (8, {"currency": "EUR", "of": {"order": "x"}})
    assert run.variables == {"order": {"total": 4, "no": "x"}}


def test_a_transformation_makes_the_whole_target_and_the_assignments_beside_it_are_not_made() -> None:
    made = "<transformation>order['total'] + 1</transformation>"
    run, seen = _run(_service(_io(_input("sum")), _into("in_sum", made, _assign("0", "sum"), source="r1")))
    assert (run.status, seen["sum"]) == (Status.COMPLETED, 5)


def test_a_source_that_is_named_alone_is_copied_whatever_its_id_looks_like() -> None:
    run, seen = _run(_service(_io(_input("all")), _into("in_all", _assign("r1", "in_all"))))
    assert (run.status, seen["all"]) == (Status.COMPLETED, {"total": 4, "no": "x"})


def test_what_comes_out_is_assigned_to_data_and_the_other_outputs_come_out_as_they_are() -> None:
    out = _out("out_paid", "r1", _assign("paid * 10", "order.paid", "python"))
    run, _ = _run(_service(_io("", _output("paid") + _output("note")), out), {"paid": 3, "note": "n"})
    assert run.variables == {"order": {"total": 4, "no": "x", "paid": 30}, "note": "n"}


def test_a_name_with_a_blank_is_reached_by_its_id() -> None:
    source = chain(
        f'<userTask id="a">{_io(_input("the sum"))}{_into("in_the sum", _assign("n + 1", "in_the sum"))}</userTask>'
    ).replace(b"in_the sum", b"in_sum")
    (item,) = Run(source, {"n": 1}).instance.work_items.values()
    assert item.shown["inputs"] == {"the sum": 2}


def test_an_empty_transformation_says_nothing() -> None:
    run, seen = _run(_service(_io(_input("sum")), _into("in_sum", "<transformation/>", _assign("7", "in_sum"))))
    assert (run.status, seen["sum"]) == (Status.COMPLETED, 7)


def test_a_person_is_shown_what_is_assigned() -> None:
    source = chain(
        f'<userTask id="a">{_io(_input("sum"))}{_into("in_sum", _assign("n + 1", "in_sum"))}</userTask>'
    )
    run = Run(source, {"n": 1})
    (item,) = run.instance.work_items.values()
    assert item.shown["inputs"] == {"sum": 2}


def test_a_called_process_gets_what_is_assigned_beside_its_other_inputs() -> None:
    call = (
        f'<callActivity id="a" calledElement="q">{_io(_input("x") + _input("y"))}{_into("in_x", _assign("n * 2", "x"))}'
        "</callActivity>"
    )
    called = (
        f'<process id="q"><ioSpecification><dataOutput id="o" name="got"/><inputSet/><outputSet/></ioSpecification>'
        f'<startEvent id="qs"/>{script("t", "got = [x, y]")}'
        '<sequenceFlow id="q1" sourceRef="qs" targetRef="t"/></process>'
    )
    run = Run(chain(call, beside=called), {"n": 2, "y": 7}, process="p")
    assert run.variables["got"] == [4, 7]


def test_a_message_carries_what_is_assigned_and_who_catches_it_assigns_in_turn() -> None:
    throw = (
        f'<intermediateThrowEvent id="a"><dataInput id="in_v" name="v"/>{_into("in_v", _assign("n + 1", "in_v"))}'
        f"{message()}</intermediateThrowEvent>"
    )
    caught = _out("out_v", "r1", _assign("v * 2", "got.twice"))
    output = '<dataOutput id="out_v" name="v"/>'
    catch = f'<intermediateCatchEvent id="b">{output}{caught}{message()}</intermediateCatchEvent>'
    run = Run(chain(throw, catch, beside='<message id="m" name="m"/>'), {"n": 4})
    assert run.status is Status.COMPLETED
    assert run.variables == {"n": 4, "got": {"twice": 10}}


def test_what_is_caught_goes_to_the_data_that_an_association_names() -> None:
    payload = '<dataInput id="in_v" name="v"/><dataInput id="in_w" name="w"/>'
    throw = f'<intermediateThrowEvent id="a">{payload}{message()}</intermediateThrowEvent>'
    for catch in (
        f'<intermediateCatchEvent id="b"><dataOutput id="out_v" name="v"/>{_out("out_v", "r1")}{message()}'
        "</intermediateCatchEvent>",
        f'<receiveTask id="b" messageRef="m">{_io("", _output("v"))}{_out("out_v", "r1")}</receiveTask>',
    ):
        data = chain(throw, catch, beside='<message id="m" name="m"/>')
        data = data.replace(b'<startEvent id="s"/>', f'{OBJECTS}<startEvent id="s"/>'.encode())
        run = Run(data, {"v": 4, "w": 5})
        assert run.variables == {"v": 4, "w": 5, "order": 4}


@pytest.mark.parametrize(
    ("inside", "rule", "found"),
    [
        (_assign("1", "getDataInput('x')/y"), "data", "getDataInput('x')/y"),
        ("<assignment><to>x</to></assignment>", "data", None),
        (_assign("1 +", "in_x"), "expression", None),
        (_assign("x/y", "in_x", "xquery"), "expression", "x/y"),
    ],
)
def test_what_cannot_be_assigned_is_refused_with_its_element(inside: str, rule: str, found: str | None) -> None:
    errors = loaded(chain(_service(_io(_input("x")), _into("in_x", inside)).removeprefix(OBJECTS))).errors
    assert [(one.rule, one.element) for one in errors] == [(rule, "a")]
    assert errors[0].line is not None
    assert found is None or found in (errors[0].found or "")
