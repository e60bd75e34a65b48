"""Makes random processes. Every choice comes from one source, so that a seed, or hypothesis, decides them all."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

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
)

VARIABLES: dict[str, Any] = {
    "x": 1,
    "y": 2,
    "l": [1, 2],
    "d": {"f1": 0, "f0": 1, "n": {"m": 0}},
    "r": [{"id": 1, "q": 0}, {"id": "1", "q": 0}],
    "c": 0,
    "a": [],
}
"""Start variables. `c` is only counted up and merged by SUM, `a` only appended to and merged by APPEND."""

_CODE = (
    "x = x + {k}",
    "x = {k}",
    "y = (y * 2 + {k}) % 97",
    "y = y / 2",
    "l.append({n})",
    "l = l[:1]",
    "d['f{k}'] = {k}",
    "d['f{k}'] = {n}",
    "d['n']['m'] = {n}",
    "d['n'] = {{'m': {k}}}",
    "d = {{'f0': {n}, 'n': {{'m': {k}}}}}",
    "d.pop('f{k}', None)",
    "r.append({{'id': '{n}-' + str(len(r)), 'q': x}})",
    "r.append({{'id': {k}, 'q': {n}}})",
    "r = r + [{{'id': 'z{n}-' + str(len(r))}}, {{'id': 'a{n}-' + str(len(r)), 'q': {k}}}]",
    "if len(r) > 0:\n    r[-1]['q'] = {n}",
    "if len(r) > 0:\n    r[0]['w'] = {k}",
    "r = r[1:]",
    "r = r[::-1]",
    "v{k} = x + y",
    "v{k} = {{'at': {n}, 'k': {k}}}",
    "v{k} = 0\ndel v{k}",
    "v0 = {k}\nx = {n}",
    "pass",
)
"""What activities do, over `k` (0..3) and `n`, the leaf's own number."""
_COUNTING = ("c = c + {k}", "a.append({n})", "c = c + 1\na.append('{n}')")
_WITH_ITEM = (
    "{o} = [{it}, x]",
    "v{k} = {it}",
    "d['f{k}'] = {it}",
    "{o} = {n}\nx = x + 1",
    "{it} = {k}",
    "{it} = [{it}]\n{o} = {it}",
)
Items = tuple[tuple[str, str], ...]
"""Names of the items in sight: (item, result) of each multi-instance activity around."""


class Generator:
    """Makes one process."""

    def __init__(self, choices: Random) -> None:
        self._choices = choices
        self._last = 0
        self._counting = choices.random() < 0.5

    def process(self) -> Block:
        return Sequence((self._leaf(), self._block(3), self._block(2), self._leaf()))

    def _name(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}{self._last}"

    def _often(self, probability: float) -> bool:
        return self._choices.random() < probability

    def _leaf(self, *, items: Items = ()) -> Leaf:
        name = self._name("t")
        codes = _CODE + (_COUNTING * 3 if self._counting else ()) + (_WITH_ITEM * 4 if items else ())
        item, result = self._choices.choice(items or (("", ""),))
        code = self._choices.choice(codes).format(k=self._choices.randint(0, 3), n=name[1:], it=item, o=result)
        return Leaf(name, code, by_person=self._often(0.5))

    def _block(self, depth: int, *, items: Items = ()) -> Block:
        if depth == 0:
            return self._leaf(items=items)
        make = self._choices.choice(_KINDS)
        return make(self, depth - 1, items)

    def _branch(self, depth: int, items: Items) -> Block:
        first = self._leaf(items=items)
        return Sequence((first, self._block(depth, items=items))) if self._often(0.7) else first

    def _sequence(self, depth: int, items: Items) -> Block:
        count = self._choices.randint(2, 3)
        return Sequence(tuple(self._block(depth, items=items) for _ in range(count)))

    def _parallel(self, depth: int, items: Items) -> Block:
        count = self._choices.randint(2, 4)
        return Parallel(self._name("G"), tuple(self._branch(depth, items) for _ in range(count)))

    def _inclusive(self, depth: int, items: Items) -> Block:
        count = self._choices.randint(2, 3)
        branches = tuple((f"(x + {number}) % 2 == 0", self._branch(depth, items)) for number in range(count))
        return Inclusive(self._name("O"), branches, self._branch(0, items))

    def _exclusive(self, depth: int, items: Items) -> Block:
        then, default = self._branch(depth, items), self._branch(depth, items)
        return Exclusive(self._name("X"), self._choices.choice(("(x + y) % 2 == 0", "len(l) > 2")), then, default)

    def _loop(self, depth: int, items: Items) -> Block:
        body = self._block(depth, items=items)
        return Loop(self._name("W"), self._name("i"), self._choices.randint(2, 4), body)

    def _repeat(self, depth: int, items: Items) -> Block:
        condition = self._choices.choice((None, "x % 3 != 0", "len(l) < 4"))
        body = self._activity(depth, items)
        return Repeat(condition, self._choices.randint(1, 3), self._often(0.3), body)

    def _instances(self, depth: int, items: Items) -> Block:
        over = self._choices.choice(("l", "d", "r", 0, 1, 2, 3))
        sequential = self._often(0.4)
        output = self._choices.choice((None, f"res{self._last}", items[-1][1] if items else f"res{self._last}"))
        own = ("it", "o") if self._often(0.5) else (f"it{self._last}", f"o{self._last}")
        return Instances(over, sequential, *own, output, self._activity(min(depth, 1), (*items, own)))

    def _activity(self, depth: int, items: Items) -> Activity:
        kind = self._choices.choice(("leaf", "sub", "call"))
        if kind == "leaf":
            return self._leaf(items=items)
        return self._sub(depth, items) if kind == "sub" else self._call(depth, items)

    def _sub(self, depth: int, items: Items) -> SubProcess:
        return SubProcess(self._name("S"), self._block(depth, items=items))

    def _call(self, depth: int, items: Items) -> Call:
        names = sorted(VARIABLES)
        inputs = None if self._often(0.3) else tuple(names)
        outputs = tuple(name for name in names if self._often(0.4))
        body = self._block(depth)
        if items and self._often(0.6):
            result = items[-1][1]
            body, outputs = Sequence((body, Leaf(self._name("t"), f"{result} = x + y"))), (*outputs, result)
        return Call(self._name("C"), inputs, outputs, body)


_KINDS = (
    Generator._sequence,
    Generator._parallel,
    Generator._parallel,
    Generator._inclusive,
    Generator._exclusive,
    Generator._loop,
    Generator._repeat,
    Generator._instances,
    Generator._instances,
    Generator._sub,
    Generator._call,
)


def process_of(seed: int) -> Block:
    return Generator(Random(seed)).process()


def processes() -> st.SearchStrategy[Block]:
    """Random processes that hypothesis can shrink."""
    return st.builds(lambda choices: Generator(choices).process(), st.randoms(use_true_random=False))
