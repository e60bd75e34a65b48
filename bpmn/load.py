"""From a file to a definition that can be run, or to what stands in the way."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

from bpmn.check.run import check
from bpmn.choose import choose
from bpmn.definition import Definition
from bpmn.findings import Finding, in_file_order
from bpmn.forms.attaching import attach_forms, has_forms
from bpmn.policies.collect import Collector
from bpmn.policies.resolve import PolicyResolver
from bpmn.reader.read import read
from bpmn.reader.source import Limits, read_source
from bpmn.reader.vendors import is_for_an_engine
from bpmn.rewrite import (
    compensation_beside,
    event_ends,
    event_mappings,
    expressions_as_scripts,
    implied_events,
    left_open,
    listeners,
    missing_start,
    passed_over,
    tool_boxes,
    trusted_scripts,
)
from bpmn.rewrite.prepare import Preparation, prepare
from bpmn.rewrite.run import rewrite
from bpmn.rewrite.scope_pass import Note
from bpmn.walk import asks
from governance.policy import Policy

Source: TypeAlias = str | os.PathLike[str] | bytes
_PREPARATIONS: Final[tuple[Preparation, ...]] = (
    tool_boxes.prepare,
    missing_start.prepare,
    implied_events.prepare,
    expressions_as_scripts.prepare,
    compensation_beside.prepare,
    listeners.prepare,
    event_mappings.prepare,
)
_FOR_SIMULATIONS: Final[tuple[Preparation, ...]] = (
    partial(missing_start.prepare, drawn=True),
    passed_over.prepare,
    left_open.prepare,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A file's definition, what was found in it, and what was rewritten; `source` are the file's bytes."""

    definition: Definition
    findings: tuple[Finding, ...]
    notes: tuple[Note, ...]
    source: bytes

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make it un-runnable; none: it can be run."""
        return tuple(finding for finding in self.findings if finding.severity == "error")


def load(
    source: Source,
    *,
    file: str | None = None,
    process: str | None = None,
    settings: Policy | None = None,
    limits: Limits | None = None,
    simulate: bool = False,
    trust_scripts: bool = False,
    decisions: Sequence[str | os.PathLike[str]] = (),
    rules: Collection[str] = (),
) -> Loaded:
    """Read, check and rewrite a BPMN file, given as a path or as bytes.

    `file` is its name in messages (default: the path). `process` is the id of the process to start, where the file
    leaves a choice. `settings` are the policy that holds where the file says nothing. To `simulate` it, what is refused
    only for lack of a handler, of a language of scripts, of another file, or of what a drawing leaves open (conditions,
    times, numbers) is passed over, with a warning. Whoever
    says `trust_scripts` lets scripts be full Python, each run in a process of its own.
    `decisions` are DMN files with the decisions that it asks for, beside those in the file's folder.
    `rules` are codes of rules that run on request only.

    Raises `BpmnError`, of the kind that says why, for a file that cannot be read. What is wrong inside a readable
    file is in `findings`.
    """
    name = file or ("<bytes>" if isinstance(source, bytes) else os.fspath(source))
    limits = limits or Limits()
    data = read_source(source, name, limits)
    found = read(data, name, limits)
    collector = Collector(name)
    written = collector.collect(found.root)
    main, choice = choose(found.definition, process)
    read_forms, wrong_forms = _with_forms(found.definition, source, limits)
    drawn = replace(PolicyResolver(written, settings or Policy()).apply(read_forms), main=main)
    trusting = (trusted_scripts.prepare,) if trust_scripts else ()
    dialect = (event_ends.prepare,) if simulate or is_for_an_engine(found.root) else ()
    passes = (*dialect, *_PREPARATIONS, *trusting, *(_FOR_SIMULATIONS if simulate else ()))
    meant, guesses = prepare(drawn, passes)
    definition, notes = rewrite(meant)
    definition, wrong = _with_decisions(definition, source, decisions, limits)
    guessed = (each.finding(name) for each in guesses if not each.quiet)
    broken = check(meant, asked=rules)
    findings = (*found.findings, *collector.findings, *choice, *guessed, *broken, *wrong, *wrong_forms)
    notes = (*(each.note() for each in guesses), *notes)
    return Loaded(definition=definition, findings=in_file_order(findings), notes=notes, source=data)


def _with_forms(definition: Definition, source: Source, limits: Limits) -> tuple[Definition, tuple[Finding, ...]]:
    return attach_forms(definition, source, limits) if has_forms(definition) else (definition, ())


def _with_decisions(
    definition: Definition, source: Source, given: Sequence[str | os.PathLike[str]], limits: Limits
) -> tuple[Definition, tuple[Finding, ...]]:
    if not asks(definition):
        return definition, ()
    # DMN and FEEL are for those who use them.
    from bpmn.dmn.attaching import attach

    return attach(definition, source, given, limits)
