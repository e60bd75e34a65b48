"""Names of branches: where a token split off, told so that a person can read it.

`/<split>@<generation>:<branches>.<arm>`: the element that split, the generation of its snapshot (so that rounds of a
loop differ), how many branches there are, and the arm: the element or instance it leads to. Joined arms are written
`a+b` until all are back, then the branch is its parent again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from governance.snapshots.model import branch_order

_SPLIT = re.compile(r"@(\d+):\d+\.")


def child_branch(parent: str, split: str, generation: int, count: int, arm: str) -> str:
    """`arm` may be the key of an item, so a `/` in it is written as in a JSON pointer."""
    arm = arm.replace("~", "~0").replace("/", "~1")
    return f"{parent}/{split}@{generation}:{count}.{arm}"


def distinct(arms: Sequence[str]) -> list[str]:
    """The arms, told apart by a number where several tokens take the same one."""
    seen: dict[str, int] = {}
    told = []
    for arm in arms:
        seen[arm] = seen.get(arm, 0) + 1
        told.append(arm if seen[arm] == 1 else f"{arm}#{seen[arm]}")
    return told


def splits_of(branch: str) -> Iterator[tuple[str, int]]:
    """The branch and those around it, innermost first, each with the generation of the snapshot it split off from."""
    while branch:
        parent, _, own = branch.rpartition("/")
        yield branch, min(map(int, _SPLIT.findall(own)), default=0)
        branch = parent


def event_branch(parent: str, event: str, generation: int, time: int = 1) -> str:
    """The branch of a non-interrupting event; it never closes its split. `time` counts how often it has happened."""
    return f"{parent}/{event}@{generation}:0.event{time if time > 1 else ''}"


def joined_branch(branches: Sequence[str], join: str) -> str:
    """The branch that goes on when these come together at `join`."""
    told_apart = [branch.rpartition("/") for branch in {*branches}]
    if len(told_apart) == 1:
        return branches[0]
    arms = [own.rpartition(".") for _, _, own in told_apart]
    around, splits = {parent for parent, _, _ in told_apart}, {split for split, _, _ in arms}
    if len(around) == len(splits) == 1 and splits != {""}:
        return _rejoined(around.pop(), splits.pop(), [arm for _, _, arm in arms])
    return _from_apart(sorted({*branches}, key=branch_order), join)


def _from_apart(distinct: Sequence[str], join: str) -> str:
    """The same for branches of several splits."""
    paths = [branch.split("/")[1:] for branch in distinct]
    shared = _shared_prefix(paths)
    prefix = "".join(f"/{part}" for part in paths[0][:shared])
    tails = [path[shared:] for path in paths]
    if any(not tail for tail in tails):
        return prefix
    inner = "|".join(",".join(tail).replace("/", ",") for tail in tails)
    return f"{prefix}/{join}({inner})"


def _rejoined(prefix: str, split: str, arms: Sequence[str]) -> str:
    back = {arm for joined in arms for arm in joined.split("+")}
    count = int(split.rpartition(":")[2])
    return prefix if len(back) == count else f"{prefix}/{split}.{'+'.join(sorted(back, key=branch_order))}"


def _shared_prefix(paths: Sequence[list[str]]) -> int:
    # Between the first and the last in order lie all others.
    first, last = min(paths), max(paths)
    length = 0
    for one, other in zip(first, last, strict=False):
        if one != other:
            break
        length += 1
    return length
