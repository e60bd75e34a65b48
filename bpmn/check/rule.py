"""What a rule is: one code, one severity, one function that finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from bpmn.check.tokens.play import Outcomes, Play
from bpmn.definition import Definition, Element, Process, Scope
from bpmn.findings import Severity


@dataclass(frozen=True, kw_only=True)
class Place:
    """What a rule looks at: one scope, and what is around it."""

    definition: Definition
    process: Process
    holder: Process | Element
    """The process or sub-process that the scope belongs to."""
    scope: Scope

    @property
    def is_process(self) -> bool:
        """Whether the scope is the process's own; rules about whole processes look at this one only."""
        return isinstance(self.holder, Process)

    @cached_property
    def outcomes(self) -> Outcomes:
        """What playing its tokens through comes to; several rules tell of it."""
        return Play(self.scope).outcomes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One finding of a rule, to which the run of the rules adds the rule, its severity and the file."""

    message: str
    element: str | None
    line: int | None
    found: str | None = None
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `check` is called for every scope of every process; `on_request`: only where somebody asks for it."""

    code: str
    severity: Severity
    check: Callable[[Place], Iterator[Problem]]
    on_request: bool = False
