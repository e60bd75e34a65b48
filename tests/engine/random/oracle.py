"""What a process comes to: a small evaluator over its block tree.

Shares no code with the engine. It counts the snapshots that a run makes, because equal times are told apart by them:
one per activity, per choice of a gateway that differs from its last one, per merge, per call, two per return; and one
more where a merge records a conflict or an older record fades.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from tests.engine.random.blocks import (
    Block,
    Call,
    Exclusive,
    Inclusive,
    Instances,
    Leaf,
    Loop,
    Parallel,
    Repeat,
    SubProcess,
    first_id,
)
from tests.engine.random.blocks import Sequence as Steps
from tests.engine.random.context import Context, Key
from tests.engine.random.joining import ADDED_UP, ITEM_SCOPE, PATH, Join
from tests.engine.random.places import MISSING

Schedule = dict[tuple[str, str], list[int]]
"""When people did their tasks: by branch and element, in order. Without one, time stands still."""


@dataclass(frozen=True)
class Names:
    """Where names lead: to an instance's own items, else to the variables of a scope."""

    scope: str = ""
    items: dict[str, Key] = field(default_factory=dict)

    def key(self, name: str) -> Key:
        return self.items.get(name, (self.scope, name))

    def view(self, context: Context) -> dict[str, Any]:
        """A private copy of all variables in sight."""
        keys = {name: (scope, name) for scope, name in context.values if scope == self.scope} | self.items
        return deepcopy({name: context.values[key] for name, key in keys.items() if key in context.values})


class Oracle:
    """Evaluates one process."""

    def __init__(self, variables: dict[str, Any], schedule: Schedule | None = None) -> None:
        self._schedule = deepcopy(schedule)
        self._start = Context(values={("", name): deepcopy(value) for name, value in variables.items()})
        self.joins = self.conflicts = 0

    def run(self, block: Block) -> Context:
        return self._do(block, self._start, Names())

    def _do(self, block: Block, context: Context, names: Names) -> Context:
        """The context behind a block."""
        match block:
            case Leaf():
                self._leaf(block, context, names)
            case Steps():
                for part in block.parts:
                    context = self._do(part, context, names)
            case Parallel():
                context = self._split(block.id, list(block.branches), context, names)
            case Inclusive():
                context = self._inclusive(block, context, names)
            case Exclusive():
                taken = block.then if self._holds(block.condition, context, names) else block.default
                self._gateway(block.id, [taken], context)
                context = self._do(taken, context, names)
            case Loop():
                context = self._loop(block, context, names)
            case Repeat():
                context = self._repeat(block, context, names)
            case Instances():
                context = self._instances(block, context, names)
            case SubProcess():
                context = self._do(block.body, context, names)
            case Call():
                context = self._call(block, context, names)
        return context

    def _leaf(self, leaf: Leaf, context: Context, names: Names) -> None:
        context.step()
        if leaf.by_person and self._schedule is not None:
            context.time = self._schedule[context.branch, leaf.id].pop(0)
        before, after = names.view(context), names.view(context)
        exec(leaf.code, {"__builtins__": {"len": len, "str": str}}, after)
        for name in {*before, *after}:
            self._write(name, after.get(name, MISSING), context, names)
        context.record(leaf.id)

    def _write(self, name: str, value: Any, context: Context, names: Names) -> None:
        context.write(names.key(name), value, adds_up=name in ADDED_UP)

    def _holds(self, condition: str, context: Context, names: Names) -> bool:
        return bool(eval(condition, {"__builtins__": {"len": len}}, names.view(context)))

    def _gateway(self, name: str, taken: Sequence[Block], context: Context) -> None:
        """A gateway keeps its last choice; to choose the same again changes nothing."""
        chosen = [first_id(block) for block in taken]
        if context.values.get((PATH, name)) != chosen:
            context.step()
            context.write((PATH, name), chosen)

    def _split(self, name: str, branches: list[Block], context: Context, names: Names) -> Context:
        arms = [(first_id(branch), branch, names) for branch in branches]
        return self._join(f"{name}_join", context, self._forked(name, arms, context))

    def _forked(self, name: str, arms: Sequence[tuple[str, Block, Names]], context: Context) -> list[Context]:
        split = f"{context.branch}/{name}@{context.generation}:{len(arms)}"
        return [self._do(block, context.fork(f"{split}.{arm}"), inner) for arm, block, inner in arms]

    def _join(self, name: str, base: Context, branches: list[Context]) -> Context:
        merge = Join(base, branches)
        joined = merge.join(name)
        self.joins += 1
        self.conflicts += merge.conflicts
        return joined

    def _inclusive(self, block: Inclusive, context: Context, names: Names) -> Context:
        taken = [branch for condition, branch in block.branches if self._holds(condition, context, names)]
        taken = taken or [block.default]
        self._gateway(block.id, taken, context)
        if len(taken) == 1:
            context = self._do(taken[0], context, names)
        else:
            context = self._split(block.id, taken, context, names)
        self._gateway(f"{block.id}_join", [Leaf("next", "")], context)
        return context

    def _loop(self, block: Loop, context: Context, names: Names) -> Context:
        self._leaf(Leaf(f"{block.id}_begin", f"{block.counter} = 0"), context, names)
        for done in range(1, block.rounds + 1):
            context = self._do(block.body, context, names)
            self._leaf(Leaf(f"{block.id}_step", f"{block.counter} = {block.counter} + 1"), context, names)
            self._gateway(f"{block.id}_again", [Leaf("back" if done < block.rounds else "out", "")], context)
        return context

    def _repeat(self, block: Repeat, context: Context, names: Names) -> Context:
        def goes_on() -> bool:
            return block.condition is None or self._holds(block.condition, context, names)

        if block.test_before and not goes_on():
            return context
        for done in range(1, block.maximum + 1):
            context = self._do(block.body, context, names)
            if done < block.maximum and not goes_on():
                break
        return context

    def _instances(self, block: Instances, context: Context, names: Names) -> Context:
        items = self._items(block, context, names)
        activation = f"{block.body.id}@{context.generation}{context.branch}"
        inner = []
        for place, (_, item) in enumerate(items):
            scope = f"{ITEM_SCOPE}{activation}#{place}"
            own = {name: (scope, name) for name in (block.item, *([block.result] if block.output else []))}
            context.keep(own[block.item], item)
            inner.append(Names(names.scope, {**names.items, **own}))
        if block.sequential or len(items) < 2:
            for each in inner:
                context = self._do(block.body, context, each)
        else:
            arms = [(str(key), block.body, each) for (key, _), each in zip(items, inner, strict=True)]
            context = self._join(block.body.id, context, self._forked(block.body.id, arms, context))
        results = [context.values.get(each.items[block.result]) for each in inner if block.output]
        for each in inner:
            context.drop(each.items[block.item][0])
        if block.output:
            self._collect(block, [key for key, _ in items], results, context, names)
        return context

    def _items(self, block: Instances, context: Context, names: Names) -> list[tuple[Any, Any]]:
        """(key or index, item), in order; of an object by the order of its names."""
        if isinstance(block.over, int):
            return [(index, index) for index in range(block.over)]
        collection = names.view(context)[block.over]
        return sorted(collection.items()) if isinstance(collection, dict) else list(enumerate(collection))

    def _collect(self, block: Instances, keys: list[Any], results: list[Any], context: Context, names: Names) -> None:
        assert block.output is not None
        keyed = any(isinstance(key, str) for key in keys)
        context.step()
        collected = dict(zip(keys, results, strict=True)) if keyed else results
        self._write(block.output, collected, context, names)
        context.record(block.body.id)

    def _call(self, block: Call, context: Context, names: Names) -> Context:
        seen = names.view(context)
        inner = Names(f"{block.id}@{context.generation}{context.branch}")
        for name in block.inputs if block.inputs is not None else seen:
            context.keep(inner.key(name), seen[name])
        context.step()
        context = self._do(block.body, context, inner)
        left = inner.view(context)
        context.drop(inner.scope)
        context.step()
        context.step()
        for name in block.outputs:
            self._write(name, left[name], context, names)
        context.record(block.id)
        return context
