"""What a file leaves open and can only mean one thing is put in before the checks, and told."""

from __future__ import annotations

import pytest

from bpmn.definition import Element
from bpmn.load import Loaded, load
from bpmn.rewrite.left_open import NEVER
from tests.bpmn.files import FILE, chain, document, finding, flow, loaded, process, rules
from tests.bpmn.rule_shapes import standard

START, END = '<startEvent id="s"/>', '<endEvent id="e"/>'
MESSAGE = "<messageEventDefinition/>"


def simulated(data: bytes) -> Loaded:
    return load(data, file=FILE, simulate=True)


def elements(found: Loaded, name: str = "p") -> dict[str, Element]:
    return dict(found.definition.processes[name].scope.elements)


def reference(found: Loaded, identifier: str, name: str = "p") -> str | None:
    event = elements(found, name)[identifier].event
    assert event is not None
    return event.ref


def _interrupted(head: str) -> bytes:
    return (
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {head}>'
        f'<process id="p" isExecutable="true">{START}<task id="a"/>{END}<boundaryEvent id="b" attachedToRef="a">'
        f'<errorEventDefinition/></boundaryEvent>{flow("f", "s", "a")}{flow("g", "a", "e")}</process></definitions>'
    ).encode()


@pytest.mark.parametrize(
    "head",
    [
        'xmlns:camunda="http://camunda.org/schema/1.0/bpmn"',
        'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"',
        'xmlns:operaton="http://operaton.org/schema/1.0/bpmn"',
        'xmlns:flowable="http://flowable.org/bpmn"',
        'xmlns:activiti="http://activiti.org/bpmn"',
        'xmlns:spiffworkflow="http://spiffworkflow.org/bpmn/schema/1.0/core"',
        'xmlns:modeler="http://camunda.org/schema/modeler/1.0"',
        'exporter="Camunda Modeler"',
        'targetNamespace="http://www.activiti.org/test"',
    ],
)
def test_a_boundary_event_without_a_flow_ends_its_path_in_files_of_engines(head: str) -> None:
    found = loaded(_interrupted(head))
    assert not found.errors
    told = finding(_interrupted(head), "event-end")
    assert (told.severity, told.element) == ("warning", "b")
    assert elements(found)["b_end"].kind == "endEvent"


@pytest.mark.parametrize("head", ['exporter="Yaoqiang BPMN Editor"', 'targetNamespace="t"'])
def test_without_an_engine_the_standard_holds_and_refuses_it(head: str) -> None:
    assert rules(loaded(_interrupted(head)).errors) == {"flow-ends"}


@pytest.mark.parametrize(("engine", "told"), [(True, set()), (False, {"event-flows"})])
@pytest.mark.parametrize("kind", ["intermediateThrowEvent", "intermediateCatchEvent"])
def test_so_does_an_intermediate_event(kind: str, engine: bool, told: set[str]) -> None:
    data = process(f'{START}<{kind} id="a"><signalEventDefinition/></{kind}>{flow("f", "s", "a")}')
    found = loaded(data if engine else standard(data))
    assert rules(found.errors) == told
    assert engine is (elements(found)["a_end"].kind == "endEvent" and "event-end" in rules(found.findings))


def test_a_compensation_boundary_event_gets_no_end() -> None:
    data = process(
        f'{START}<task id="a"/><task id="u" isForCompensation="true"/>{END}<boundaryEvent id="b" attachedToRef="a">'
        f'<compensateEventDefinition/></boundaryEvent><association id="x" sourceRef="b" targetRef="u"/>'
        f'{flow("f", "s", "a")}{flow("g", "a", "e")}'
    )
    assert not loaded(data).findings


@pytest.mark.parametrize(
    "waiting",
    [
        f'<intermediateCatchEvent id="a">{MESSAGE}</intermediateCatchEvent>',
        '<receiveTask id="a"/>',
        '<intermediateCatchEvent id="a"><signalEventDefinition/></intermediateCatchEvent>',
    ],
)
def test_an_event_that_names_nothing_goes_by_its_own_id(waiting: str) -> None:
    data = chain(waiting)
    assert not loaded(data).errors
    assert reference(loaded(data), "a") == "a"
    told = finding(data, "implied-event")
    assert (told.severity, told.element, told.line) == ("warning", "a", 4)


def test_a_message_flow_gives_both_its_ends_one_name() -> None:
    data = document(
        f'<process id="p" isExecutable="true">{START}<sendTask id="a"/>{flow("f", "s", "a")}</process>'
        f'<process id="q"><startEvent id="i"/><receiveTask id="b"/>{flow("g", "i", "b")}</process>'
        '<collaboration id="c"><participant id="x" processRef="p"/><participant id="y" processRef="q"/>'
        '<messageFlow id="m" sourceRef="a" targetRef="b"/></collaboration>'
    )
    found = loaded(data)
    assert reference(found, "a") == reference(found, "b", "q") == "m"


def test_what_one_end_of_a_message_flow_names_holds_for_the_other() -> None:
    data = document(
        f'<message id="order"/><process id="p" isExecutable="true">{START}<sendTask id="a" messageRef="order"/>'
        f'{flow("f", "s", "a")}</process><process id="q"><startEvent id="i"/><receiveTask id="b"/>{flow("g", "i", "b")}'
        '</process><collaboration id="c"><messageFlow id="m" sourceRef="a" targetRef="b"/></collaboration>'
    )
    assert reference(loaded(data), "b", "q") == "order"


def test_without_a_start_event_what_no_flow_leads_to_begins() -> None:
    data = process('<task id="a"/><task id="b"/><task id="c"/>' + flow("f", "a", "c"))
    found = loaded(data)
    assert not found.errors
    assert elements(found)["p_start"].kind == "startEvent"
    assert elements(found)["a"].incoming
    assert elements(found)["b"].incoming
    assert elements(found)["c"].incoming == ("f",)
    told = finding(data, "missing-start")
    assert (told.element, told.severity) == ("p", "warning")
    assert told.message == "the process has no start event: it begins with a, b"


def test_what_has_an_end_event_has_a_start_event() -> None:
    found = finding(process(f'<task id="a"/>{END}' + flow("f", "a", "e")), "no-start-event")
    assert (found.element, found.severity) == ("p", "error")


def test_in_a_simulation_it_may_have_an_end_event_all_the_same() -> None:
    data = process(f'<task id="a"/>{END}' + flow("f", "a", "e"))
    assert not simulated(data).errors
    assert elements(simulated(data))["a"].incoming


def test_the_empty_process_of_another_pool_is_no_error() -> None:
    data = document(f'<process id="p">{START}{END}{flow("f", "s", "e")}</process><process id="q"/>')
    assert not loaded(data).errors


@pytest.mark.parametrize("kind", ["boundaryEvent", "intermediateCatchEvent"])
def test_in_a_simulation_an_event_of_no_kind_never_comes_or_is_gone_through(kind: str) -> None:
    if kind == "boundaryEvent":
        event = '<boundaryEvent id="b" attachedToRef="a"/><endEvent id="e2"/>' + flow("g", "b", "e2")
        data = process(f'{START}<userTask id="a"/>{END}{event}' + flow("f", "s", "a") + flow("h", "a", "e"))
    else:
        data = chain('<intermediateCatchEvent id="b"/>')
    assert rules(loaded(data).errors) == {"unsupported-element"}
    assert not simulated(data).errors
    assert ("passed-over", "b") in _told(simulated(data))


def test_a_sub_process_without_a_start_event_begins_too_but_no_tool_box() -> None:
    inner = "<task id='t'/><boundaryEvent id='w' attachedToRef='t'><timerEventDefinition><timeDuration>PT1S"
    inner += "</timeDuration></timerEventDefinition></boundaryEvent><task id='u'/>" + flow("x", "w", "u")
    found = elements(loaded(chain(f'<subProcess id="a">{inner}</subProcess>')))["a"].scope
    assert found is not None
    assert found.elements["a_start"].outgoing == ("a_start_to_t",)
    tools = chain('<adHocSubProcess id="a"><task id="t"/></adHocSubProcess>')
    assert "missing-start" not in rules(loaded(tools).findings)


def test_where_everything_has_a_flow_into_it_nothing_begins() -> None:
    data = process('<task id="a"/><task id="b"/>' + flow("f", "a", "b") + flow("g", "b", "a"))
    assert "no-start-event" in rules(loaded(data).errors)


FOREIGN = '<scriptTask id="a" scriptFormat="groovy"><script>println 1</script></scriptTask>'


@pytest.mark.parametrize(
    "task",
    [
        FOREIGN,
        '<scriptTask id="a"/>',
        '<scriptTask id="a"><script>import os</script></scriptTask>',
        '<callActivity id="a" calledElement="elsewhere"/>',
        '<callActivity id="a"/>',
    ],
)
def test_a_simulation_passes_over_what_nobody_here_does(task: str) -> None:
    data = chain(task)
    assert loaded(data).errors
    found = simulated(data)
    assert not found.errors
    assert elements(found)["a"].kind == "serviceTask"
    assert [(each.rule, each.element, each.severity) for each in found.findings] == [("passed-over", "a", "warning")]
    assert [each.rewrite for each in found.notes] == ["passed-over"]


def test_a_script_in_another_language_is_refused_by_its_name() -> None:
    assert "the language is groovy" in finding(chain(FOREIGN), "script").message


def test_a_simulation_passes_over_conditions_that_need_code() -> None:
    data = process(
        f'{START}<exclusiveGateway id="g"/>{END}<endEvent id="e2"/>' + flow("f", "s", "g")
        + flow("g1", "g", "e", "${bean.ask()}") + flow("g2", "g", "e2", "x > 1")
    )  # fmt: skip
    assert loaded(data).errors
    found = simulated(data)
    assert not found.errors
    assert {each.element for each in found.findings if each.rule == "passed-over"} == {"g1"}


def _told(found: Loaded) -> set[tuple[str, str | None]]:
    return {(each.rule, each.element) for each in found.findings if each.rule != "not-decided"}


def test_a_simulation_takes_flows_that_say_nothing_in_turn() -> None:
    data = process(
        f'{START}<exclusiveGateway id="g"/>{END}<endEvent id="e2"/>'
        + flow("f", "s", "g") + flow("g1", "g", "e") + flow("g2", "g", "e2")
    )  # fmt: skip
    assert rules(loaded(data).errors) == {"missing-condition"}
    assert not simulated(data).errors
    assert {("passed-over", "g1"), ("passed-over", "g2")} <= _told(simulated(data))


TIMERS = ["", "<timeDuration>${bean.time()}</timeDuration>", "<timeDuration>timedelta(minutes=Result)</timeDuration>"]


@pytest.mark.parametrize("time", TIMERS)
def test_a_simulation_does_not_wait_for_a_time_that_is_left_open(time: str) -> None:
    when = f"<timerEventDefinition>{time}</timerEventDefinition>"
    data = process(
        f'{START}<intermediateCatchEvent id="c">{when}</intermediateCatchEvent><userTask id="a"/>{END}'
        f'<boundaryEvent id="b" attachedToRef="a">{when}</boundaryEvent><endEvent id="e2"/><subProcess id="x" '
        f'triggeredByEvent="true"><startEvent id="xs">{when}</startEvent><endEvent id="xe"/>{flow("x1", "xs", "xe")}'
        f"</subProcess>" + flow("f", "s", "c") + flow("g", "c", "a") + flow("h", "a", "e") + flow("i", "b", "e2")
    )
    assert loaded(data).errors
    found = simulated(data)
    assert not found.errors
    assert {("passed-over", "c"), ("passed-over", "b"), ("passed-over", "xs")} <= _told(found)
    scope = elements(found)["x"].scope
    assert scope is not None
    times = [each.event.timer.text for each in (elements(found)["c"], elements(found)["b"], scope.elements["xs"])]  # type: ignore[union-attr]
    assert times == ["PT0S", "9999-12-31T00:00:00Z", "9999-12-31T00:00:00Z"]


def test_in_a_simulation_a_time_that_is_left_open_does_not_win_a_race() -> None:
    data = process(
        f'{START}<eventBasedGateway id="g"/><receiveTask id="a"/><intermediateCatchEvent id="c"><timerEventDefinition/>'
        f'</intermediateCatchEvent>{END}<endEvent id="e2"/>'
        + flow("f", "s", "g") + flow("h", "g", "a") + flow("i", "g", "c") + flow("j", "a", "e") + flow("k", "c", "e2")
    )  # fmt: skip
    waiting = elements(simulated(data))["c"].event
    assert waiting is not None
    assert waiting.timer == NEVER


@pytest.mark.parametrize(
    "marker", ["<standardLoopCharacteristics/>", '<multiInstanceLoopCharacteristics isSequential="true"/>']
)
def test_a_simulation_goes_through_a_loop_once_that_does_not_say_how_often(marker: str) -> None:
    data = chain(f'<userTask id="a">{marker}</userTask>')
    assert rules(loaded(data).errors) == {"loop"}
    found = simulated(data)
    assert not found.errors
    assert ("passed-over", "a") in _told(found)


def test_a_simulation_waits_for_a_condition_that_needs_code() -> None:
    condition = '<condition language="js">next(null, true);</condition>'
    event = f'<intermediateCatchEvent id="a"><conditionalEventDefinition>{condition}</conditionalEventDefinition>'
    data = chain(event + "</intermediateCatchEvent>")
    assert rules(loaded(data).errors) == {"expression"}
    assert not simulated(data).errors


def test_in_a_simulation_events_that_lead_nowhere_end_their_path() -> None:
    event = '<intermediateThrowEvent id="a"><signalEventDefinition/></intermediateThrowEvent>'
    data = standard(process(f"{START}{event}{flow('f', 's', 'a')}"))
    assert rules(loaded(data).errors) == {"event-flows"}
    assert not simulated(data).errors


@pytest.mark.parametrize("text", ["<timeDuration>R/P1H</timeDuration>", "<timeDate>PT10M</timeDate>"])
def test_a_time_that_is_written_wrongly_stays_wrong_in_a_simulation(text: str) -> None:
    event = f'<intermediateCatchEvent id="a"><timerEventDefinition>{text}</timerEventDefinition>'
    assert rules(simulated(chain(event + "</intermediateCatchEvent>")).errors) == {"timer"}


def test_what_is_wrong_in_the_file_stays_wrong_in_a_simulation() -> None:
    assert simulated(process(f'{START}<task id="x"/>' + flow("f", "s", "x") + flow("h", "x", "nowhere"))).errors


def test_a_mapping_with_a_part_that_cannot_be_computed_is_passed_over_and_the_others_are_kept() -> None:
    script = "<camunda:script scriptFormat='groovy'>1</camunda:script>"
    whole = "<camunda:map><camunda:entry key='k'><camunda:list>{}</camunda:list></camunda:entry></camunda:map>"
    given = "".join(
        f"<camunda:inputParameter name='{name}'>{whole.format(inside)}</camunda:inputParameter>"
        for name, inside in {"wrong": script, "right": "<camunda:value>${x}</camunda:value>"}.items()
    )
    mapping = f"<extensionElements><camunda:inputOutput>{given}</camunda:inputOutput></extensionElements>"
    found = simulated(chain(f'<serviceTask id="a" gov:jobType="j">{mapping}</serviceTask>'))
    assert not found.errors
    element = found.definition.processes["p"].scope.elements["a"]
    assert [each.target for each in element.input_mappings] == ["right"]
    assert any("the mapping to wrong is passed over: the language is groovy" in each.message for each in found.findings)
