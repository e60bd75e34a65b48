"""What a join says about merging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import NamedTuple

from governance.compression.eligibility import RetainedNames
from governance.merging.paths import enclosing, spoken
from governance.vocabulary import InteractionLevel, MergeStrategy


class Head(NamedTuple):
    """A branch that arrives at a join, and the snapshot it arrives with."""

    branch: str
    snapshot: str


@dataclass(frozen=True, slots=True)
class MergeRules:
    """How conflicts are settled at a join (Design: D3 merge, resolve).

    `keys` maps variable names, places inside variables (`claim.total` or `claim/total`) or globs to strategies,
    `retained` are names or globs, `gateway_keys` the variables that a reachable condition reads, `level` the join's
    interaction level.
    """

    default: MergeStrategy | None = None
    keys: Mapping[str, MergeStrategy] = field(default_factory=dict)
    retained: tuple[str, ...] = ()
    gateway_keys: frozenset[str] = frozenset()
    level: InteractionLevel = InteractionLevel.AUTO_ALLOW

    def strategy(self, name: str, path: str) -> MergeStrategy | None:
        """The declared strategy for a place in a variable; None: what holds by default.

        An exact name comes before a glob, a place inside before what encloses it, a glob written earlier before a
        later one, and the join's own strategy last.
        """
        if not self.keys:
            return self.default
        places = [place for part in enclosing(path) for place in dict.fromkeys((name + part, spoken(name, part)))]
        for place in places:
            if place in self.keys:
                return self.keys[place]
        for pattern, strategy in self.keys.items():
            if any(fnmatchcase(place, pattern) for place in places):
                return strategy
        return self.default

    def matters(self, name: str) -> bool:
        """Whether the variable is retained, or read by a reachable condition."""
        return name in self.gateway_keys or name in RetainedNames(self.retained)
