"""Whatever the bytes: either a definition with findings, or a `BpmnError`."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bpmn.codec import from_json, to_json
from bpmn.errors import BpmnError
from bpmn.load import load
from tests.bpmn.files import chain, flow, policy, process

THRESHOLD = '<gov:policy workingThreshold="5"><gov:retainKey name="x"/></gov:policy>'
TASKS = (
    f'<userTask id="a" gov:assignee="x">{policy(THRESHOLD)}</userTask>',
    f'<serviceTask id="b" gov:jobType="j">{policy("<gov:agent/>")}</serviceTask>',
    '<scriptTask id="c" scriptFormat="python"><script>x = [1, 2]</script></scriptTask>',
    '<subProcess id="d"><startEvent id="i"/></subProcess>',
    '<intermediateCatchEvent id="t"><timerEventDefinition><timeCycle>R3/PT1M</timeCycle></timerEventDefinition>'
    "</intermediateCatchEvent>",
    '<task id="m"><multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality>'
    "</multiInstanceLoopCharacteristics></task>",
)
SEEDS = (
    chain(*TASKS, beside='<message id="n"/><error id="r"/>'),
    process(
        '<startEvent id="s"/><exclusiveGateway id="g" default="y"/><endEvent id="e"/>'
        '<boundaryEvent id="k" attachedToRef="g"/><laneSet id="w"><lane id="l"><flowNodeRef>g</flowNodeRef></lane>'
        "</laneSet>" + flow("f", "s", "g") + flow("x", "g", "e", "a &gt; 1") + flow("y", "g", "e")
    ),
)
WORDS = [
    b'"', b"'", b"<", b">", b"</", b"/>", b"&", b"&#0;", b"&amp;", b"id", b'id="a"', b"gov:", b"<gov:policy>", b"=",
    b"0", b"-1", b"\xff", b"\0", b"<!--", b"]]>", b"<![CDATA[", b"<?xml", b"subProcess", b"(((((", b"${",
    b"PT", b"{", b"[",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A right file with a few pieces cut out, doubled or put in."""
    data = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        piece = draw(st.sampled_from([b"", data[start:end] * 2, *WORDS]) | st.binary(max_size=4))
        data = data[:start] + piece + data[end:]
    return data


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(mutated() | st.binary(max_size=60))
@example(SEEDS[0])
@example(SEEDS[1])
@example(chain(f'<scriptTask id="a"><script>{"(" * 5000}</script></scriptTask>'))
@example(chain(f'<scriptTask id="a"><script>x = {"-" * 5000}1</script></scriptTask>'))
def test_loading_never_fails_in_another_way(data: bytes) -> None:
    try:
        result = load(data, file="a.bpmn")
    except BpmnError:
        return
    for finding in result.findings:
        assert str(finding)
        json.dumps(finding.to_json())
    assert from_json(json.loads(json.dumps(to_json(result.definition)))) == result.definition
