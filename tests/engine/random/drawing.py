"""Draws block trees as BPMN files."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import NamedTuple
from xml.sax.saxutils import escape

from tests.bpmn.files import flow, policy
from tests.engine.models import end, gateway, instances, model, script, start, sub, user
from tests.engine.random.blocks import (
    Activity,
    Block,
    Call,
    Exclusive,
    Inclusive,
    Instances,
    Leaf,
    Loop,
    Parallel,
    Repeat,
    Sequence,
    SubProcess,
    walk,
)

LAST_WRITE = '<gov:branchStrategy merge="LAST_WRITE"/>'
COUNTING = '<gov:mergeKey name="c" strategy="SUM"/><gov:mergeKey name="a" strategy="APPEND"/>'


class Drawing:
    """How a process is drawn: the places of its shapes, the order of its elements in the file, its policy."""

    def __init__(
        self,
        *,
        shuffle: int | None = None,
        order: int | None = None,
        merge: str = LAST_WRITE,
        threshold: int = 12_000,
    ) -> None:
        self._shuffle, self._order = shuffle, order
        self._policy = policy(f'<gov:policy workingThreshold="{threshold}">{merge}{COUNTING}</gov:policy>')

    def draw(self, block: Block) -> bytes:
        called = "".join(self._called(call) for call in walk(block) if isinstance(call, Call))
        return model(self._policy, self.scope(block), beside=called, shuffle=self._shuffle)

    def scope(self, block: Block, prefix: str = "") -> str:
        """The elements and flows of a scope, its start and end events among them."""
        drawn = _Scope(self)
        drawn.elements += [start(f"{prefix}s"), end(f"{prefix}e")]
        first, last = drawn.add(block)
        drawn.connect(_Exit(f"{prefix}s"), first)
        drawn.connect(last, f"{prefix}e")
        parts = drawn.elements + drawn.flows
        if self._order is not None:
            Random(self._order).shuffle(parts)
        return "".join(parts)

    def _called(self, call: Call) -> str:
        inner = self.scope(call.body, f"{call.id}_")
        inputs = "".join(f'<dataInput id="{call.id}_in_{name}" name="{name}"/>' for name in call.inputs or ())
        outputs = "".join(f'<dataOutput id="{call.id}_out_{name}" name="{name}"/>' for name in call.outputs)
        specification = f"<ioSpecification>{inputs}{outputs}<inputSet/><outputSet/></ioSpecification>"
        return f'<process id="{call.process}" isExecutable="true">{self._policy}{specification}{inner}</process>'


class _Exit(NamedTuple):
    """Where a block is left, and the id of the flow that leaves it if something refers to that flow."""

    element: str
    flow: str = ""


class _Scope:
    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self.elements: list[str] = []
        self.flows: list[str] = []

    def connect(self, source: _Exit, target: str, condition: str | None = None) -> None:
        name = source.flow or f"f_{source.element}_{target}"
        self.flows.append(flow(name, source.element, target, condition and escape(condition)))

    def add(self, block: Block) -> tuple[str, _Exit]:
        """Draw a block; the element to enter it by, and the way out."""
        match block:
            case Sequence():
                return self._sequence(block)
            case Parallel():
                return self._split(block.id, "parallel", [("", branch) for branch in block.branches])
            case Inclusive():
                return self._split(block.id, "inclusive", [*block.branches, ("default", block.default)])
            case Exclusive():
                branches = [(block.condition, block.then), ("default", block.default)]
                return self._split(block.id, "exclusive", branches)
            case Loop():
                return self._loop(block)
            case Repeat(body=body):
                return self._activity(body, _repeat(block))
            case Instances(body=body):
                return self._activity(body, _instances(block))
            case Leaf() | SubProcess() | Call():
                return self._activity(block)

    def _sequence(self, block: Sequence) -> tuple[str, _Exit]:
        drawn = [self.add(part) for part in block.parts]
        for (_, last), (first, _) in pairwise(drawn):
            self.connect(last, first)
        return drawn[0][0], drawn[-1][1]

    def _split(self, name: str, kind: str, branches: list[tuple[str, Block]]) -> tuple[str, _Exit]:
        default = f"{name}_default" if branches[-1][0] else ""
        join = f"{name}_join"
        self.elements += [gateway(name, kind, default), gateway(join, kind)]
        for condition, branch in branches:
            first, last = self.add(branch)
            is_default = condition == "default"
            self.connect(_Exit(name, default if is_default else ""), first, None if is_default else condition or None)
            self.connect(last, join)
        return name, _Exit(join)

    def _loop(self, block: Loop) -> tuple[str, _Exit]:
        begin, head, step, again = (f"{block.id}_{part}" for part in ("begin", "head", "step", "again"))
        default = f"{block.id}_out"
        first, last = self.add(block.body)
        self.elements += [
            script(begin, f"{block.counter} = 0"),
            gateway(head, "exclusive"),
            script(step, f"{block.counter} = {block.counter} + 1"),
            gateway(again, "exclusive", default),
        ]
        self.connect(_Exit(begin), head)
        self.connect(_Exit(head), first)
        self.connect(last, step)
        self.connect(_Exit(step), again)
        self.connect(_Exit(again), head, f"{block.counter} < {block.rounds}")
        return begin, _Exit(again, default)

    def _activity(self, block: Activity, marker: str = "") -> tuple[str, _Exit]:
        match block:
            case Leaf(by_person=True):
                self.elements.append(user(block.id, marker))
            case Leaf():
                self.elements.append(script(block.id, block.code, marker))
            case SubProcess():
                self.elements.append(sub(block.id, self._drawing.scope(block.body, f"{block.id}_"), inside=marker))
            case Call():
                called = f'calledElement="{block.process}"'
                self.elements.append(f'<callActivity id="{block.id}" {called}>{marker}</callActivity>')
        return block.id, _Exit(block.id)


def _repeat(block: Repeat) -> str:
    condition = "" if block.condition is None else f"<loopCondition>{escape(block.condition)}</loopCondition>"
    attributes = f'loopMaximum="{block.maximum}" testBefore="{str(block.test_before).lower()}"'
    return f"<standardLoopCharacteristics {attributes}>{condition}</standardLoopCharacteristics>"


def _instances(block: Instances) -> str:
    over = {"cardinality": str(block.over)} if isinstance(block.over, int) else {"collection": block.over}
    items = {"item": block.item, "result": block.result, "output": block.output or ""}
    return instances(**over, **items, sequential=block.sequential)


def code_of(block: Block) -> dict[str, str]:
    """What people's tasks do, by element."""
    return {leaf.id: leaf.code for leaf in walk(block) if isinstance(leaf, Leaf) and leaf.by_person}
