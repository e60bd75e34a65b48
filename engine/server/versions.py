"""Which version of a process is meant."""

from __future__ import annotations

from engine.governor import Governor
from engine.store.deployments import Version
from engine.store.errors import UnknownProcessVersion


def version_of(governor: Governor, process: str, number: int | None) -> Version:
    """The one of this number, None: the last one. Raises UnknownProcessVersion."""
    found = governor.versions(process)
    wanted = next((each for each in found if number in (None, each.version)), None)
    if wanted is None:
        raise UnknownProcessVersion(process)
    return wanted
