"""The token game (BPMN 2.0, chapter 13), played on a graph: an oracle that shares no code with the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.engine.random.graphs import Graph, Handler, Node


@dataclass
class Inner:
    """A sub-process or event sub-process under way; `waiting` are the boundary events that wait beside it."""

    node: Node | None
    game: Game
    waiting: list[str] = field(default_factory=list)


@dataclass
class Game:
    """One scope. `done` counts the activities finished in the whole process."""

    graph: Graph
    done: Counter[str]
    moving: list[tuple[str, str]] = field(default_factory=list)
    """(from where, to where) of tokens that can move."""
    queues: dict[str, Counter[str]] = field(default_factory=dict)
    """Per join: tokens that wait, by where they came from."""
    users: Counter[str] = field(default_factory=Counter)
    catching: Counter[str] = field(default_factory=Counter)
    inner: list[Inner] = field(default_factory=list)
    listening: list[Handler] = field(default_factory=list)
    resetting: dict[str, set[str]] = field(default_factory=dict)
    """Per complex gateway that has gone on: the ways in that have had their token."""
    fired: list[str] = field(default_factory=list)
    over: bool = False

    @classmethod
    def begin(cls, graph: Graph, done: Counter[str]) -> Game:
        game = cls(graph, done, listening=list(graph.handlers))
        game.moving.append(("(start)", graph.first))
        return game

    def settle(self) -> None:
        """Let everything move that can by itself."""
        while not self.over:
            for each in list(self.inner):
                each.game.settle()
                if each.game.ended and each in self.inner:
                    self.inner.remove(each)
                    if each.node is not None:
                        self._leave(each.node)
            if self.fired or self.moving:
                while self.fired:
                    self._go_out(self.graph.nodes[self.fired.pop(0)])
                if self.moving:
                    self._move(*self.moving.pop(0))
            elif not self._decide():
                return

    @property
    def ended(self) -> bool:
        """Whether no token is left."""
        tokens = self.moving or self.fired or self.users or self.catching or self.inner
        return self.over or not (tokens or any(+queue for queue in self.queues.values()))

    def _leave(self, node: Node) -> None:
        """An activity is done: tokens leave it."""
        if node.kind in ("task", "user"):
            self.done[node.id] += 1
        for _ in range(node.completion_quantity):
            self.moving += [(node.id, out) for out in node.outs]

    def _go_out(self, node: Node) -> None:
        taken = range(len(node.outs)) if node.kind == "and" or len(node.outs) == 1 else node.taken
        self.moving += [(node.id, node.outs[number]) for number in taken]

    def _move(self, origin: str, name: str) -> None:
        node = self.graph.nodes[name]
        match node.kind:
            case "end":
                pass
            case "terminate":
                self._stop()
            case "throw":
                self._leave(node)  # the signal itself is thrown by whoever plays, once the person's task is done
            case "catch":
                self.catching[name] += 1
            case "xor":
                self._go_out(node)
            case _:
                self._arrive(node, origin)

    def _arrive(self, node: Node, origin: str) -> None:
        queue = self.queues.setdefault(node.id, Counter())
        queue[origin] += 1
        ways = self.graph.inputs(node.id)
        if node.kind in ("user", "task", "sub"):
            if queue.total() >= node.start_quantity:
                self._take_any(queue, node.start_quantity)
                self._start(node)
        elif len(ways) == 1:
            queue.clear()
            self._go_out(node)
        elif node.kind == "and" and all(queue[way] for way in ways):
            queue.subtract(ways)
            self._go_out(node)
        elif node.kind == "complex":
            self._activate(node)

    @staticmethod
    def _take_any(queue: Counter[str], count: int) -> None:
        for way in list(queue.elements())[:count]:
            queue[way] -= 1

    def _start(self, node: Node) -> None:
        if node.kind == "user":
            self.users[node.id] += 1
        elif node.kind == "task":
            self._leave(node)
        else:
            assert node.body is not None
            self.inner.append(Inner(node, Game.begin(node.body, self.done), [each.id for each in node.boundaries]))

    def _activate(self, node: Node) -> None:
        queue, ways = self.queues[node.id], self.graph.inputs(node.id)
        if node.id in self.resetting or sum(1 for way in ways if queue[way]) < node.needed:
            return
        got = {way for way in ways if queue[way]}
        queue.subtract(got)
        if got < set(ways):
            self.resetting[node.id] = got
        self.fired.append(node.id)

    def _decide(self) -> bool:
        """Inclusive joins and resets, in the order of the file, when nothing else moves."""
        moved = False
        for node in self.graph.nodes.values():
            ways = self.graph.inputs(node.id)
            if node.kind == "or" and len(ways) > 1:
                moved = self._join(node, ways) or moved
            elif node.kind == "complex" and node.id in self.resetting:
                moved = self._reset(node, ways) or moved
        return moved

    def _join(self, node: Node, ways: list[str]) -> bool:
        queue = self.queues.get(node.id, Counter())
        filled = {way for way in ways if queue[way]}
        if not filled:
            return False
        for place in self._places(but=node.id):
            reached = self._ways_reached(place, node.id)
            if reached - filled and not reached & filled:
                return False
        queue.subtract(filled)
        self.fired.append(node.id)
        return True

    def _reset(self, node: Node, ways: list[str]) -> bool:
        queue = self.queues[node.id]
        rest = [way for way in ways if way not in self.resetting[node.id]]
        empty = {way for way in rest if not queue[way]}
        if any(self._ways_reached(place, node.id) & empty for place in self._places(but=node.id)):
            return False
        queue.subtract({way for way in rest if queue[way]})
        del self.resetting[node.id]
        if +queue:
            self._activate(node)
        return True

    def _places(self, but: str) -> Iterable[str]:
        """Where tokens are that could still go somewhere."""
        yield from self.users
        yield from self.catching
        yield from self.fired
        yield from (name for name, queue in self.queues.items() if name != but and +queue)
        for each in self.inner:
            if each.node is not None:
                yield each.node.id
                yield from each.waiting

    def _ways_reached(self, place: str, join: str) -> set[str]:
        """The ways into a join that a token can come to without passing it."""
        found, seen, todo = set(), set(), [place]
        exits = {each.id: each.out for node in self.graph.nodes.values() for each in node.boundaries}
        while todo:
            here = todo.pop()
            if here in seen or here == join:
                continue
            seen.add(here)
            outs = [exits[here]] if here in exits else self.graph.nodes[here].outs
            found |= {here for out in outs if out == join}
            todo += outs
            if here != place and here in self.graph.nodes:
                todo += [each.id for each in self.graph.nodes[here].boundaries]
        return found

    def _stop(self) -> None:
        self.over = True
        self.moving, self.fired, self.inner, self.listening = [], [], [], []
        self.users, self.catching = Counter(), Counter()
        self.queues.clear()
        self.resetting.clear()

    # what happens from outside

    def finish(self, name: str) -> bool:
        """A person does a task; whether it is one of this scope or inside it."""
        if self.users[name]:
            self.users[name] -= 1
            self.users = +self.users
            self._leave(self.graph.nodes[name])
            return True
        return any(each.game.finish(name) for each in list(self.inner))

    def scopes_with(self, name: str) -> int:
        """In how many scopes a person has this task: a sub-process may run several times at once."""
        return bool(self.users[name]) + sum(each.game.scopes_with(name) for each in self.inner)

    def throw(self, signal: str) -> None:
        """A signal reaches all that wait for it; what is interrupted by it is not there any more for the rest."""
        for name in [name for name in self.catching if self.graph.nodes[name].signal == signal]:
            for _ in range(self.catching.pop(name)):
                self._leave(self.graph.nodes[name])
        for each in list(self.inner):
            each.game.throw(signal)
        for each in list(self.inner):
            if each.node is not None:
                self._boundaries(each, signal)
        for handler in [each for each in self.listening if each.signal == signal]:
            if handler.interrupting:
                self._stop()
                self.over = False
            self.inner.append(Inner(None, Game.begin(handler.body, self.done)))
            if handler.interrupting:
                return

    def _boundaries(self, inner: Inner, signal: str) -> None:
        assert inner.node is not None
        for each in inner.node.boundaries:
            if each.signal == signal and each.id in inner.waiting:
                self.moving.append((each.id, each.out))
                if each.interrupting:
                    self.inner.remove(inner)
                    return

    def open_users(self) -> Counter[str]:
        return sum((each.game.open_users() for each in self.inner), +self.users)

    def open_catches(self) -> Counter[str]:
        return sum((each.game.open_catches() for each in self.inner), +self.catching)
