"""Models that a rule finds something in, and models that it leaves alone."""

from __future__ import annotations

from tests.bpmn.files import chain, flow, policy, process
from tests.bpmn.rule_shapes import (
    ABOUT,
    AGENT,
    AI_AGENT,
    BY_AGENT,
    DENY,
    END,
    KEEPS,
    KNOWLEDGE,
    MESSAGE,
    ONCE,
    ORDER,
    SETS,
    SPLITS,
    START,
    TWICE,
    approving,
    behaving,
    boundary,
    branches,
    catching,
    decision,
    following,
    instances,
    join,
    leveled,
    links,
    listening,
    merging,
    multi,
    pools,
    refused,
    standard,
    timer,
    told,
    told_pool,
    transaction,
    undone,
)

WRONG: list[tuple[str, bytes, str, str | None]] = [
    ("unsupported-element", chain('<callChoreography id="a"/>'), "a", "callChoreography"),
    ("missing-condition", decision(flow("g1", "g", "x"), flow("g2", "g", "y"), default="g2"), "g1", None),
    ("message-flow", told_pool("y"), "mf", "a -> y"),
    ("no-start-event", process(""), "p", None),
    ("conditional-flow", process(START + '<task id="a"/>' + END + flow("f", "s", "a") + flow("g", "a", "e", "x")),
     "g", "x"),
    ("loop-into-join", process(
        START + '<parallelGateway id="j"/><task id="a"/><exclusiveGateway id="x"/>' + END + flow("f", "s", "j")
        + flow("g", "j", "a") + flow("h", "a", "x") + flow("back", "x", "j", "n") + flow("out", "x", "e")),
     "j", "back"),
    ("ad-hoc", chain('<adHocSubProcess id="a"><task id="t"/></adHocSubProcess>'), "a",
     "no ordering, no completionCondition, no agent"),
    ("ad-hoc", chain('<adHocSubProcess id="a" ordering="Parallel"/>'), "a", None),
    ("ad-hoc", chain('<adHocSubProcess id="a" ordering="Parallel"><task id="t"/><endEvent id="i"/></adHocSubProcess>'),
     "i", "in a"),
    ("event-flows", process(START + END + flow("f", "s", "e") + '<intermediateThrowEvent id="t"/>'
                            + flow("g", "t", "e")), "t", None),
    ("event-flows", standard(process(START + '<intermediateThrowEvent id="t"/>' + flow("f", "s", "t"))), "t", None),
    ("event-flows", process(START + '<endEvent id="t"><escalationEventDefinition/></endEvent>' + flow("f", "s", "t")),
     "t", None),
    ("message-flow-ends", pools(START + '<task id="a"/>' + END + flow("f", "s", "a"), "a", "own"), "m", "a -> own"),
    ("message-flow-ends", pools(START + END + flow("f", "s", "e"), "other", "s"), "m", "other -> s"),
    ("flow-ends", process(START + END + flow("f", "s", "e") + '<parallelGateway id="g"/>'), "g", "parallelGateway"),
    ("flow-ends", process(START + '<receiveTask id="a" messageRef="m" instantiate="true"/>' + END + flow("f", "s", "a")
                          + flow("g", "a", "e"), beside=MESSAGE), "a", "f"),
    ("call-target", chain('<callActivity id="a" calledElement="q"/>', beside=f'{MESSAGE}<process id="q">'
                          f'<startEvent id="qs">{ORDER}</startEvent></process>'), "a", "qs"),
    ("boundary", boundary('attachedToRef="a" cancelActivity="false"', "<errorEventDefinition/>"), "b",
     'cancelActivity="false"'),
    ("several-start-events", process(f'{START}<startEvent id="t"/>'), "t", "2 in p"),
    ("flow-ends", process(
        f"{START}<task id='a'/>{END}" + flow("f", "s", "e") + flow("x", "e", "a")), "x", "endEvent e"),
    ("flow-ends", process(START + '<task id="a"/>' + flow("f", "s", "a") + flow("x", "a", "s")), "x", "startEvent s"),
    ("flow-ends", standard(process(f'{START}<task id="a"/><boundaryEvent id="b" attachedToRef="a">'
                                   "<errorEventDefinition/></boundaryEvent>" + flow("f", "s", "a"))), "b", None),
    ("boundary", boundary(""), "b", "attached to nothing"),
    ("boundary", boundary('attachedToRef="s"'), "b", "attached to startEvent s"),
    ("call-target", chain('<callActivity id="a" calledElement="q"/>'), "a", "q"),
    ("agent-tools", chain(f'<serviceTask id="a">{AI_AGENT}</serviceTask>'), "a", "toolz"),
    ("call-target", chain('<callActivity id="a"/>'), "a", "no calledElement"),
    ("loop", multi(""), "a", None),
    ("loop", multi("<loopCardinality>2</loopCardinality><loopDataInputRef>x</loopDataInputRef>"), "a", None),
    ("loop", multi('<loopCardinality>2</loopCardinality><outputDataItem id="o"/>'), "a", None),
    ("loop", multi("<loopCardinality>2</loopCardinality><loopDataOutputRef>x</loopDataOutputRef>"), "a", None),
    ("loop", multi("<loopCardinality>-1</loopCardinality>"), "a", None),
    ("loop", behaving("None"), "a", None),
    ("loop", behaving("Complex"), "a", None),
    ("loop", behaving("Complex", "<complexBehaviorDefinition><event/></complexBehaviorDefinition>"), "a", None),
    ("loop", chain('<task id="a"><standardLoopCharacteristics/></task>'), "a", None),
    ("timer", timer(""), "a", None),
    ("timer", timer("<timeDuration>soon</timeDuration>"), "a", "soon"),
    ("timer", timer("<timeDuration>P1X</timeDuration>"), "a", "P1X"),
    ("timer", timer("<timeDate>tomorrow</timeDate>"), "a", "tomorrow"),
    ("timer", timer("<timeDate>2030-02-30T00:00:00Z</timeDate>"), "a", "2030-02-30T00:00:00Z"),
    ("timer", timer("<timeCycle>99 0/5 * * * ?</timeCycle>"), "a", "99 0/5 * * * ?"),
    ("timer", timer("<timeCycle>PT5M</timeCycle>"), "a", "PT5M"),
    ("timer", timer("<timeCycle>R/PT0S</timeCycle>"), "a", "R/PT0S"),
    ("event-reference", chain(catching("<conditionalEventDefinition/>")), "a", None),
    ("event-sub-process", listening("<startEvent id='i'/>"), "i", "none"),
    ("event-sub-process", listening(TWICE), "k", "2 in u"),
    ("event-sub-process", listening("<startEvent id='i' isInterrupting='false'><errorEventDefinition/></startEvent>"),
     "i", 'isInterrupting="false"'),
    ("link", links("x", "y"), "t", "x"),
    ("compensation", undone(link=""), "b", None),
    ("compensation", undone(more=flow("f9", "b", "e")), "b", "f9"),
    ("compensation", undone(more=flow("f9", "h", "e")), "h", "f9"),
    ("compensation", undone('activityRef="x"'), "e", "x"),
    ("compensation", undone('activityRef="e"'), "e", "e"),
    ("transaction", transaction(boundary=False), "a", "cancel endEvent k"),
    ("transaction", transaction("subProcess", boundary=False), "k", "in a"),
    ("transaction", transaction("subProcess", event=""), "b", "subProcess a"),
    ("link", links("x", "x", "x"), "c1", "x, which c0 catches too"),
    ("link", links("", "x"), "t", None),
    ("listener", chain(told("delete")), "a", "X"),
    ("link", links("x", "x", more=flow("f9", "t", "e")), "t", "f9"),
    ("link", links("x", "x", more=flow("f9", "s", "c0")), "c0", "f9"),
    ("event-gateway", process(
        f'{START}<eventBasedGateway id="g"/>{catching(ORDER)}<task id="t"/>'
        + flow("f", "s", "g") + flow("g1", "g", "a") + flow("g2", "g", "t"), beside=MESSAGE), "g2", "task t"),
    ("event-gateway", process(
        f'{START}<eventBasedGateway id="g"/>{catching(ORDER)}'
        + flow("f", "s", "g") + flow("g1", "g", "a"), beside=MESSAGE), "g", "1 outgoing"),
    ("event-gateway", process(
        f'{START}<eventBasedGateway id="g" eventGatewayType="Parallel"/>{catching(ORDER)}'
        '<intermediateCatchEvent id="t"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>'
        "</intermediateCatchEvent>" + flow("f", "s", "g") + flow("g1", "g", "a") + flow("g2", "g", "t"),
        beside=MESSAGE), "g", 'eventGatewayType="Parallel"'),
    ("useless-condition", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y"), kind="parallelGateway"), "g1", "a"),
    ("useless-condition", process(START + END + flow("f", "s", "e", "a")), "f", "a"),
    ("useless-condition", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y", "b"), default="g2"), "g2", "b"),
    ("expression", decision(flow("g1", "g", "x", "a &gt;"), flow("g2", "g", "y")), "g1", "a >"),
    ("expression", decision(flow("g1", "g", "x", "exit()"), flow("g2", "g", "y")), "g1", "exit()"),
    ("expression", process(f'{START}<complexGateway id="g"><activationCondition>x &gt;</activationCondition>'
                           f'</complexGateway>{END}' + flow("f", "s", "g") + flow("h", "g", "e")), "g", "x >"),
    ("expression", chain('<adHocSubProcess id="a"><task id="t"/><completionCondition>x &gt;</completionCondition>'
                         "</adHocSubProcess>"), "a", "x >"),
    ("expression", multi("<loopCardinality>1 +</loopCardinality>"), "a", "1 +"),
    ("expression", timer("<timeDuration>= a +</timeDuration>"), "a", "a +"),
    ("script", chain('<scriptTask id="a"/>'), "a", None),
    ("script", chain('<scriptTask id="a" scriptFormat="groovy"><script>x = 1</script></scriptTask>'), "a", "x = 1"),
    ("script", chain('<scriptTask id="a"><script>import os</script></scriptTask>'), "a", "import os"),
    ("not-executable", process(START, attributes='isExecutable="false"'), "p", 'isExecutable="false"'),
    ("unreachable", process(f'{START}<task id="a"/>'), "a", None),
    ("no-default-flow", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y", "b")), "g", None),
    ("no-job-type", chain('<serviceTask id="a"/>'), "a", None),
    ("no-job-type", chain('<sendTask id="a"/>'), "a", None),
    ("data-association", process(
        f'{START}<dataObject id="d" name="left"/><task id="a">{BY_AGENT}<ioSpecification><dataInput id="i" name="x"/>'
        "</ioSpecification><dataInputAssociation><sourceRef>d</sourceRef><targetRef>i</targetRef>"
        "</dataInputAssociation></task>" + flow("f", "s", "a")), "a", "left"),
    ("retain-key", chain('<task id="a" gov:retainKeys="claim"/>'), "a", "claim"),
    ("merge-key", branches(join_at=merging("", x="SUM")), "j", "x"),
    ("merge-key", branches(join_at=merging("", **{"x.y/z": "SUM"})), "j", "x.y/z"),
    ("branch-strategy", branches(merging("HUMAN")), "a", "merge=HUMAN"),
    ("branch-strategy", branches(merging("HUMAN"), merging("LAST_WRITE")), "a", "merge=HUMAN"),
    ("branch-strategy", branches(merging("", x="SUM"), merging("", y="SUM")), "a", "x=SUM"),
    ("retain-key-late", following(f'<task id="a" gov:retainKeys="x.y"/>{SETS}', "a > b"), "a", "x.y"),
    ("retain-key-late", following(f'<subProcess id="b">{KEEPS}{SETS.replace("b", "i")}</subProcess>'
                                  '<task id="a" gov:retainKeys="x"/>', "b > a"), "a", "x"),
    ("retain-key-late", process(f'{START}<parallelGateway id="g"/>{SETS}<task id="a" gov:retainKeys="x"/>'
                                + flow("f", "s", "g") + flow("h", "g", "b") + flow("k", "g", "a")), "a", "x"),
    ("retain-key-late", chain(f'<subProcess id="u"><startEvent id="i"/><task id="a" gov:retainKeys="x"/>{SETS}'
                              + flow("k", "i", "a") + flow("l", "a", "b") + "</subProcess>"), "a", "x"),
    ("approval-role", chain('<task id="a" gov:interactionLevel="EXPLICIT_APPROVAL"/>'), "a", "EXPLICIT_APPROVAL"),
    ("approval-role", process(leveled("EXPLICIT_APPROVAL") + START + END + flow("f", "s", "e")), "p",
     "EXPLICIT_APPROVAL"),
    ("auto-allow", chain('<serviceTask id="a" gov:jobType="j" gov:interactionLevel="AUTO_ALLOW"/>'), "a", "AUTO_ALLOW"),
    ("auto-allow", chain('<sendTask id="a" messageRef="m" gov:interactionLevel="AUTO_ALLOW"/>', beside=MESSAGE), "a",
     "AUTO_ALLOW"),
    ("auto-deny", chain('<task id="a" gov:interactionLevel="AUTO_DENY"/>'), "a", "AUTO_DENY"),
    ("auto-deny", refused("<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"), "a",
     "AUTO_DENY"),
    ("risk-class", chain(f'<task id="a" gov:riskClass="high">{BY_AGENT}</task>'), "a", "AUTO_ALLOW"),
    ("risk-class", process(policy('<gov:policy riskClass="high" interactionLevel="MICRO_SUGGESTION"/>')
                           + f'{START}<task id="a">{BY_AGENT}</task>' + flow("f", "s", "a")), "a", "MICRO_SUGGESTION"),
    ("risk-class", chain(f'<task id="a" gov:riskClass="unacceptable" gov:interactionLevel="EXPLICIT_APPROVAL">'
                         f"{BY_AGENT}</task>"), "a", "unacceptable"),
    ("accountable", chain(f'<task id="a">{BY_AGENT}</task>'), "a", "no accountable"),
    ("accountable", chain(f'<subProcess id="u"><task id="a">{BY_AGENT}</task></subProcess>'), "a", "no accountable"),
    ("human-merge", instances(merging("HUMAN")), "j", "merge=HUMAN"),
    ("human-merge", instances(merging("", x="HUMAN")), "j", "merge=HUMAN"),
    ("human-merge", instances(merging("HUMAN"), looped=True), "j", "merge=HUMAN"),
    ("knowledge-query", chain(f'<task id="a">{policy(KNOWLEDGE)}</task>'), "a", "type=sop"),
    ("policy-effect", branches(join_at='<gov:policy workingThreshold="5"/>'), "j", "workingThreshold"),
    ("policy-effect", chain('<exclusiveGateway id="a" gov:sla="PT1H"/>'), "a", "sla"),
    ("policy-effect", chain('<receiveTask id="a" messageRef="m" gov:sla="PT1H"/>', beside=MESSAGE), "a", "sla"),
    ("policy-effect", chain('<task id="a" gov:retention="P90D"/>'), "a", "retention"),
    ("policy-effect", chain('<subProcess id="a" gov:retention="P9D"><task id="b"/></subProcess>'), "a", "retention"),
    ("policy-effect", process(
        '<laneSet id="ls"><lane id="l" gov:retention="P9D"><flowNodeRef>t</flowNodeRef></lane></laneSet>'
        + START + '<task id="t"/>' + flow("f", "s", "t")), "l", "retention"),
    ("policy-effect", chain(f'<exclusiveGateway id="a">{policy(merging("HUMAN"))}</exclusiveGateway>'), "a",
     "branchStrategy merge"),
    ("policy-effect", chain(f'<exclusiveGateway id="a">{policy(SPLITS)}</exclusiveGateway>'), "a",
     "branchStrategy split"),
    ("policy-effect", chain(f'<intermediateThrowEvent id="a">{policy(KNOWLEDGE)}</intermediateThrowEvent>'), "a",
     "knowledgeRequirement"),
    ("split-strategy", process(
        f'{START}<parallelGateway id="g"/><task id="a"/>{END}'
        f'<inclusiveGateway id="h">{policy(SPLITS)}</inclusiveGateway>' + flow("o", "h", "a")
        + "".join(flow(f"{x}{y}", x, y) for x, y in ("sg", "ga", "gh", "he"))), "g", "2 branches"),
    ("approval-default", branches(approving('roles="lead" escalateTo="boss"')), "a", "escalateTo=boss"),
    ("policy-due", branches(approving('roles="lead" due="soon"')), "a", "due=soon"),
    ("policy-due", branches(approving('due="2030-01-31"')), "a", "due=2030-01-31"),
    ("task-due", chain('<userTask id="a" gov:due="whenever"/>'), "a", "whenever"),
    ("task-due", chain('<manualTask id="a" gov:due="soon"/>'), "a", "soon"),
    ("approval-default", branches(join_at=approving('due="PT1H" default="approve"')), "j", "default=approve"),
    ("approval-default", chain(f'<task id="a">{policy(approving(DENY))}</task>'), "a", "default=deny"),
    ("join-deadlock", join("exclusiveGateway"), "j", "parallelGateway that waits for 2 flows"),
    ("runs-twice", join("parallelGateway").replace(b'<parallelGateway id="j"', b'<exclusiveGateway id="j"'), "j",
     "exclusiveGateway where 2 flows meet"),
    ("no-way-out", process(f'{START}<task id="a"/>' + flow("f", "s", "a") + flow("g", "a", "a")), "a", "task"),
    ("not-decided", process(f'{START}<complexGateway id="g"/>{END}' + flow("f", "s", "g") + flow("h", "g", "e")), "p",
     "more than can be played through, or gateways that count"),
]  # fmt: skip

RIGHT: list[tuple[str, bytes]] = [
    ("unsupported-element", chain('<task id="a"/>')),
    ("message-flow", told_pool("z")),
    ("data-association", process(
        f'{START}<dataObject id="d" name="x"/><task id="a">{BY_AGENT}<ioSpecification><dataInput id="i" name="x"/>'
        "</ioSpecification><dataInputAssociation><sourceRef>d</sourceRef><targetRef>i</targetRef>"
        "</dataInputAssociation></task>" + flow("f", "s", "a"))),
    ("retain-key-late", following(f'{SETS}<task id="a" gov:retainKeys="x, y, none"/>', "b > a")),
    ("retain-key-late", following(f'<task id="a" gov:retainKeys="x"/>{SETS}<exclusiveGateway id="g" default="out"/>'
                                  "<exclusiveGateway id='m'/>", "m > a > b > g", flow("back", "g", "m", "x"))),
    ("retain-key-late", following(f'<subProcess id="b"><startEvent id="q"/>{SETS.replace("b", "i")}</subProcess>'
                                  '<task id="a" gov:retainKeys="x"/>', "b > a")),
    ("retain-key-late", chain(f'<adHocSubProcess id="u" ordering="Parallel"><task id="a" gov:retainKeys="x"/>{SETS}'
                              "</adHocSubProcess>")),
    ("retain-key-late", links("x", "x", more='<task id="a" gov:retainKeys="x"/><scriptTask id="b"><script>x = 1'
                              "</script></scriptTask>" + flow("k", "s", "b") + flow("l", "b", "t")
                              + flow("n", "c0", "a"))),
    ("retain-key-late", chain('<task id="a" gov:retainKeys="x"/>', '<ioSpecification><dataInput id="x" name="x"/>'
                              '<inputSet/><outputSet/></ioSpecification>')),
    ("approval-role", branches(approving('roles="lead"'))),
    ("approval-role", chain('<task id="a" gov:interactionLevel="DIFF_PREVIEW"/>')),
    ("auto-allow", chain('<serviceTask id="a" gov:jobType="j"/>')),
    ("auto-allow", chain('<serviceTask id="a" gov:jobType="j" gov:interactionLevel="DIFF_PREVIEW"/>')),
    ("auto-allow", process(leveled("AUTO_ALLOW") + START + '<serviceTask id="a" gov:jobType="j"/>'
                           + flow("f", "s", "a"))),
    ("auto-deny", refused("<errorEventDefinition/>")),
    ("auto-deny", refused("<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>", by="o")),
    ("auto-deny", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y"))),
    ("risk-class", chain(f'<task id="a" gov:riskClass="high" gov:interactionLevel="DIFF_PREVIEW">{BY_AGENT}</task>')),
    ("risk-class", chain(f'<task id="a" gov:riskClass="limited">{BY_AGENT}</task>', '<userTask id="b" '
                         'gov:riskClass="high"/>')),
    ("risk-class", chain(f'<task id="a" gov:riskClass="unacceptable" gov:interactionLevel="AUTO_DENY">{BY_AGENT}'
                         "</task>")),
    ("accountable", chain(f'<task id="a" gov:accountable="Ada Lovelace">{BY_AGENT}</task>', '<userTask id="b"/>')),
    ("accountable", process(policy('<gov:policy accountable="Ada Lovelace"/>') + f'{START}<subProcess id="u">'
                            f'<task id="a">{BY_AGENT}</task></subProcess>' + flow("f", "s", "u"))),
    ("human-merge", instances(merging("LAST_WRITE"))),
    ("human-merge", branches(join_at=merging("HUMAN"))),
    ("knowledge-query", chain(f'<task id="a" name="Refund">{policy(KNOWLEDGE)}</task>')),
    ("knowledge-query", chain(f'<task id="a">{policy(ABOUT)}</task>')),
    ("policy-effect", branches('<gov:policy workingThreshold="5"/>', merging("HUMAN"))),
    ("policy-effect", chain('<userTask id="a" gov:sla="PT1H"/>')),
    ("policy-effect", process(policy('<gov:policy retention="P9D"/>') + START + END + flow("f", "s", "e"))),
    ("policy-effect", process(policy('<gov:policy workingThreshold="5"/>') + START + END + flow("f", "s", "e"))),
    ("split-strategy", branches('<gov:policy workingThreshold="5"/>')),
    ("split-strategy", process(f'{START}<parallelGateway id="g">{policy(SPLITS)}</parallelGateway><task id="a"/>'
                               f'<task id="b"/>' + flow("f", "s", "g") + flow("h", "g", "a") + flow("k", "g", "b"))),
    ("policy-due", branches(approving('due="P1DT12H" default="deny"'))),
    ("task-due", chain('<userTask id="a" gov:due="P2D"/>')),
    ("task-due", chain('<userTask id="a" gov:due="2030-01-31T09:00:00Z"/>')),
    ("no-start-event", chain('<subProcess id="a"><startEvent id="i"/></subProcess>')),
    ("several-start-events", process(
        f'{START}<startEvent id="t"><messageEventDefinition messageRef="m"/></startEvent>', beside=MESSAGE)),
    ("flow-ends", boundary('attachedToRef="a"')),
    ("boundary", boundary('attachedToRef="a"')),
    ("call-target", chain('<callActivity id="a" calledElement="p"/>')),
    ("agent-tools", chain(f'<serviceTask id="a">{AI_AGENT}</serviceTask>'
                          '<adHocSubProcess id="toolz"><task id="t"/></adHocSubProcess>')),
    ("loop", multi("<loopCardinality>2</loopCardinality>")),
    ("loop", multi("<loopDataInputRef>x</loopDataInputRef>")),
    ("loop", behaving("All")),
    ("loop", behaving("One", name='oneBehaviorEventRef="x"')),
    ("loop", behaving("Complex", "<complexBehaviorDefinition><condition>y</condition><event/>"
                      "</complexBehaviorDefinition>")),
    ("expression", process(f'{START}<complexGateway id="g"><activationCondition>x &gt; 1</activationCondition>'
                           f'</complexGateway>{END}' + flow("f", "s", "g") + flow("h", "g", "e"))),
    ("loop", chain('<task id="a"><standardLoopCharacteristics loopMaximum="3"/></task>')),
    ("timer", timer("<timeDuration>PT5M</timeDuration>")),
    ("timer", timer("<timeDuration>'PT5M'</timeDuration>")),
    ("timer", timer("<timeDate>2030-01-31T09:00:00+02:00</timeDate>")),
    ("timer", timer("<timeCycle>R3/PT10M</timeCycle>")),
    ("timer", timer("<timeCycle>0 0/5 * * * ?</timeCycle>")),
    ("timer", timer("<timeDuration>${wait}</timeDuration>")),
    ("event-reference", chain('<receiveTask id="a" messageRef="m"/>', beside=MESSAGE)),
    ("event-reference", boundary('attachedToRef="a"')),
    ("event-reference", chain(catching("<conditionalEventDefinition><condition>x</condition>"
                                       "</conditionalEventDefinition>"))),
    ("event-sub-process", listening(ONCE)),
    ("link", links("x", "x")),
    ("listener", chain(told("create"))),
    ("compensation", undone()),
    ("compensation", undone('activityRef="a"')),
    ("transaction", transaction()),
    ("unreachable", links("x", "x")),
    ("event-gateway", process(
        f'{START}<eventBasedGateway id="g"/>{catching(ORDER)}'
        '<intermediateCatchEvent id="t"><signalEventDefinition/></intermediateCatchEvent>'
        + flow("f", "s", "g") + flow("g1", "g", "a") + flow("g2", "g", "t"),
        beside=MESSAGE)),
    ("conditional-flow", process(START + '<task id="a"/>' + END + '<endEvent id="e2"/>' + flow("f", "s", "a")
                                 + flow("g", "a", "e", "x") + flow("h", "a", "e2"))),
    ("ad-hoc", chain('<adHocSubProcess id="a" ordering="Sequential"><task id="t"/></adHocSubProcess>')),
    ("loop-into-join", join("parallelGateway")),
    ("event-flows", chain(catching(ORDER), beside=MESSAGE)),
    ("message-flow-ends", pools(f'{START}<sendTask id="a" messageRef="k"/>{END}' + flow("f", "s", "a")
                                + flow("g", "a", "e"), "a", "other")),
    ("missing-condition", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y"))),
    ("missing-condition", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y"), default="g2")),
    ("missing-condition", decision(flow("g1", "g", "x"))),
    ("missing-condition", decision(flow("g1", "g", "x"), flow("g2", "g", "y"), kind="inclusiveGateway")),
    ("useless-condition", process(START + '<task id="a"/>' + END + flow("f", "s", "a") + flow("g", "a", "e", "x"))),
    ("expression", decision(flow("g1", "g", "x", "a &gt; 1 and b == 'c'"), flow("g2", "g", "y"))),
    ("script", chain('<scriptTask id="a" scriptFormat="text/python"><script>x = y + 1</script></scriptTask>')),
    ("not-executable", process(START, attributes="")),
    ("unreachable", boundary('attachedToRef="a"')),
    ("no-default-flow", decision(flow("g1", "g", "x", "a"), flow("g2", "g", "y"), default="g2")),
    ("no-job-type", chain('<sendTask id="a" messageRef="m"/>', beside=MESSAGE)),
    ("no-job-type", chain(f'<serviceTask id="a">{policy("<gov:agent/>")}</serviceTask>')),
    ("retain-key", chain('<task id="a" gov:retainKeys="claim.id, no*"/>',
                         '<scriptTask id="b"><script>claim = 1; note = 2</script></scriptTask>')),
    ("retain-key", chain(f'<task id="a" gov:retainKeys="x">{policy(AGENT)}</task>')),
    ("merge-key", chain(f'<task id="a">{policy(merging("", **{"x.y": "SUM", "x/z": "MAX", "no*": "MIN", "x": "SUM"}))}'
                        "</task>", '<scriptTask id="b"><script>x = {}; note = 2</script></scriptTask>')),
    ("branch-strategy", branches(merging("HUMAN"), merging("HUMAN"))),
    ("branch-strategy", branches(merging("", xy="SUM"), merging("", **{"x*": "SUM"}))),
    ("branch-strategy", branches(merging("HUMAN"), between="<multiInstanceLoopCharacteristics><loopCardinality>2"
                                 "</loopCardinality></multiInstanceLoopCharacteristics>")),
    ("branch-strategy", branches(join_at=merging("HUMAN"))),
    ("approval-default", branches(approving('due="PT1H" default="approve"'))),
    ("approval-default", branches(join_at=approving('due="PT1H" default="deny"'))),
    ("approval-default", branches(join_at='<gov:policy><gov:branchStrategy merge="LAST_WRITE"/>'
                                  '<gov:approval due="PT1H" default="approve"/></gov:policy>')),
    ("join-deadlock", join("parallelGateway")),
    ("runs-twice", join("parallelGateway")),
    ("no-way-out", join("parallelGateway")),
    ("not-decided", join("parallelGateway")),
]  # fmt: skip
