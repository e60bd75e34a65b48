"""Commits as compact JSON, and the id that is the digest of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from governance.snapshots.model import Commit


def dump_commit(commit: Commit) -> dict[str, Any]:
    """The commit as JSON-able data. The id is left out: it is the digest of the rest."""
    raise NotImplementedError


def load_commit(data: Mapping[str, Any]) -> Commit:
    """The commit that `dump_commit` wrote, its id computed anew."""
    raise NotImplementedError
