"""A key with a merge strategy of its own is produced by something: a likely misspelling otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bpmn.check.producing import unwritten
from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    if place.is_process:
        yield from unwritten(
            place, "merge_keys", lambda policy: policy.merge_keys, re.compile(r"[./\[]"), "key with a merge strategy"
        )


RULE = Rule(code="merge-key", severity="warning", check=_check)
