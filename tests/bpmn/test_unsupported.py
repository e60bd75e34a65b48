"""What the engine does not run is refused by its name; what it runs is not."""

from __future__ import annotations

import pytest

from bpmn.check.supported import ELEMENTS, EVENTS
from tests.bpmn.files import finding, loaded, process, rules

ROOTS = '<message id="m"/><signal id="g"/>'
RECEIVED = "<startEvent id='a'><messageEventDefinition messageRef='m'/></startEvent>"
EAGER = (
    "<multiInstanceLoopCharacteristics behavior='Some'><loopCardinality>2</loopCardinality>"
    "</multiInstanceLoopCharacteristics>"
)

UNSUPPORTED = [
    ("<callChoreography id='a'/>", "callChoreography"),
    ("<choreographyTask id='a'/>", "choreographyTask"),
    ("<implicitThrowEvent id='a'/>", "implicitThrowEvent"),
    ("<fancyTask id='a'/>", "fancyTask"),
    ("<endEvent id='a'><linkEventDefinition name='x'/></endEvent>", "link"),
    ("<intermediateThrowEvent id='a'><conditionalEventDefinition/></intermediateThrowEvent>", "conditional"),
    ("<boundaryEvent id='a' attachedToRef='t'><linkEventDefinition name='x'/></boundaryEvent>", "link"),
    ("<intermediateCatchEvent id='a'/>", "none"),
    ("<intermediateThrowEvent id='a'><cancelEventDefinition/></intermediateThrowEvent>", "cancel"),
    ("<startEvent id='a'><compensateEventDefinition/></startEvent>", "compensation"),
    ("<startEvent id='a'><errorEventDefinition/></startEvent>", "error"),
    ("<endEvent id='a'><terminateEventDefinition/><errorEventDefinition/></endEvent>", "terminate"),
    (f"<subProcess id='u'>{RECEIVED}</subProcess>", "message"),
    (f"<task id='a'>{EAGER}</task>", "Some"),
]


@pytest.mark.parametrize(("content", "found"), UNSUPPORTED)
def test_what_is_not_supported_is_refused_by_its_name(content: str, found: str) -> None:
    problem = finding(process(f'<startEvent id="s"/><task id="t"/>{content}', beside=ROOTS), "unsupported-element")
    assert (problem.severity, problem.element, problem.found) == ("error", "a", found)


@pytest.mark.parametrize("kind", sorted(ELEMENTS - set(EVENTS)))
def test_what_is_supported_is_not_refused(kind: str) -> None:
    assert "unsupported-element" not in rules(loaded(process(f'<startEvent id="s"/><{kind} id="a"/>')).findings)


@pytest.mark.parametrize(("kind", "event"), [(kind, event) for kind, events in EVENTS.items() for event in events])
def test_events_that_are_supported_are_not_refused(kind: str, event: str) -> None:
    inside = {"none": "", "multiple": "<signalEventDefinition/><messageEventDefinition/>"}.get(
        event, f"<{'compensate' if event == 'compensation' else event}EventDefinition/>"
    )
    attached = 'attachedToRef="t"' if kind == "boundaryEvent" else ""
    data = process(f'<startEvent id="s"/><task id="t"/><{kind} id="a" {attached}>{inside}</{kind}>')
    assert "unsupported-element" not in rules(loaded(data).findings)
