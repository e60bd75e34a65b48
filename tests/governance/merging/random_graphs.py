"""Random snapshot graphs, as processes draw them: splits, partial joins, joins that split again (criss-cross)."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from governance.merging.paths import DELETED
from governance.merging.rules import MergeRules
from tests.governance.merging.branches import LAST_WRITE, Branches

Change = Callable[[Random, Any], Any]
"""What a step leaves where `Any` stood; DELETED where nothing did."""


class RandomGraph:
    """A graph grown from a seed. `heads` are the branches that are still open."""

    def __init__(
        self,
        seed: int,
        changes: Mapping[str, Change],
        rules: MergeRules = LAST_WRITE,
        *,
        steps: int = 30,
        monotone: bool = True,
    ) -> None:
        self.random = Random(seed)
        self.branches = Branches()
        self.changes, self.rules, self.monotone = changes, rules, monotone
        self._times: dict[str, int] = {}
        start = self.branches.start({name: change(self.random, DELETED) for name, change in changes.items()}, at=0)
        self.heads = {"r": start}
        for _ in range(self.random.randint(4, steps)):
            self._step()

    def time_after(self, *snapshots: str) -> int:
        """A time for a step on these, tied more often than not; never before theirs if times are monotone."""
        later = self.random.choice([0, 0, 0, 1, 2])
        return max(self._times.get(one, 0) for one in snapshots) + later if self.monotone else later

    def _step(self) -> None:
        dice, branch = self.random.random(), self.random.choice(sorted(self.heads))
        if dice < 0.45:
            self.heads[branch] = self.write(branch)
        elif dice < 0.7 or len(self.heads) == 1:
            head = self.heads.pop(branch)
            self.heads[branch + "0"] = self.heads[branch + "1"] = head
        else:
            self._join()

    def write(self, branch: str) -> str:
        head, branches = self.heads[branch], self.branches
        before = branches.values(head)
        values = {}
        for name in self.random.sample(sorted(self.changes), min(len(self.changes), self.random.choice([0, 1, 1, 2]))):
            value = self.changes[name](self.random, copy.deepcopy(before.get(name, DELETED)))
            if not (value is DELETED and name not in before):
                values[name] = value
        at = self.time_after(head)
        snapshot = branches.write(head, branch, values, at=at, confidence=self.random.random())
        self._times[snapshot] = at
        return snapshot

    def _join(self) -> None:
        """Two branches join: one goes on, or both go on from the join, or the second goes on from where it was."""
        one, other = self.random.sample(sorted(self.heads), 2)
        joined = self.merge({one: self.heads[one], other: self.heads[other]})
        self.heads[one] = joined
        dice = self.random.random()
        if dice < 0.5:
            del self.heads[other]
        elif dice < 0.65:
            self.heads[other] = joined

    def merge(self, heads: dict[str, str]) -> str:
        at = self.time_after(*heads.values())
        snapshot = self.branches.joined(heads, self.rules, branch=min(heads), at=at)
        self._times[snapshot] = at
        return snapshot


def a_number(random: Random, before: Any) -> Any:
    return random.randint(0, 3)


def a_number_or_nothing(random: Random, before: Any) -> Any:
    return DELETED if random.random() < 0.2 else random.randint(0, 3)


def an_object(random: Random, before: Any) -> Any:
    """Fields set, nested, replaced and removed; now and then the whole."""
    dice = random.random()
    if before is DELETED or dice < 0.1:
        return {"a": random.randint(0, 9), "in": {"x": 0, "y": {"p": 0, "q": 0}}}
    if dice < 0.2:
        return random.choice([DELETED, DELETED, random.randint(0, 9)])
    return _with_field(random, before) if isinstance(before, dict) else {"a": random.randint(0, 9)}


def _with_field(random: Random, value: dict[str, Any]) -> dict[str, Any]:
    name = random.choice(["a", "b", "in", "in", "x", "y"])
    inner = value.get(name)
    dice = random.random()
    if isinstance(inner, dict) and dice < 0.7:
        value[name] = _with_field(random, inner)
    elif dice < 0.85:
        value[name] = random.randint(0, 99)
    elif dice < 0.93:
        value[name] = {"x": random.randint(0, 9), "y": random.randint(0, 9)}
    else:
        value.pop(name, None)
    return value


def a_list_of_items(random: Random, before: Any) -> Any:
    """Items added, changed and removed; now and then put in another order."""
    items = [] if before is DELETED else before
    dice = random.random()
    if not items or dice < 0.4:
        known = {item["id"] for item in items}
        new = random.choice([number for number in range(30) if number not in known])
        return [*items, {"id": new, "n": random.randint(0, 9)}]
    place = random.randrange(len(items))
    if dice < 0.8:
        items[place][random.choice(["n", "m"])] = random.randint(0, 9)
    elif dice < 0.95:
        del items[place]
    else:
        random.shuffle(items)
    return items
