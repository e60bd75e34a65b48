"""Names of branches: where a token split off, told so that a person can read it.

`/<split>@<generation>:<branches>.<arm>`: the element that split, the generation of its snapshot (so that rounds of a
loop differ), how many branches there are, and the arm: the element or instance it leads to. Joined arms are written
`a+b` until all are back, then the branch is its parent again.
"""

from __future__ import annotations

from collections.abc import Sequence

from governance.snapshots.model import branch_order


def child_branch(parent: str, split: str, generation: int, count: int, arm: str) -> str:
    return f"{parent}/{split}@{generation}:{count}.{arm}"


def event_branch(parent: str, event: str, generation: int) -> str:
    """The branch of a non-interrupting event; it never closes its split."""
    return f"{parent}/{event}@{generation}:0.event"


def joined_branch(branches: Sequence[str], join: str) -> str:
    """The branch that goes on when these come together at `join`."""
    distinct = sorted(set(branches), key=branch_order)
    if len(distinct) == 1:
        return distinct[0]
    paths = [branch.split("/")[1:] for branch in distinct]
    shared = _shared_prefix(paths)
    prefix = "".join(f"/{part}" for part in paths[0][:shared])
    tails = [path[shared:] for path in paths]
    if any(not tail for tail in tails):
        return prefix
    heads = {tail[0].rpartition(".")[0] for tail in tails}
    if len(heads) == 1 and all(len(tail) == 1 for tail in tails):
        return _rejoined(prefix, heads.pop(), [tail[0].rpartition(".")[2] for tail in tails])
    inner = "|".join(",".join(tail).replace("/", ",") for tail in tails)
    return f"{prefix}/{join}({inner})"


def _rejoined(prefix: str, split: str, arms: Sequence[str]) -> str:
    back = sorted({arm for joined in arms for arm in joined.split("+")}, key=branch_order)
    count = int(split.rpartition(":")[2])
    return prefix if len(back) == count else f"{prefix}/{split}.{'+'.join(back)}"


def _shared_prefix(paths: Sequence[Sequence[str]]) -> int:
    length = 0
    while all(len(path) > length for path in paths) and len({path[length] for path in paths}) == 1:
        length += 1
    return length
