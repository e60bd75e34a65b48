"""Shows again in full what the coming activity must see: its declared inputs and the keys its policy retains.

An earlier activity with another policy may have lowered them; compression only ever lowers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from bpmn.definition import Element
from engine.events import EventType
from engine.governed.token import Token
from engine.instance import Instance
from engine.spiff.task import DrivenTask
from governance.compression.eligibility import RetainedNames
from governance.layers.spaces import space_for
from governance.policy import Policy
from governance.snapshots.contents import Space
from governance.snapshots.model import CommitMeta, Shown, key_of
from governance.vocabulary import Fidelity, Layer


def recall(
    instance: Instance, task: DrivenTask, element: Element, policy: Policy, released: Collection[str] = ()
) -> list[str]:
    """The keys raised to FULL, in one commit; the token moves to it. Costs nothing while nothing was lowered.

    `released` are names that a person gave free for this run. What a split keeps from a branch stays hidden in it, but
    for what an activity declares as its input.
    """
    token: Token = task.token
    space_name = space_for(Layer.WORKING, token.scope)
    space = instance.graph.contents(token.head).space(space_name)
    if space.totals.chars == space.totals.full_chars:
        return []
    inputs = [item.variable or item.name for item in element.data_inputs]
    wanted = inputs if token.sealed else [*policy.retain_keys, *inputs]
    keys = sorted({key_of(space_name, name) for name in _lowered(space, wanted) if name not in released})
    if not keys:
        return []
    raised: dict[str, Shown | None] = dict.fromkeys(keys)
    meta = CommitMeta("recall", element.id, token.branch, instance.at)
    task.token = token._replace(head=instance.graph.commit([token.head], shown=raised, meta=meta).id)
    instance.touch(task)
    why = "declared inputs and retained keys are shown in full"
    instance.log.add(
        EventType.RECALLED, element.id, token.branch, reason=why, keys=keys, before=token.head, after=task.token.head
    )
    return keys


def _lowered(space: Space, wanted: Sequence[str]) -> Iterator[str]:
    """Names among `wanted` that are not FULL. Plain names are looked up; only for globs are all names compared."""
    globs = [name for name in wanted if any(mark in name for mark in _GLOB_MARKS)]
    names: Iterable[str] = dict.fromkeys((*wanted, *(name.partition(".")[0] for name in wanted)))
    if globs:
        matching = RetainedNames(tuple(globs))
        names = (*names, *(name for name in space.names() if name in matching))
    for name in names:
        item = space.item(name)
        if item is not None and item.fidelity is not Fidelity.FULL:
            yield name


_GLOB_MARKS = "*?["
