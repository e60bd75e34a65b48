"""Findings: what reading, policies and checks have to say about a file."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Literal

from bpmn.errors import BpmnError

Severity = Literal["error", "warning"]

_SHOWN = 12
_COMPARED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found: the rule, where, and what would have been allowed. An error makes the file un-runnable."""

    rule: str
    severity: Severity
    file: str
    message: str
    element: str | None = None
    line: int | None = None
    found: str | None = None
    allowed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """All fields, for `--json` and the REST interface."""
        return {**asdict(self), "allowed": list(self.allowed)}

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        subject = self.rule if self.element is None else f"{self.rule} {self.element}"
        text = f"{where}: {self.severity} {subject}: {self.message}"
        if self.found is not None:
            text += f"; found {self.found}"
        if self.allowed:
            text += f"; allowed: {', '.join(self.allowed)}"
        return text


def unreadable(error: BpmnError) -> Finding:
    """A file that cannot be read at all, as the one finding about it."""
    return Finding(
        rule="unreadable",
        severity="error",
        file=error.file,
        message=str(error).partition(": ")[2],
        element=error.element,
        line=error.line,
    )


def render(findings: Iterable[Finding]) -> str:
    """One line a finding: `file:line: severity rule element: message; found ...; allowed: ...`."""
    return "\n".join(str(finding) for finding in findings)


def in_file_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by line, errors first on the same line; what has no line comes first."""
    return tuple(sorted(findings, key=lambda f: (f.line or 0, f.severity, f.rule, f.element or "", f.message)))


def shortened(names: Collection[str]) -> tuple[str, ...]:
    """Allowed values for a message: at most a dozen, then how many more there are."""
    first = tuple(islice(names, _SHOWN))
    return first if len(names) <= _SHOWN else (*first, f"and {len(names) - _SHOWN} more")


def near_match(name: str, names: Collection[str]) -> str | None:
    """The known name that `name` is probably a misspelling of. Long lists are not searched: it would cost too much."""
    if len(names) > _COMPARED:
        return None
    by_lower = {known.lower(): known for known in names}
    close = difflib.get_close_matches(name.lower()[:100], by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else None
