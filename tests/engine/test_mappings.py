"""Input and output mappings: what an activity sees, and what comes out of it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from bpmn.codec import from_json, to_json
from bpmn.load import load
from engine.activities.work import Outcome, Work
from engine.events import EventType
from engine.status import Status
from tests.engine.models import edges, end, start
from tests.engine.running import Run

SPACES = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:camunda="http://camunda.org/schema/1.0/bpmn"'


def _source(task: str, more: str = "") -> bytes:
    return (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {SPACES}>'
        f'<process id="p" isExecutable="true">{start()}{task}{end()}{edges("s > a > e")}</process>{more}</definitions>'
    ).encode()


def _task(mapping: str, kind: str = "serviceTask", inside: str = "", attributes: str = "") -> str:
    return (
        f'<{kind} id="a" {attributes}><extensionElements><zeebe:taskDefinition type="j"/>{mapping}'
        f"</extensionElements>{inside}</{kind}>"
    )


def _io(*parts: str) -> str:
    return f"<zeebe:ioMapping>{''.join(parts)}</zeebe:ioMapping>"


def _input(source: str, target: str) -> str:
    return f'<zeebe:input source="{source}" target="{target}"/>'


def _output(source: str, target: str) -> str:
    return f'<zeebe:output source="{source}" target="{target}"/>'


def _doing(seen: dict[str, Any], **outputs: Any) -> dict[str, Any]:
    def do(work: Work) -> Outcome:
        seen.update(work.variables)
        return Outcome(outputs=outputs)

    return {"a": do}


def test_a_handler_sees_its_inputs_and_only_mapped_outputs_come_out() -> None:
    seen: dict[str, Any] = {}
    mapping = _io(_input("=order.total * 2", "amount"), _output("=paid + amount", "order.paid"))
    source = _source(_task(mapping))
    run = Run(source, {"order": {"total": 4}, "other": 1}, handlers=_doing(seen, paid=1, secret=2))
    assert seen == {"amount": 8, "order": {"total": 4}, "other": 1}
    assert run.variables == {"order": {"total": 4, "paid": 9}, "other": 1}


def test_without_output_mappings_all_comes_out_but_what_is_local() -> None:
    seen: dict[str, Any] = {}
    run = Run(_source(_task(_io(_input("=1", "x")))), handlers=_doing(seen, x=5, y=6))
    assert run.variables == {"y": 6}


def test_one_variable_for_the_whole_result() -> None:
    task = _task("", attributes='camunda:resultVariable="r"')
    assert Run(_source(task), handlers=_doing({}, a=1, b=2)).variables == {"r": {"a": 1, "b": 2}}
    assert Run(_source(task), handlers=_doing({}, result=3)).variables == {"r": 3}


def test_a_script_works_on_its_inputs() -> None:
    task = (
        '<scriptTask id="a"><extensionElements><camunda:inputOutput><camunda:inputParameter name="x">${n + 1}'
        '</camunda:inputParameter><camunda:outputParameter name="z">${y}</camunda:outputParameter>'
        "</camunda:inputOutput></extensionElements><script>y = x * 2</script></scriptTask>"
    )
    assert Run(_source(task), {"n": 1}).variables == {"n": 1, "z": 4}


@pytest.mark.parametrize(
    "task",
    [
        '<scriptTask id="a"><extensionElements><zeebe:script expression="=n + 1" resultVariable="m"/>'
        "</extensionElements></scriptTask>",
        '<scriptTask id="a" camunda:resultVariable="m"><script>n + 1</script></scriptTask>',
    ],
)
def test_a_script_whose_value_is_the_result(task: str) -> None:
    assert Run(_source(task), {"n": 1}).variables == {"n": 1, "m": 2}


def test_a_called_process_gets_and_gives_what_is_mapped() -> None:
    call = (
        '<callActivity id="a" calledElement="q"><extensionElements><camunda:in source="n" target="x"/>'
        '<camunda:in source="gone" target="y"/><camunda:out source="r" target="m"/>'
        "</extensionElements></callActivity>"
    )
    called = (
        f'<process id="q">{start("qs")}<scriptTask id="b"><script>r = x + 1; t = 1</script></scriptTask>{end("qe")}'
        f"{edges('qs > b > qe')}</process>"
    )
    assert Run(_source(call, called), {"n": 1}, process="p").variables == {"n": 1, "m": 2}


def test_a_called_process_can_be_given_everything() -> None:
    call = (
        '<callActivity id="a" calledElement="q"><extensionElements><camunda:in variables="all"/>'
        '<camunda:out variables="all"/></extensionElements></callActivity>'
    )
    called = (
        f'<process id="q">{start("qs")}<scriptTask id="b"><script>r = n + 1</script></scriptTask>{end("qe")}'
        f"{edges('qs > b > qe')}</process>"
    )
    assert Run(_source(call, called), {"n": 1}, process="p").variables == {"n": 1, "r": 2}


def test_a_mapping_that_cannot_be_computed_is_an_incident_and_in_a_simulation_told() -> None:
    source = _source(_task(_io(_input("=missing.field + 1", "x"))))
    failed = Run(source, handlers=_doing({}))
    assert failed.status is Status.FAILED
    simulated = Run(source, handlers=_doing({}), settings={"simulate": True})
    assert simulated.status is Status.COMPLETED
    assert any("mapping to x" in event.data["message"] for event in simulated.events(EventType.NOTICE))


def test_a_persons_outputs_are_mapped_too() -> None:
    task = f'<userTask id="a"><extensionElements>{_io(_output("=answer", "decision"))}</extensionElements></userTask>'
    run = Run(_source(task))
    run.do("a", {"answer": "yes", "note": "n"})
    assert run.variables == {"decision": "yes"}


def test_an_output_mapping_that_cannot_be_made_is_an_incident_and_the_work_is_done_once() -> None:
    calls = 0

    def do(work: Work) -> Outcome:
        nonlocal calls
        calls += 1
        assert calls < 10, "done again and again"
        return Outcome(outputs={"y": calls} if calls > 1 else {})

    run = Run(_source(_task(_io(_output("=missing + y", "x"))), ""), {"missing": 1}, handlers={"a": do})
    assert (run.status, calls) == (Status.FAILED, 1)
    (task,) = run.instance.incidents
    run.retry(task)
    assert (run.status, calls, run.variables) == (Status.COMPLETED, 2, {"missing": 1, "x": 3})


@pytest.mark.parametrize("kind", ["serviceTask", "scriptTask"])
def test_data_associations_change_names_on_the_way_in_and_out(kind: str) -> None:
    data = (
        '<ioSpecification><dataInput id="i1" name="given"/><dataOutput id="o1" name="res"/><inputSet/><outputSet/>'
        "</ioSpecification><dataInputAssociation><sourceRef>x</sourceRef><targetRef>i1</targetRef></dataInputAssociation>"
        "<dataOutputAssociation><sourceRef>o1</sourceRef><targetRef>x</targetRef></dataOutputAssociation>"
    )
    script = "<script>res = given + 1</script>" if kind == "scriptTask" else ""
    task = f'<property id="x" name="x"/><{kind} id="a">{data}{script}</{kind}>'

    def do(work: Work) -> Outcome:
        return Outcome(outputs={"res": work.variables["given"] + 1})

    assert Run(_source(task), {"x": 1}, handlers={"a": do}).variables == {"x": 2}


def test_people_are_computed_from_what_inputs_set() -> None:
    boss = '<camunda:inputParameter name="boss">${who}</camunda:inputParameter>'
    boss = f"<camunda:inputOutput>{boss}</camunda:inputOutput>"
    task = f'<userTask id="a" camunda:assignee="${{boss}}"><extensionElements>{boss}</extensionElements></userTask>'
    (item,) = Run(_source(task), {"who": "ann"}).instance.work_items.values()
    assert (item.assignee, item.shown["inputs"]) == ("ann", {"boss": "ann"})


NESTED = """<camunda:map>
<camunda:entry key="n">${n + 1}</camunda:entry>
<camunda:entry key="a.b">as it is</camunda:entry>
<camunda:entry key="k${n}"><camunda:list>
  <camunda:value>${n}</camunda:value>
  <camunda:value>text</camunda:value>
  <camunda:value/>
  <camunda:script scriptFormat="python">m = n * 10
m + 1</camunda:script>
  <camunda:list/>
  <camunda:map><camunda:entry key="deep"><camunda:script scriptFormat="feel">n + 5</camunda:script></camunda:entry>
  <camunda:entry key="none"/></camunda:map>
</camunda:list></camunda:entry>
<camunda:entry key="empty"><camunda:map/></camunda:entry>
</camunda:map>"""
MADE = {"n": 2, "a.b": "as it is", "k1": [1, "text", None, 11, [], {"deep": 6, "none": None}], "empty": {}}


def _parameter(name: str, value: str, side: str = "input") -> str:
    return f'<camunda:{side}Parameter name="{name}">{value}</camunda:{side}Parameter>'


def _camunda(*parameters: str) -> str:
    return f"<camunda:inputOutput>{''.join(parameters)}</camunda:inputOutput>"


def test_lists_maps_and_scripts_inside_each_other_are_computed_on_the_way_in_and_out() -> None:
    seen: dict[str, Any] = {}
    mapping = _camunda(_parameter("h", NESTED), _parameter("out", NESTED, "output"))
    run = Run(_source(_task(mapping)), {"n": 1}, handlers=_doing(seen))
    assert seen["h"] == MADE
    assert run.variables == {"n": 1, "out": MADE}


def test_an_empty_parameter_is_null() -> None:
    seen: dict[str, Any] = {}
    Run(_source(_task(_camunda(_parameter("h", "")))), {"h": 1}, handlers=_doing(seen))
    assert seen["h"] is None


def test_a_definition_with_nested_values_is_the_same_after_it_was_kept() -> None:
    definition = load(_source(_task(_camunda(_parameter("h", NESTED)))), file="a.bpmn").definition
    assert from_json(orjson.loads(orjson.dumps(to_json(definition)))) == definition


def test_the_key_of_an_entry_is_text() -> None:
    entry = '<camunda:map><camunda:entry key="${n}">1</camunda:entry></camunda:map>'
    run = Run(_source(_task(_camunda(_parameter("h", entry)))), {"n": 1}, handlers=_doing({}))
    (incident,) = run.instance.incidents.values()
    assert (run.status, "a: `map`: the value is the number 1 (int); allowed: text as the key" in incident.error) == (
        Status.FAILED, True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "rule", "says"),
    [
        ("<camunda:list><camunda:entry key='a'>1</camunda:entry></camunda:list>", "mapping-value", "entry is no value"),
        ("<camunda:map><camunda:entry>1</camunda:entry></camunda:map>", "mapping-value", "it is no entry with a key"),
        ("<camunda:map><camunda:value>1</camunda:value></camunda:map>", "mapping-value", "it is no entry with a key"),
        ("<camunda:list/><camunda:list/>", "mapping-value", "it has more than one value"),
        ("<camunda:list><zeebe:value/></camunda:list>", "mapping-value", "value is no value"),
        ("<camunda:set/>", "mapping-value", "set is no value"),
        ("<camunda:script/>", "mapping-value", "the script is empty"),
        ("<camunda:script scriptFormat='python' resource='x.py'/>", "mapping-value", "in a file of its own"),
        ("<camunda:script scriptFormat='Javascript' resource='x.js'/>", "expression", "the language is Javascript"),
        ("<camunda:list><camunda:script scriptFormat='groovy'>1</camunda:script></camunda:list>", "expression",
         "the language is groovy"),
        ("<camunda:list><camunda:value>${n +}</camunda:value></camunda:list>", "expression", "stands where a value"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize("connector", [False, True])
def test_what_is_no_value_is_refused_by_its_name(value: str, rule: str, says: str, side: str, connector: bool) -> None:
    mapping = _camunda(_parameter("h", value, side))
    if connector:
        mapping = f"<camunda:connector><camunda:connectorId>j</camunda:connectorId>{mapping}</camunda:connector>"
    found = load(_source(_task(mapping)), file="a.bpmn").errors
    assert [(each.rule, each.element) for each in found] == [(rule, "a")]
    assert says in found[0].message
    assert found[0].line is not None


def test_what_a_connector_gives_is_there_for_the_outputs_of_its_task() -> None:
    connector = (
        "<camunda:connector><camunda:connectorId>c</camunda:connectorId>"
        f"{_camunda(_parameter('url', '${base}/x'), _parameter('r', '${response + 1}', 'output'))}</camunda:connector>"
    )
    mapping = _camunda(_parameter("base", "http:"), _parameter("out", "${r * 2}", "output")) + connector
    task = f'<serviceTask id="a"><extensionElements>{mapping}</extensionElements></serviceTask>'
    seen: dict[str, Any] = {}
    run = Run(_source(task), handlers=_doing(seen, response=4))
    assert (seen["url"], run.variables["out"]) == ("http:/x", 10)


def test_a_connector_without_an_id_is_refused_by_name() -> None:
    task = f'<serviceTask id="a"><extensionElements><camunda:connector>{_camunda(_parameter("x", "1"))}'
    source = _source(f"{task}</camunda:connector></extensionElements></serviceTask>")
    (found,) = load(source, file="a.bpmn").errors
    assert (found.rule, found.element, found.message) == ("job-type", "a", "the connector does not say which it is")


def test_the_entries_of_a_map_are_computed_one_by_one() -> None:
    seen: dict[str, Any] = {}
    entries = '<camunda:entry key="n">${n + 1}</camunda:entry><camunda:entry key="text">as it is</camunda:entry>'
    mapping = (
        f'<camunda:inputOutput><camunda:inputParameter name="h"><camunda:map>{entries}</camunda:map>'
        "</camunda:inputParameter></camunda:inputOutput>"
    )
    Run(_source(_task(mapping)), {"n": 1}, handlers=_doing(seen))
    assert seen["h"] == {"n": 2, "text": "as it is"}


def test_null_is_given_and_what_is_missing_is_not() -> None:
    call = (
        '<callActivity id="a" calledElement="q"><extensionElements><camunda:in source="n" target="x"/>'
        '<camunda:out source="r" target="m"/></extensionElements></callActivity>'
    )
    called = (
        f'<process id="q">{start("qs")}<scriptTask id="b"><script>r = [x]</script></scriptTask>{end("qe")}'
        f"{edges('qs > b > qe')}</process>"
    )
    assert Run(_source(call, called), {"n": None}, process="p").variables["m"] == [None]
    assert Run(_source(call, called), {}, process="p").status is Status.FAILED


def test_a_script_that_deletes_its_input_deletes_nothing_of_the_process() -> None:
    task = (
        f'<scriptTask id="a"><extensionElements>{_camunda(_parameter("x", "${n}"))}</extensionElements>'
        "<script>y = x\ndel x\ndel z</script></scriptTask>"
    )
    assert Run(_source(task), {"n": 1, "x": 5, "z": 6}).variables == {"n": 1, "x": 5, "y": 1}


def test_with_outputs_of_its_own_a_call_of_camunda_8_gives_back_nothing_else() -> None:
    inside = f'<zeebe:calledElement processId="q" propagateAllChildVariables="true"/>{_io(_output("=r", "m"))}'
    call = f'<callActivity id="a"><extensionElements>{inside}</extensionElements></callActivity>'
    called = (
        f'<process id="q">{start("qs")}<scriptTask id="b"><script>r = 1; t = 2</script></scriptTask>{end("qe")}'
        f"{edges('qs > b > qe')}</process>"
    )
    assert Run(_source(call, called), process="p").variables == {"m": 1}
