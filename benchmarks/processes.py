"""BPMN files of any size, each with a given number of activities."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xmlns:gov="urn:bpmn-governor:governance:1.0" id="d" targetNamespace="benchmarks">\n'
)
PROCESS = "P"

Drawn = tuple[str, str, str]
"""A part of a process: its elements, and the ids that flows lead into and out of."""


def sequence(count: int, code: str = "x = 1") -> bytes:
    """One script task after the other."""
    return _process(_chain([_script(f"t{n}", code) for n in range(count)]))


def writing_sequence(texts: list[str]) -> bytes:
    """One script task after the other; each writes a text of its own to the same variable."""
    return _process(_chain([_script(f"t{n}", f"x = '{text}'") for n, text in enumerate(texts)]))


def telling_sequence(count: int, chars: int) -> bytes:
    """One script task after the other; each writes a text of so many characters under a name of its own."""
    told = "Clerk {0} has looked at invoice {0} of the claim and pays {0} euros, for nothing speaks against it. "
    texts = [(told.format(n) * (chars // len(told) + 1))[:chars] for n in range(count)]
    return _process(_chain([_script(f"t{n}", f"x{n} = '{text}'") for n, text in enumerate(texts)]))


def changing_sequence(count: int) -> bytes:
    """Script tasks that each change three variables, in a process that lets any context be shown whole."""
    code = "a = a + 1\nb = b + 1\nc = c + 1"
    return _process(_chain([_script(f"t{n}", code) for n in range(count)]), _ROOMY)


def service_sequence(count: int) -> bytes:
    """One service task of the job type `job` after the other."""
    return _process(_chain([_service(f"t{n}") for n in range(count)]))


def loop(count: int) -> bytes:
    """One script task in a loop of gateways, as often as there are activities."""
    body, code = _script("body", "i = i + 1"), _script("init", "i = 0")
    return _process(
        (
            code[0] + '<exclusiveGateway id="M"/>' + body[0] + '<exclusiveGateway id="X" default="out"/>'
            '<exclusiveGateway id="done"/>'
            + _flow("init", "M") + _flow("M", "body") + _flow("body", "X")
            + _flow("X", "M", f"i &lt; {count}") + '<sequenceFlow id="out" sourceRef="X" targetRef="done"/>',
            "init",
            "done",
        )
    )


def fan_out(count: int) -> bytes:
    """A parallel split into that many branches of one script task, and their join."""
    return _process(_block("G", [_script(f"b{n}") for n in range(count)]))


def multi_instance(count: int) -> bytes:
    """A parallel multi-instance script task with an output collection."""
    return _process(_instances(count, sequential=False))


def multi_instance_sequential(count: int) -> bytes:
    """The same, one instance after the other."""
    return _process(_instances(count, sequential=True))


def and_blocks(count: int) -> bytes:
    """Blocks of two parallel script tasks, one block after the other."""
    blocks = range((count + 1) // 2)
    return _process(_chain([_block(f"G{n}", [_script(f"a{n}"), _script(f"b{n}", "y = 1")]) for n in blocks]))


def nested_and(count: int) -> bytes:
    """Parallel splits inside parallel splits, halving until one script task is left: depth log2 of the count."""
    return _process(_halved(0, count))


CASES: dict[str, Callable[[int], bytes]] = {
    each.__name__: each
    for each in (sequence, loop, fan_out, multi_instance, multi_instance_sequential, and_blocks, nested_and)
}


_ROOMY = f' gov:workingThreshold="{10**9}" gov:windowTokens="{10**9}"'


def _process(part: Drawn, attributes: str = "") -> bytes:
    elements, entry, leave = part
    body = f'<startEvent id="S"/>{elements}<endEvent id="E"/>{_flow("S", entry)}{_flow(leave, "E")}'
    return f'{_HEAD}<process id="{PROCESS}" isExecutable="true"{attributes}>{body}</process></definitions>'.encode()


def _script(name: str, code: str = "x = 1", inside: str = "") -> Drawn:
    return f'<scriptTask id="{name}" scriptFormat="python">{inside}<script>{code}</script></scriptTask>', name, name


def _service(name: str) -> Drawn:
    return f'<serviceTask id="{name}" gov:jobType="job"/>', name, name


def _flow(source: str, target: str, condition: str = "") -> str:
    body = f'<conditionExpression xsi:type="tFormalExpression">{condition}</conditionExpression>'
    inside = body if condition else ""
    return f'<sequenceFlow id="{source}-{target}" sourceRef="{source}" targetRef="{target}">{inside}</sequenceFlow>'


def _chain(parts: list[Drawn]) -> Drawn:
    flows = (_flow(before[2], after[1]) for before, after in pairwise(parts))
    return "".join(part[0] for part in parts) + "".join(flows), parts[0][1], parts[-1][2]


def _block(name: str, branches: Iterable[Drawn]) -> Drawn:
    join = f"{name}j"
    elements = f'<parallelGateway id="{name}"/><parallelGateway id="{join}"/>'
    for part, entry, leave in branches:
        elements += part + _flow(name, entry) + _flow(leave, join)
    return elements, name, join


def _halved(first: int, count: int) -> Drawn:
    if count == 1:
        return _script(f"t{first}")
    half = count // 2
    return _block(f"G{first}-{count}", [_halved(first, half), _halved(first + half, count - half)])


def _instances(count: int, *, sequential: bool) -> Drawn:
    marker = (
        f'<multiInstanceLoopCharacteristics isSequential="{str(sequential).lower()}">'
        "<loopDataInputRef>items</loopDataInputRef><loopDataOutputRef>results</loopDataOutputRef>"
        '<inputDataItem id="it" name="it"/><outputDataItem id="o" name="o"/>'
        "</multiInstanceLoopCharacteristics>"
    )
    return _chain([_script("init", f"items = list(range({count}))"), _script("each", "o = it * 2", marker)])
