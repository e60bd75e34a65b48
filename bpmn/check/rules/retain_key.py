"""A key to be retained is produced by something: a likely misspelling otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bpmn.check.producing import unwritten
from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    if place.is_process:
        yield from unwritten(place, "retain_keys", lambda policy: policy.retain_keys, re.compile(r"\."), "retained key")


RULE = Rule(code="retain-key", severity="warning", check=_check)
