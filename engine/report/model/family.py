"""Which branches stand inside which others, told from their names."""

from __future__ import annotations

from collections.abc import Iterator

from engine.context_names import arm_of


class Family:
    """The branches of a run. Cost of everything: the branches that it is about."""

    def __init__(self) -> None:
        self._inside: dict[str, list[str]] = {}

    def add(self, branch: str) -> None:
        """A branch that begins; no matter whether it was announced."""
        if branch:
            self._inside.setdefault(branch.rpartition("/")[0], []).append(branch)

    def under(self, branch: str) -> Iterator[str]:
        """Those inside it, at any depth."""
        pending = [branch]
        while pending:
            inner = self._inside.get(pending.pop(), ())
            yield from inner
            pending += inner

    def rejoin(self, branch: str) -> list[str]:
        """The branch goes on by its own name: those inside it that are over. What an event opened goes on beside."""
        over: list[str] = []
        pending = [each for each in self._inside.get(branch, ()) if not _is_beside(each)]
        self._inside[branch] = [each for each in self._inside.get(branch, ()) if _is_beside(each)]
        while pending:
            over += pending
            pending = [inner for each in pending for inner in self._inside.pop(each, ())]
        return over


def _is_beside(branch: str) -> bool:
    arm = arm_of(branch)
    return arm is not None and not arm.count
