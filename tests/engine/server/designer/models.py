"""Processes as people draw them: all kinds of elements, and the ways of several designers to say more in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.server.designer.drawing import drawn

_NAMESPACES: Final = {
    "camunda": "http://camunda.org/schema/1.0/bpmn",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
    "flowable": "http://flowable.org/bpmn",
    "spiffworkflow": "http://spiffworkflow.org/bpmn/schema/1.0/core",
    "operaton": "http://operaton.org/schema/1.0/bpmn",
    "gov": "urn:bpmn-governor:governance:1.0",
    "acme": "urn:acme:extensions",
    "xsi": "http://www.w3.org/2001/XMLSchema-instance",
}


def _file(content: str, *, beside: str = "", after: str = "", uses: str = "", process: str = "") -> str:
    """A file with the process `p`; `{f a b}` is a flow from a to b."""
    declared = "".join(f'\n    xmlns:{prefix}="{_NAMESPACES[prefix]}"' for prefix in uses.split())
    body = "".join(f"\n    {_flow(line.strip())}" for line in content.strip().splitlines() if line.strip())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"{declared}\n'
        f'    id="d" targetNamespace="urn:example">\n{beside}'
        f'  <process id="p" name="Model" isExecutable="true"{process}>{body}\n  </process>\n{after}</definitions>\n'
    )


def _flow(line: str) -> str:
    if not line.startswith("{f "):
        return line
    source, target = line[3:-1].split()
    return f'<sequenceFlow id="{source}_{target}" sourceRef="{source}" targetRef="{target}"/>'


_PLAIN = _file("""
<startEvent id="s"/>
<task id="a" name="First"/>
<userTask id="b" name="Second"/>
<endEvent id="e"/>
{f s a}
{f a b}
{f b e}
""")

_MODELS: Final[Mapping[str, str]] = {
    "plain": _PLAIN,
    "with another prefix": _PLAIN.replace("<", "<b:").replace("<b:/", "</b:").replace("<b:?", "<?").replace(
        "xmlns=", "xmlns:b="
    ),
    "with comments and CDATA": _file("""
<!-- what begins it -->
<startEvent id="s"><documentation>a &lt; b &amp; "c"</documentation></startEvent>
<scriptTask id="a" name="Sum 'it' up" scriptFormat="python">
<script><![CDATA[total = 1 if 2 < 3 else 4]]></script></scriptTask>
<endEvent id="e"/> <!-- and what ends it -->
{f s a}
{f a e}
"""),
    "with tabs": _PLAIN.replace("    ", "\t\t").replace("  <", "\t<"),
    "in one line": _PLAIN.replace("\n", ""),
    "with line breaks of another kind": _PLAIN.replace("\n", "\r\n"),
    "in Chinese": _PLAIN.replace("First", "审核发票").replace("Second", "批准 & 归档".replace("&", "&amp;")),
    "of Camunda 7": _file("""
<startEvent id="s" camunda:initiator="starter"/>
<serviceTask id="a" name="Charge" camunda:type="external" camunda:topic="charge" camunda:asyncBefore="true">
<extensionElements><camunda:inputOutput><camunda:inputParameter name="amount">${order.total}</camunda:inputParameter>
<camunda:inputParameter name="list">
<camunda:list><camunda:value>1</camunda:value></camunda:list></camunda:inputParameter>
</camunda:inputOutput><camunda:properties><camunda:property name="team" value="billing"/></camunda:properties>
<camunda:failedJobRetryTimeCycle>R3/PT5M</camunda:failedJobRetryTimeCycle></extensionElements></serviceTask>
<userTask id="b" name="Check" camunda:assignee="ann" camunda:candidateGroups="clerks" camunda:dueDate="${due}"/>
<endEvent id="e"/>
{f s a}
{f a b}
{f b e}
""", uses="camunda"),
    "of Camunda 8": _file("""
<startEvent id="s"/>
<serviceTask id="a" name="Ask"><extensionElements><zeebe:taskDefinition type="ask" retries="3"/>
<zeebe:ioMapping><zeebe:input source="=order.id" target="id"/></zeebe:ioMapping>
<zeebe:taskHeaders><zeebe:header key="k" value="v"/></zeebe:taskHeaders></extensionElements></serviceTask>
<endEvent id="e"/>
{f s a}
{f a e}
""", uses="zeebe"),
    "of Flowable": _file("""
<startEvent id="s"/>
<serviceTask id="a" name="Send" flowable:type="mail"><extensionElements>
<flowable:field name="to"><flowable:string><![CDATA[a@example.org]]></flowable:string></flowable:field>
<flowable:field name="subject" stringValue="Hello"/></extensionElements></serviceTask>
<endEvent id="e"/>
{f s a}
{f a e}
""", uses="flowable"),
    "of SpiffArena": _file("""
<startEvent id="s"/>
<manualTask id="a" name="Show"><extensionElements><spiffworkflow:instructionsForEndUser># Look
at **this**</spiffworkflow:instructionsForEndUser><spiffworkflow:properties>
<spiffworkflow:property name="formJson" value="a.json"/></spiffworkflow:properties></extensionElements></manualTask>
<endEvent id="e"/>
{f s a}
{f a e}
""", uses="spiffworkflow"),
    "with extensions of nobody's": _file("""
<startEvent id="s" acme:colour="red"/>
<task id="a" name="Do" acme:team="x"><extensionElements><acme:rule id="1"><acme:when a="b"/>
<acme:then/></acme:rule></extensionElements></task>
<endEvent id="e"/>
{f s a}
{f a e}
""", uses="acme"),
    "governed already": _file("""
<extensionElements><gov:policy workingThreshold="9000" interactionLevel="MICRO_SUGGESTION"/></extensionElements>
<startEvent id="s"/>
<task id="a" name="Decide"><extensionElements><gov:policy compressStrategy="ARCHIVE"><gov:retainKey name="x.y"/>
<gov:knowledgeRequirement type="sop" count="2" minConfidence="0.7">how to decide</gov:knowledgeRequirement>
<gov:approval roles="lead" due="PT4H"/><gov:setting name="budget" value="tokens=500"/></gov:policy>
<gov:agent prompt="Decide&#10;well" outputs="verdict: string" tools="context_inspect"/></extensionElements></task>
<task id="b" name="By attributes" gov:workingThreshold="700" gov:retainKeys="k, l"/>
<endEvent id="e"/>
{f s a}
{f a b}
{f b e}
""", uses="gov"),
    "with gateways": _file("""
<startEvent id="s"/>
<parallelGateway id="g"/>
<task id="a" name="Left"/>
<task id="b" name="Right"/>
<inclusiveGateway id="j" default="j_x"/>
<exclusiveGateway id="x"/>
<endEvent id="e"/>
{f s g}
{f g a}
{f g b}
{f a j}
{f b j}
{f j x}
{f x e}
"""),
    "with sub-processes": _file("""
<startEvent id="s"/>
<subProcess id="a" name="Outer"><startEvent id="s1"/><subProcess id="i" name="Inner"><startEvent id="s2"/>
<userTask id="t" name="Deep"/><endEvent id="e2"/><sequenceFlow id="f3" sourceRef="s2" targetRef="t"/>
<sequenceFlow id="f4" sourceRef="t" targetRef="e2"/></subProcess><endEvent id="e1"/>
<sequenceFlow id="f1" sourceRef="s1" targetRef="i"/><sequenceFlow id="f2" sourceRef="i" targetRef="e1"/></subProcess>
<endEvent id="e"/>
{f s a}
{f a e}
"""),
    "with events": _file("""
<startEvent id="s"><messageEventDefinition id="m1" messageRef="msg"/></startEvent>
<task id="a" name="Work"/>
<boundaryEvent id="late" attachedToRef="a" cancelActivity="false"><timerEventDefinition id="t1">
<timeDuration xsi:type="tFormalExpression">PT1H</timeDuration></timerEventDefinition></boundaryEvent>
<boundaryEvent id="wrong" attachedToRef="a"><errorEventDefinition id="e1" errorRef="err"/></boundaryEvent>
<intermediateThrowEvent id="tell"><signalEventDefinition id="g1" signalRef="sig"/></intermediateThrowEvent>
<endEvent id="e"/>
<endEvent id="e2"><terminateEventDefinition id="x1"/></endEvent>
{f s a}
{f a e}
{f late tell}
{f tell e}
{f wrong e2}
""", beside='  <message id="msg" name="ordered"/>\n  <signal id="sig" name="late"/>\n'
            '  <error id="err" errorCode="E"/>\n', uses="xsi"),
    "with loops and calls": _file("""
<startEvent id="s"/>
<userTask id="a" name="Each"><multiInstanceLoopCharacteristics isSequential="true">
<loopCardinality xsi:type="tFormalExpression">3</loopCardinality></multiInstanceLoopCharacteristics></userTask>
<callActivity id="c" name="Call" calledElement="p"/>
<task id="b" name="Again"><standardLoopCharacteristics testBefore="true"/></task>
<endEvent id="e"/>
{f s a}
{f a c}
{f c b}
{f b e}
""", uses="xsi"),
    "with data and notes": _file("""
<startEvent id="s"/>
<task id="a" name="Read"><ioSpecification id="io"><dataInput id="di" name="claim"/><dataOutput id="do" name="risk"/>
<inputSet id="is"><dataInputRefs>di</dataInputRefs></inputSet>
<outputSet id="os"><dataOutputRefs>do</dataOutputRefs></outputSet></ioSpecification></task>
<dataObject id="dob"/>
<dataObjectReference id="dor" name="File" dataObjectRef="dob"/>
<textAnnotation id="note"><text>Mind
this</text></textAnnotation>
<association id="as" sourceRef="a" targetRef="note"/>
<endEvent id="e"/>
{f s a}
{f a e}
"""),
    "with transactions and ad-hoc work": _file("""
<startEvent id="s"/>
<transaction id="a" name="Book"><task id="t1" name="Hotel"/></transaction>
<adHocSubProcess id="h" name="Any order" ordering="Parallel"><task id="t2" name="One"/><task id="t3" name="Other"/>
<completionCondition>done</completionCondition></adHocSubProcess>
<businessRuleTask id="r" name="Rule" gov:decision="d1"/>
<endEvent id="e"/>
{f s a}
{f a h}
{f h r}
{f r e}
""", uses="gov"),
    "with pools and lanes": _file("""
<laneSet id="ls"><lane id="l1" name="Clerk"><flowNodeRef>s</flowNodeRef><flowNodeRef>a</flowNodeRef></lane>
<lane id="l2" name="Lead"><flowNodeRef>b</flowNodeRef><flowNodeRef>e</flowNodeRef></lane></laneSet>
<startEvent id="s"/>
<task id="a" name="Prepare"/>
<userTask id="b" name="Approve"/>
<endEvent id="e"/>
{f s a}
{f a b}
{f b e}
""", beside='  <collaboration id="c"><participant id="ours" name="Us" processRef="p"/>'
            '<participant id="theirs" name="Them"/>\n'
            '    <messageFlow id="mf" sourceRef="theirs" targetRef="ours"/></collaboration>\n'),
    "that is not drawn": _PLAIN.replace("Model", "Not drawn"),
    "of Operaton": _file("""
<startEvent id="s"/>
<sendTask id="a" name="Send" operaton:class="org.example.Send"><extensionElements><operaton:properties>
<operaton:property name="p" value="&lt;v&gt;"/></operaton:properties></extensionElements></sendTask>
<receiveTask id="b" name="Wait" messageRef="msg"/>
<endEvent id="e"/>
{f s a}
{f a b}
{f b e}
""", beside='  <message id="msg" name="answered"/>\n', uses="operaton"),
}  # fmt: skip

NAMES: Final = tuple(_MODELS)


def model(name: str) -> bytes:
    """The file as somebody would have saved it: drawn, but for the one that is not."""
    text = _MODELS[name]
    if name != "that is not drawn":
        text = drawn(text.encode(), "model.bpmn")[0]
    return text.encode()
