"""Process models for the engine's tests, drawn in a few words."""

from __future__ import annotations

import random
import re
from xml.sax.saxutils import escape

from tests.bpmn.files import document, flow

HEAD_IDS = re.compile(r'<(\w+(?:Task|Gateway|Event|Process|Activity)|task) id="([^"]+)"')


def script(identifier: str, code: str, inside: str = "") -> str:
    return f'<scriptTask id="{identifier}" scriptFormat="python">{inside}<script>{escape(code)}</script></scriptTask>'


def user(identifier: str, inside: str = "") -> str:
    return f'<userTask id="{identifier}">{inside}</userTask>'


def service(identifier: str, job: str = "job", inside: str = "") -> str:
    return f'<serviceTask id="{identifier}" gov:jobType="{job}">{inside}</serviceTask>'


def start(identifier: str = "s", inside: str = "") -> str:
    return f'<startEvent id="{identifier}">{inside}</startEvent>'


def end(identifier: str = "e", inside: str = "") -> str:
    return f'<endEvent id="{identifier}">{inside}</endEvent>'


def gateway(identifier: str, kind: str = "parallel", default: str = "") -> str:
    attribute = f' default="{default}"' if default else ""
    return f'<{kind}Gateway id="{identifier}"{attribute}/>'


def sub(identifier: str, *content: str, inside: str = "") -> str:
    return f'<subProcess id="{identifier}">{inside}{"".join(content)}</subProcess>'


def boundary(identifier: str, host: str, event: str, *, interrupting: bool = True) -> str:
    cancel = str(interrupting).lower()
    return f'<boundaryEvent id="{identifier}" attachedToRef="{host}" cancelActivity="{cancel}">{event}</boundaryEvent>'


def message(name: str = "m") -> str:
    return f'<messageEventDefinition messageRef="{name}"/>'


def timer(text: str, kind: str = "timeDuration") -> str:
    return f"<timerEventDefinition><{kind}>{text}</{kind}></timerEventDefinition>"


def instances(
    *,
    collection: str = "",
    cardinality: str = "",
    output: str = "",
    item: str = "it",
    result: str = "o",
    sequential: bool = False,
    until: str = "",
) -> str:
    """Multi-instance marker."""
    source = f"<loopDataInputRef>{collection}</loopDataInputRef>" if collection else ""
    source += f"<loopCardinality>{cardinality}</loopCardinality>" if cardinality else ""
    source += f"<loopDataOutputRef>{output}</loopDataOutputRef>" if output else ""
    items = f'<inputDataItem id="{item}" name="{item}"/>' if item else ""
    items += f'<outputDataItem id="{result}" name="{result}"/>' if output else ""
    done = f"<completionCondition>{until}</completionCondition>" if until else ""
    return (
        f'<multiInstanceLoopCharacteristics isSequential="{str(sequential).lower()}">{source}{items}{done}'
        "</multiInstanceLoopCharacteristics>"
    )


def edges(*paths: str) -> str:
    """Sequence flows from paths such as `s > g > a > e`; `a -x > 1-> b` has a condition, `a =id=> b` an id."""
    made = []
    for path in paths:
        parts = re.split(r"\s*(?:-(.*?)->|=(\w+)=>|>)\s*", path)
        for index in range(0, len(parts) - 3, 3):
            source, condition, name, target = parts[index : index + 4]
            identifier = name or f"f_{len(made)}_{source}_{target}"
            made.append(flow(identifier, source, target, condition and escape(condition)))
    return "".join(made)


def model(*content: str, beside: str = "", shuffle: int | None = None) -> bytes:
    """A file with the executable process `p`; `shuffle` gives it a drawing with random places."""
    body = "".join(content)
    drawing = "" if shuffle is None else _drawing(body, random.Random(shuffle))
    return document(f'<process id="p" isExecutable="true">{body}</process>{beside}{drawing}')


def signal(name: str = "sig") -> str:
    return f'<signalEventDefinition signalRef="{name}"/>'


def escalation(name: str = "esc") -> str:
    return f'<escalationEventDefinition escalationRef="{name}"/>'


def error(name: str = "err") -> str:
    return f'<errorEventDefinition errorRef="{name}"/>'


def condition(text: str) -> str:
    return f"<conditionalEventDefinition><condition>{escape(text)}</condition></conditionalEventDefinition>"


def catch(identifier: str, *events: str, every: bool = False) -> str:
    attribute = ' parallelMultiple="true"' if every else ""
    return f'<intermediateCatchEvent id="{identifier}"{attribute}>{"".join(events)}</intermediateCatchEvent>'


def throw(identifier: str, *events: str) -> str:
    return f'<intermediateThrowEvent id="{identifier}">{"".join(events)}</intermediateThrowEvent>'


def handler(identifier: str, event: str, *content: str, interrupting: bool = True) -> str:
    """An event sub-process that begins with `<identifier>_s`."""
    begin = f'<startEvent id="{identifier}_s" isInterrupting="{str(interrupting).lower()}">{event}</startEvent>'
    return f'<subProcess id="{identifier}" triggeredByEvent="true">{begin}{"".join(content)}</subProcess>'


MESSAGE = '<message id="m" name="m"/>'


def _drawing(body: str, rng: random.Random) -> str:
    shapes = "".join(
        f'<di:BPMNShape id="shape_{name}" bpmnElement="{name}">'
        f'<dc:Bounds x="{rng.randint(0, 900)}" y="{rng.randint(0, 900)}" width="9" height="9"/></di:BPMNShape>'
        for _, name in HEAD_IDS.findall(body)
    )
    namespaces = 'xmlns:di="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC"'
    plane = f'<di:BPMNPlane id="plane" bpmnElement="p">{shapes}</di:BPMNPlane>'
    return f'<di:BPMNDiagram {namespaces} id="diagram">{plane}</di:BPMNDiagram>'
