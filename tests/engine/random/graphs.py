"""Unstructured processes: any node may lead to any other, as long as each circle passes somebody who works.

Choices are fixed when the graph is made, for what is compared is where tokens go. A signal is thrown, and all is
terminated, right behind a person's task, when nothing else moves: so it is clear who waits, and what there is to end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

SIGNALS = ("red", "blue")


@dataclass
class Node:
    """`taken` are the outputs that a choosing gateway takes; `needed` the tokens that a complex gateway waits for."""

    id: str
    kind: str
    outs: list[str] = field(default_factory=list)
    taken: tuple[int, ...] = ()
    needed: int = 0
    signal: str = ""
    start_quantity: int = 1
    completion_quantity: int = 1
    body: Graph | None = None
    boundaries: list[Boundary] = field(default_factory=list)


@dataclass
class Boundary:
    """A signal boundary event on a sub-process, and where it leads."""

    id: str
    signal: str
    interrupting: bool
    out: str


@dataclass
class Handler:
    """An event sub-process."""

    id: str
    signal: str
    interrupting: bool
    body: Graph


@dataclass
class Graph:
    """`first` is the node behind the start event."""

    nodes: dict[str, Node] = field(default_factory=dict)
    first: str = ""
    handlers: list[Handler] = field(default_factory=list)

    def inputs(self, name: str) -> list[str]:
        """Where tokens come from, each way once, in the order of the nodes."""
        ways = [node.id for node in self.nodes.values() for out in node.outs if out == name]
        ways += [each.id for node in self.nodes.values() for each in node.boundaries if each.out == name]
        return (["(start)"] if self.first == name else []) + ways

    def every(self) -> Iterator[Node]:
        """All nodes, those of inner graphs too."""
        for node in self.nodes.values():
            yield node
            if node.body is not None:
                yield from node.body.every()
        for handler in self.handlers:
            yield from handler.body.every()


class Maker:
    """Makes one process."""

    def __init__(self, seed: int) -> None:
        self._choices = Random(seed)
        self._last = 0

    def graph(self, size: int, depth: int = 2) -> Graph:
        graph = Graph()
        kinds = ["user"] * 5 + ["task"] * 3 + ["xor", "and", "and", "or", "or", "complex"]
        names = [self._node(graph, self._choices.choice(kinds), depth).id for _ in range(size)]
        if depth == 2:
            names.insert(0, self._node(graph, "and", 0).id)
        ends = [self._node(graph, "end", 0).id for _ in range(self._choices.randint(1, 2))]
        graph.first = names[0]
        for place, name in enumerate(names):
            self._lead_on(graph, graph.nodes[name], names, ends, place)
        _drop_events_nobody_comes_to(graph)
        for node in graph.nodes.values():
            if node.kind == "and" and _waits_for_itself(graph, node):
                node.kind, node.taken = "xor", (0,)
        if depth and self._choices.random() < 0.4:
            graph.handlers.append(
                Handler(self._name("h"), self._choice(SIGNALS), self._choices.random() < 0.5, self.graph(2, 0))
            )
        return graph

    def _name(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}{self._last}"

    def _choice(self, options: tuple[str, ...]) -> str:
        return self._choices.choice(options)

    def _node(self, graph: Graph, kind: str, depth: int) -> Node:
        chance = self._choices.random()
        if kind == "task" and depth and chance < 0.35:
            kind = "sub"
        elif kind == "task" and chance < 0.5:
            kind = "catch"
        node = graph.nodes[name] = Node(name := self._name(kind[0]), kind)
        if kind == "catch":
            node.signal = self._choice(SIGNALS)
        elif kind == "sub":
            node.body = self.graph(self._choices.randint(2, 4), depth - 1)
        elif kind in ("user", "task"):
            node.start_quantity = 2 if self._choices.random() < 0.08 else 1
            node.completion_quantity = 2 if self._choices.random() < 0.08 else 1
        return node

    def _lead_on(self, graph: Graph, node: Node, names: list[str], ends: list[str], place: int) -> None:
        """Forward as a rule; back only from people, so that no circle turns by itself."""
        ahead = names[place + 1 :] + ends
        count = self._choices.randint(2, 3) if node.kind in ("xor", "and", "or", "complex") else 1
        targets = self._choices.sample(ahead, min(count, len(ahead)))
        if node.kind == "user" and self._choices.random() < 0.2:
            targets = [self._choices.choice(names)]
        chance = self._choices.random() if node.kind == "user" else 1.0
        if chance < 0.35:
            thrower = Node(self._name("t"), "throw", targets, signal=self._choice(SIGNALS))
            graph.nodes[thrower.id] = thrower
            node.completion_quantity, targets = 1, [thrower.id]
        elif chance < 0.4:
            targets = [self._node(graph, "terminate", 0).id]
        node.outs = targets
        if node.kind == "xor":
            node.taken = (self._choices.randrange(len(targets)),)
        elif node.kind in ("or", "complex"):
            node.taken = tuple(n for n in range(len(targets)) if self._choices.random() < 0.6) or (0,)
            node.needed = self._choices.randint(1, 2)
        elif node.kind == "sub":
            node.boundaries = [
                Boundary(self._name("b"), self._choice(SIGNALS), self._often(0.5), self._choices.choice(ahead))
                for _ in range(self._choices.randint(0, 2))
            ]

    def _often(self, probability: float) -> bool:
        return self._choices.random() < probability


def _drop_events_nobody_comes_to(graph: Graph) -> None:
    """Such a file is refused."""
    while True:
        events = [node.id for node in graph.nodes.values() if node.kind in ("catch", "throw")]
        alone = [name for name in events if not graph.inputs(name)]
        if not alone:
            return
        for name in alone:
            del graph.nodes[name]


def _waits_for_itself(graph: Graph, join: Node) -> bool:
    """Whether a token can come to one of its inputs only through the join: the engine takes that for a loop."""

    def reached(begin: list[str]) -> set[str]:
        seen: set[str] = set()
        while begin:
            here = begin.pop()
            if here not in seen and here != join.id:
                seen.add(here)
                node = graph.nodes[here]
                begin = [*begin, *node.outs, *(each.out for each in node.boundaries)]
        return seen

    first, after = reached([graph.first]), reached(list(join.outs))
    return any(
        node.id in after and node.id not in first
        for node in graph.nodes.values()
        if join.id in (*node.outs, *(each.out for each in node.boundaries))
    )


def graph_of(seed: int) -> Graph:
    return Maker(seed).graph(Random(seed).randint(5, 12))
