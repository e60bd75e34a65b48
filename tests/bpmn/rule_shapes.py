"""Small processes, each of the shape that a rule is about."""

from __future__ import annotations

import re
from itertools import pairwise

from tests.bpmn.files import chain, flow, policy, process

START, END = '<startEvent id="s"/>', '<endEvent id="e"/>'
MESSAGE = '<message id="m"/>'
ORDER = '<messageEventDefinition messageRef="m"/>'
AGENT = '<gov:agent outputs="x:number"/>'


def decision(*flows: str, default: str = "", kind: str = "exclusiveGateway") -> bytes:
    """A gateway `g` with flows to the end events `x`, `y` and `z`."""
    ends = "".join(f'<endEvent id="{name}"/>' for name in "xyz")
    chosen = f'default="{default}"' if default else ""
    return process(f'{START}<{kind} id="g" {chosen}/>{ends}\n{flow("f", "s", "g")}\n' + "\n".join(flows))


def pools(content: str, source: str, target: str) -> bytes:
    """The process `p` in a pool, another pool, and a message flow `m`."""
    return process(
        content,
        beside=f'<message id="k"/><collaboration id="c"><participant id="own" processRef="p"/><participant id="other"/>'
        f'<messageFlow id="m" sourceRef="{source}" targetRef="{target}"/></collaboration>',
    )


def catching(inside: str) -> str:
    """A catch event `a`."""
    return f'<intermediateCatchEvent id="a">{inside}</intermediateCatchEvent>'


def raced(gateway: str = "", *, condition: str | None = None) -> bytes:
    """An event-based gateway `g` that waits for a message or for a time."""
    time = "<timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition>"
    return process(
        f'{START}<eventBasedGateway id="g" {gateway}/>{catching(ORDER)}'
        f'<intermediateCatchEvent id="t">{time}</intermediateCatchEvent>'
        + flow("f", "s", "g") + flow("g1", "g", "a", condition) + flow("g2", "g", "t"),
        beside=MESSAGE,
    )  # fmt: skip


def timer(text: str) -> bytes:
    """A timer catch event `a` in a row."""
    return chain(catching(f"<timerEventDefinition>{text}</timerEventDefinition>"))


def multi(inside: str) -> bytes:
    """A multi-instance task `a` in a row."""
    return chain(f'<task id="a"><multiInstanceLoopCharacteristics>{inside}</multiInstanceLoopCharacteristics></task>')


def behaving(behavior: str, inside: str = "", *, name: str = "") -> bytes:
    """A multi-instance task `a` with a behavior."""
    marker = f'<multiInstanceLoopCharacteristics behavior="{behavior}" {name}><loopCardinality>2</loopCardinality>'
    task = f'<task id="a">{marker}{inside}</multiInstanceLoopCharacteristics></task>'
    return chain(task, beside='<terminateEventDefinition id="x"/>')


def boundary(attached: str, event: str = "<errorEventDefinition/>") -> bytes:
    """A boundary event `b` on the task `a`."""
    return process(
        f'{START}<task id="a"/>{END}<boundaryEvent id="b" {attached}>{event}</boundaryEvent>'
        + flow("f", "s", "a")
        + flow("g", "b", "e")
    )


def standard(data: bytes) -> bytes:
    """A file of no engine's dialect."""
    return re.sub(rb' xmlns:(?!gov)\w+="[^"]*"', b"", data)


def join(split: str, between: str = "") -> bytes:
    """A split into a parallel join `j`, over a task and directly."""
    return process(
        f'{START}<{split} id="g"/><task id="t"/><parallelGateway id="j"/>{END}'
        + flow("f", "s", "g")
        + flow("g1", "g", "t", "x" if split == "exclusiveGateway" else None)
        + flow("g2", "g", "j")
        + flow("t1", "t", "j")
        + flow("j1", "j", "e")
        + between
    )


AI_AGENT = (
    '<extensionElements><zeebe:taskDefinition xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"'
    ' type="io.camunda.agenticai:aiagent:1"/><zeebe:ioMapping xmlns:zeebe="http://camunda.org/schema/zeebe/1.0">'
    '<zeebe:input source="toolz" target="data.tools.containerElementId"/></zeebe:ioMapping></extensionElements>'
)


def branches(a: str = "", join_at: str = "", *, between: str = "") -> bytes:
    """The tasks `a` and `b` between a split `g` and a join `j`; the first policy on `a`, the other on the join."""
    tasks = f'<task id="a">{policy(a)}{between}</task><task id="b"/>'
    return process(
        f'{START}<parallelGateway id="g"/>{tasks}<parallelGateway id="j">{policy(join_at)}</parallelGateway>{END}'
        + "".join(flow(f"{x}{y}", x, y) for x, y in ("sg", "ga", "gb", "aj", "bj", "je"))
    )


def merging(strategy: str, **keys: str) -> str:
    """A policy with a merge strategy, and with others for single keys."""
    own = f'<gov:branchStrategy merge="{strategy}"/>' if strategy else ""
    each = "".join(f'<gov:mergeKey name="{name}" strategy="{one}"/>' for name, one in keys.items())
    return f"<gov:policy>{own}{each}</gov:policy>"


def approving(attributes: str) -> str:
    """A policy about approvals."""
    return f"<gov:policy><gov:approval {attributes}/></gov:policy>"


SPLITS = '<gov:policy><gov:branchStrategy split="INHERIT_RETAINED"/></gov:policy>'
KNOWLEDGE = '<gov:policy><gov:knowledgeRequirement type="sop"/></gov:policy>'
ABOUT = KNOWLEDGE.replace("type", 'query="q" type')
SETS = '<scriptTask id="b"><script>x = y = 1</script></scriptTask>'
KEEPS = (
    policy(
        '<camunda:inputOutput xmlns:camunda="http://camunda.org/schema/1.0/bpmn">'
        '<camunda:outputParameter name="z">${1}</camunda:outputParameter></camunda:inputOutput>'
    )
    + '<startEvent id="q"/>'
)


def following(content: str, path: str, *flows: str) -> bytes:
    """Elements in a row between start and end, and other flows."""
    names = ["s", *path.split(" > "), "e"]
    row = (flow("out" if right == "e" else f"{left}_{right}", left, right) for left, right in pairwise(names))
    return process(START + content + END + "".join((*row, *flows)))


def leveled(level: str) -> str:
    """A process's own interaction level."""
    return policy(f'<gov:policy interactionLevel="{level}"/>')


def refused(event: str, by: str = "a") -> bytes:
    """A task `a` that is refused behind a task `o`, with a boundary event of one of them that leads to the same end."""
    return process(
        f'{START}<task id="o"/><task id="a" gov:interactionLevel="AUTO_DENY"/>{END}'
        f'<boundaryEvent id="b" attachedToRef="{by}">{event}</boundaryEvent>'
        + flow("f", "s", "o") + flow("k", "o", "a") + flow("g", "a", "e") + flow("h", "b", "e")
    )  # fmt: skip


def instances(written: str, *, looped: bool = False) -> bytes:
    """A multi-instance sub-process with a join `j` in it, or in a loop in it, that has a policy."""
    marker = '<multiInstanceLoopCharacteristics><loopCardinality>2</loopCardinality></multiInstanceLoopCharacteristics>'
    inside = (
        f'<startEvent id="i"/><parallelGateway id="g"/><task id="t"/><parallelGateway id="j">{policy(written)}'
        '</parallelGateway><endEvent id="o"/>'
        + "".join(flow(f"{x}{y}", x, y) for x, y in ("ig", "gt", "gj", "tj", "jo"))
    )  # fmt: skip
    if looped:
        inside = f'<subProcess id="u"><standardLoopCharacteristics loopMaximum="2"/>{inside}</subProcess>'
    return chain(f'<subProcess id="a">{marker}{inside}</subProcess>')


ONCE = "<startEvent id='i'><errorEventDefinition/></startEvent>"
TWICE = f"{ONCE}<startEvent id='k'><errorEventDefinition/></startEvent>"


def listening(inside: str) -> bytes:
    """An event sub-process `u` in a process."""
    held = f'<subProcess id="u" triggeredByEvent="true">{inside}</subProcess>'
    return process(START + held + END + flow("f", "s", "e"))


def told_pool(to: str) -> bytes:
    """A task `a` with a message flow `mf` to a pool: `y` has a process that is not run, `z` has none."""
    pools = '<participant id="x" processRef="p"/><participant id="y" processRef="q"/><participant id="z"/>'
    message = f'<messageFlow id="mf" sourceRef="a" targetRef="{to}"/>'
    other = f'<process id="q"><startEvent id="qs"/></process><collaboration id="c">{pools}{message}</collaboration>'
    return chain('<task id="a"/>', beside=other)


def links(thrown: str, *caught: str, more: str = "") -> bytes:
    """A link event `t` that throws, and `c0`, `c1`, ... that catch."""
    ends = "".join(
        f'<intermediateCatchEvent id="c{n}"><linkEventDefinition name="{one}"/></intermediateCatchEvent>'
        + flow(f"g{n}", f"c{n}", "e")
        for n, one in enumerate(caught)
    )
    begin = f'<intermediateThrowEvent id="t"><linkEventDefinition name="{thrown}"/></intermediateThrowEvent>'
    return process(START + END + begin + ends + flow("f", "s", "t") + more)


TO_HANDLER = '<association id="as" sourceRef="b" targetRef="h"/>'


def undone(thrown: str = "", *, link: str = TO_HANDLER, more: str = "") -> bytes:
    """A task `a`, what undoes it, and an end event `e` that asks for it."""
    return process(
        f'{START}<task id="a"/><boundaryEvent id="b" attachedToRef="a"><compensateEventDefinition/></boundaryEvent>'
        f'<task id="h" isForCompensation="true"/>{link}'
        f'<endEvent id="e"><compensateEventDefinition {thrown}/></endEvent>'
        + flow("f", "s", "a") + flow("g", "a", "e") + more
    )  # fmt: skip


def transaction(kind: str = "transaction", *, event: str = "<cancelEventDefinition/>", boundary: bool = True) -> bytes:
    """A transaction `a` that is cancelled at `k`, with or without a boundary event `b`."""
    inside = f'<startEvent id="i"/><endEvent id="k">{event}</endEvent>{flow("x", "i", "k")}'
    caught = '<boundaryEvent id="b" attachedToRef="a"><cancelEventDefinition/></boundaryEvent>' if boundary else ""
    return process(
        f'{START}<{kind} id="a">{inside}</{kind}>{caught}{END}' + flow("f", "s", "a") + flow("g", "a", "e")
        + (flow("h", "b", "e") if boundary else "")
    )  # fmt: skip


DENY = 'default="deny"'

BY_AGENT = policy('<gov:agent prompt="x"/>')


def told(event: str) -> str:
    told_of = policy(f'<camunda:taskListener event="{event}" class="X"/>')
    return f'<userTask id="a">{told_of}</userTask>'
