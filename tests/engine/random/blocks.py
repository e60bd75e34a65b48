"""Block-structured processes as trees: what the generator makes, the drawing draws and the oracle evaluates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Leaf:
    """A script task, or a user task whose person does what the code says."""

    id: str
    code: str
    by_person: bool = False


@dataclass(frozen=True)
class Sequence:
    parts: tuple[Block, ...]


@dataclass(frozen=True)
class Parallel:
    id: str
    branches: tuple[Block, ...]


@dataclass(frozen=True)
class Inclusive:
    """Branches with their conditions, and the default one."""

    id: str
    branches: tuple[tuple[str, Block], ...]
    default: Block


@dataclass(frozen=True)
class Exclusive:
    id: str
    condition: str
    then: Block
    default: Block


@dataclass(frozen=True)
class Loop:
    """A loop drawn with gateways: the body `rounds` times, counted in the variable `counter`."""

    id: str
    counter: str
    rounds: int
    body: Block


@dataclass(frozen=True)
class Repeat:
    """A standard loop around an activity."""

    condition: str | None
    maximum: int
    test_before: bool
    body: Activity


@dataclass(frozen=True)
class Instances:
    """Multi-instance: over the items of the variable `over`, or `over` times.

    `item` and `result` name an instance's own items; the results are collected in the variable `output`, if any.
    """

    over: str | int
    sequential: bool
    item: str
    result: str
    output: str | None
    body: Activity


@dataclass(frozen=True)
class SubProcess:
    id: str
    body: Block


@dataclass(frozen=True)
class Call:
    """A called process with a variable scope of its own. `inputs` None: a copy of every variable."""

    id: str
    inputs: tuple[str, ...] | None
    outputs: tuple[str, ...]
    body: Block

    @property
    def process(self) -> str:
        return f"{self.id}_called"


Activity = Leaf | SubProcess | Call
Block = Leaf | Sequence | Parallel | Inclusive | Exclusive | Loop | Repeat | Instances | SubProcess | Call


def children(block: Block) -> tuple[Block, ...]:
    match block:
        case Leaf():
            return ()
        case Sequence(parts=inner) | Parallel(branches=inner):
            return inner
        case Inclusive():
            return (*(branch for _, branch in block.branches), block.default)
        case Exclusive():
            return (block.then, block.default)
        case Loop(body=body) | Repeat(body=body) | Instances(body=body) | SubProcess(body=body) | Call(body=body):
            return (body,)


def walk(block: Block) -> Iterator[Block]:
    """The block and everything in it, outer before inner."""
    yield block
    for child in children(block):
        yield from walk(child)


def first_id(block: Block) -> str:
    """The element that a flow into the block leads to."""
    match block:
        case Sequence():
            return first_id(block.parts[0])
        case Repeat() | Instances():
            return block.body.id
        case Loop():
            return f"{block.id}_begin"
        case _:
            return block.id
