"""What the reader makes of events."""

from __future__ import annotations

import pytest

from bpmn.definition import EventDefinition, EventRef, Expression, Timer
from tests.bpmn.files import chain, definition, finding, flow, loaded, process, rules

ROOTS = (
    '<message id="m" name="Order"/><signal id="g" name="Alarm"/><error id="r" name="Late" errorCode="E1"/>'
    '<escalation id="c" name="Boss" escalationCode="C1"/>'
)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("", EventDefinition(kind="none")),
        ('<messageEventDefinition messageRef="m"/>', EventDefinition(kind="message", ref="m")),
        ('<signalEventDefinition signalRef="g"/>', EventDefinition(kind="signal", ref="g")),
        ('<errorEventDefinition errorRef="x:r"/>', EventDefinition(kind="error", ref="r")),
        ("<errorEventDefinition/>", EventDefinition(kind="error")),
        ('<escalationEventDefinition escalationRef="c"/>', EventDefinition(kind="escalation", ref="c")),
        ("<terminateEventDefinition/>", EventDefinition(kind="terminate")),
        ('<linkEventDefinition name="there"/>', EventDefinition(kind="link", ref="there")),
        ("<compensateEventDefinition/>", EventDefinition(kind="compensation")),
        ("<cancelEventDefinition/>", EventDefinition(kind="cancel")),
        (
            "<conditionalEventDefinition><condition>x</condition></conditionalEventDefinition>",
            EventDefinition(kind="conditional", condition=Expression(text="x", line=3)),
        ),
        ("<eventDefinitionRef>x:d</eventDefinitionRef>", EventDefinition(kind="signal", ref="g")),
        (
            '<messageEventDefinition messageRef="m"/><signalEventDefinition signalRef="g"/>',
            EventDefinition(
                kind="multiple",
                definitions=(EventDefinition(kind="message", ref="m"), EventDefinition(kind="signal", ref="g")),
            ),
        ),
    ],
)
def test_event_definitions(inside: str, expected: EventDefinition) -> None:
    shared = '<signalEventDefinition id="d" signalRef="g"/>'
    data = process(f'<intermediateCatchEvent id="a">{inside}</intermediateCatchEvent>', beside=ROOTS + shared)
    assert loaded(data).definition.processes["p"].scope.elements["a"].event == expected


def test_roots() -> None:
    found = definition(chain(beside=ROOTS))
    assert found.messages == {"m": EventRef(id="m", name="Order")}
    assert found.signals == {"g": EventRef(id="g", name="Alarm")}
    assert found.errors == {"r": EventRef(id="r", name="Late", code="E1")}
    assert found.escalations == {"c": EventRef(id="c", name="Boss", code="C1")}


@pytest.mark.parametrize(
    ("text", "timer"),
    [
        ("<timeDuration>PT1H</timeDuration>", Timer(kind="duration", text="PT1H")),
        ('<timeDuration> "PT1H" </timeDuration>', Timer(kind="duration", text="PT1H")),
        ("<timeDate>'2030-01-01'</timeDate>", Timer(kind="date", text="2030-01-01")),
        ("<timeCycle>R3/PT1H</timeCycle>", Timer(kind="cycle", text="R3/PT1H")),
    ],
)
def test_timers(text: str, timer: Timer) -> None:
    data = chain(
        f'<intermediateCatchEvent id="a"><timerEventDefinition>{text}</timerEventDefinition></intermediateCatchEvent>'
    )
    event = definition(data).processes["p"].scope.elements["a"].event
    assert event is not None
    assert event.timer == timer


def test_a_timer_has_one_time() -> None:
    both = "<timeDuration>PT1H</timeDuration><timeDate>2030-01-01</timeDate>"
    data = chain(
        f'<intermediateCatchEvent id="a"><timerEventDefinition>{both}</timerEventDefinition></intermediateCatchEvent>'
    )
    assert finding(data, "timer").found == "duration, date"


def test_an_unknown_event_definition() -> None:
    data = chain('<intermediateCatchEvent id="a"><moonEventDefinition/></intermediateCatchEvent>')
    assert finding(data, "event-definition").found == "moonEventDefinition"


@pytest.mark.parametrize(
    ("attributes", "interrupting"), [("", True), ('cancelActivity="true"', True), ('cancelActivity="false"', False)]
)
def test_boundary_events(attributes: str, interrupting: bool) -> None:
    data = process(
        f'<startEvent id="s"/><task id="t"/><boundaryEvent id="a" attachedToRef="t" {attributes}>'
        '<escalationEventDefinition/></boundaryEvent><endEvent id="e"/>' + flow("f", "s", "t") + flow("g", "a", "e")
    )
    found = definition(data).processes["p"].scope.elements["a"]
    assert (found.attached_to, found.interrupting) == ("t", interrupting)


@pytest.mark.parametrize(
    ("content", "name", "found"),
    [
        ('<sequenceFlow id="x" sourceRef="s" targetRef="nope"/>', "targetRef", "nope"),
        ('<sequenceFlow id="x" sourceRef="nope" targetRef="s"/>', "sourceRef", "nope"),
        ('<sequenceFlow id="x" sourceRef="s"/>', "targetRef", None),
        (
            '<subProcess id="u"><startEvent id="i"/></subProcess><sequenceFlow id="x" sourceRef="s" targetRef="i"/>',
            "targetRef",
            "i",
        ),
        ('<boundaryEvent id="x" attachedToRef="nope"/>', "attachedToRef", "nope"),
        ('<task id="x" default="nope"/>', "default", "nope"),
        ('<endEvent id="x"><messageEventDefinition messageRef="nope"/></endEvent>', "messageRef", "nope"),
        ('<endEvent id="x"><signalEventDefinition signalRef="nope"/></endEvent>', "signalRef", "nope"),
        ('<endEvent id="x"><escalationEventDefinition escalationRef="nope"/></endEvent>', "escalationRef", "nope"),
        ('<endEvent id="x"><eventDefinitionRef>nope</eventDefinitionRef></endEvent>', "eventDefinitionRef", "nope"),
        ('<receiveTask id="x" messageRef="nope"/>', "messageRef", "nope"),
        ('<laneSet><lane id="x"><flowNodeRef>nope</flowNodeRef></lane></laneSet>', "flowNodeRef", "nope"),
        (
            '<task id="x"><ioSpecification><dataInput itemSubjectRef="nope"/></ioSpecification></task>',
            "itemSubjectRef",
            "nope",
        ),
    ],
)
def test_references_to_nothing(content: str, name: str, found: str | None) -> None:
    problem = finding(process('<startEvent id="s"/>\n' + content), "dangling-reference")
    assert problem.severity == "error"
    assert problem.message.startswith(name)
    assert (problem.element, problem.line, problem.found) == ("x", 4, found)


@pytest.mark.parametrize(
    ("beside", "name"),
    [
        ('<collaboration id="c"><participant id="x" processRef="nope"/></collaboration>', "processRef"),
        ('<collaboration id="c"><messageFlow id="x" sourceRef="nope" targetRef="s"/></collaboration>', "sourceRef"),
        (
            '<collaboration id="c"><messageFlow id="x" sourceRef="s" targetRef="s" messageRef="nope"/></collaboration>',
            "messageRef",
        ),
    ],
)
def test_references_to_nothing_beside_the_process(beside: str, name: str) -> None:
    problem = finding(chain(beside=beside), "dangling-reference")
    assert problem.message.startswith(name)
    assert (problem.element, problem.found) == ("x", "nope")


def test_references_say_what_would_have_been_right() -> None:
    data = process('<startEvent id="start"/><task id="review"/>' + flow("f", "start", "reviw"))
    problem = finding(data, "dangling-reference")
    assert "did you mean review?" in problem.message
    assert problem.allowed == ("start", "review")


def test_flows_with_a_missing_end_are_left_out_so_that_the_rest_can_be_checked() -> None:
    result = loaded(process('<startEvent id="s"/>' + flow("f", "s", "nope") + '<scriptTask id="a"/>'))
    assert set(result.definition.processes["p"].scope.flows) == {"s_to_end", "a_to_end"}
    assert {"dangling-reference", "script"} <= rules(result.findings)


def test_without_errors_in_the_file_a_reference_is_the_code_itself() -> None:
    end = '<endEvent id="x"><errorEventDefinition errorRef="E1"/></endEvent>'
    data = process('<startEvent id="s"/>' + end + flow("f", "s", "x"))
    assert definition(data).errors["E1"].code == "E1"
    assert finding(data, "implied-event").element == "x"
    coded = process('<startEvent id="s"/>' + end + flow("f", "s", "x"), beside='<error id="e" errorCode="E1"/>')
    assert definition(coded).errors["E1"].code == "E1"
    other = process('<startEvent id="s"/>' + end + flow("f", "s", "x"), beside='<error id="e" errorCode="E2"/>')
    assert finding(other, "dangling-reference").found == "E1"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("timedelta(seconds=1)", "PT1S"),
        ("datetime.timedelta(days=2, minutes=5)", "P2DT5M"),
        ("timedelta(weeks=1)", "P1W"),
        ("timedelta(hours=1.5)", "PT1.5H"),
    ],
)
def test_a_duration_in_the_words_of_python(text: str, iso: str) -> None:
    timer = f"<timerEventDefinition><timeDuration>{text}</timeDuration></timerEventDefinition>"
    event = definition(chain(f'<intermediateCatchEvent id="a">{timer}</intermediateCatchEvent>')).processes["p"]
    found = event.scope.elements["a"].event
    assert found is not None
    assert found.timer is not None
    assert found.timer.text == iso
