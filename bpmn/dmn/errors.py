"""Errors of decision models that cannot be read or used at all. What is wrong inside one is a finding."""

from __future__ import annotations

from collections.abc import Iterable

from bpmn.errors import BpmnError
from bpmn.findings import near_match, shortened


class NotDmn(BpmnError):
    """XML whose root is not DMN `definitions`."""


class UnknownDecision(BpmnError):
    """A decision that no file has. `suggestion` is the near match, `known` are those there are."""

    def __init__(self, decision: str, known: Iterable[str], *, file: str, element: str | None = None) -> None:
        names = sorted(set(known))
        self.decision, self.known = decision, tuple(names)
        self.suggestion = near_match(decision, names)
        meant = f"; did you mean {self.suggestion}?" if self.suggestion else ""
        allowed = ", ".join(shortened(names)) or "none, for there is no .dmn file"
        super().__init__(f"there is no decision {decision}{meant}", file=file, element=element, allowed=allowed)


class AmbiguousDecision(BpmnError):
    """A decision that several files have."""

    def __init__(self, decision: str, files: Iterable[str], *, file: str, element: str | None = None) -> None:
        self.decision, self.files = decision, tuple(files)
        found = ", ".join(self.files)
        super().__init__(f"several files have a decision {decision}", file=file, element=element, found=found)


class WrongDecision(BpmnError):
    """A decision that cannot be evaluated: a part that is missing, goes round in circles, or is in another language."""

    def __init__(
        self,
        reason: str,
        *,
        file: str,
        line: int | None = None,
        element: str | None = None,
        found: str | None = None,
        allowed: str | None = None,
    ) -> None:
        self.reason = reason
        super().__init__(reason, file=file, line=line, element=element, found=found, allowed=allowed)
