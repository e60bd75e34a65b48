"""The decision models of a definition: found beside its file or given, and kept with it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bpmn.definition import Definition
from bpmn.dmn.decisions import Decisions
from bpmn.dmn.errors import AmbiguousDecision, UnknownDecision, WrongDecision
from bpmn.dmn.model import Reference
from bpmn.dmn.reader.read import ReadModel, read_model, read_models
from bpmn.errors import BpmnError
from bpmn.findings import Finding
from bpmn.reader.source import Limits, read_source
from bpmn.walk import asking

FILES: Final = "*.dmn"
MOST_FILES: Final = 200
"""Files beside a process that are looked into."""


def attach(
    definition: Definition,
    source: str | os.PathLike[str] | bytes,
    given: Sequence[str | os.PathLike[str]],
    limits: Limits,
) -> tuple[Definition, tuple[Finding, ...]]:
    """The definition with the models that its activities ask, and what is wrong with those.

    Models are looked for in the files `given`, then in those beside the source if that is a path. Raises BpmnError for
    a given file that is no DMN.
    """
    texts: dict[str, str] = {}
    for path in given:
        name, text = _text(path, limits)
        texts[name if name not in texts else os.fspath(path)] = text
    findings: list[Finding] = []
    for path in _beside(source, {os.path.realpath(each) for each in given}):
        try:
            name, text = _text(path, limits)
            texts.setdefault(name, text)
        except BpmnError as error:
            findings.append(_unreadable(definition, error))
    if not texts:
        return definition, tuple(findings)
    reads = read_models({name: text.encode() for name, text in texts.items()}, limits)
    decisions = Decisions(each.model for each in reads)
    asked, several = _asked(definition, decisions)
    # What is computed, or is not there, may be any of them: a message names those that are.
    named = {element.decision.name for element in asking(definition) if element.decision is not None}
    everything = len(asked) < len(named)
    first = set(decisions.library.models) if everything else {each.namespace for each in asked}
    needed = _with_imports(decisions, first)
    kept = [each for each in reads if each.model.namespace in needed]
    found = [*findings, *several, *_problems(kept, asked)]
    return replace(definition, decisions={each.model.file: texts[each.model.file] for each in kept}), tuple(found)


def decisions_of(definition: Definition) -> Decisions:
    """The decisions that were attached to a definition."""
    return Decisions.load({name: text.encode() for name, text in definition.decisions.items()})


def is_expression(name: str) -> bool:
    """Whether a decision's name is to be evaluated first."""
    return name.startswith("=") or "${" in name or "#{" in name


def _beside(source: str | os.PathLike[str] | bytes, given: set[str]) -> Iterable[str]:
    if isinstance(source, bytes):
        return []
    found = sorted(Path(source).resolve().parent.glob(FILES))[:MOST_FILES]
    return [str(path) for path in found if os.path.realpath(path) not in given]


def _text(path: str | os.PathLike[str], limits: Limits) -> tuple[str, str]:
    """The name of a file and its text, which is DMN. Raises BpmnError."""
    name = os.fspath(path)
    data = read_source(path, name, limits)
    read_model(data, name, limits)
    try:
        return os.path.basename(name), data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WrongDecision("the file is kept as text in UTF-8, which it is not", file=name, found=str(error)) from None


def _unreadable(definition: Definition, error: BpmnError) -> Finding:
    return Finding(
        rule="decision-file",
        severity="warning",
        file=definition.file,
        message=f"decisions are not looked for in a file beside it: {error}",
    )


def _asked(definition: Definition, decisions: Decisions) -> tuple[set[Reference], list[Finding]]:
    """The decisions that activities name, and a finding for each that several files have."""
    found: set[Reference] = set()
    several: list[Finding] = []
    for element in asking(definition):
        if element.decision is None or is_expression(element.decision.name):
            continue
        try:
            found.add(decisions.find(element.decision.name, file=definition.file, element=element.id))
        except UnknownDecision:
            # Told when an instance is started, as other work that nobody does.
            continue
        except AmbiguousDecision as error:
            several.append(
                Finding(
                    rule="called-decision",
                    severity="error",
                    file=definition.file,
                    message=f"several files have a decision {error.decision}",
                    element=element.id,
                    line=element.line,
                    found=", ".join(error.files),
                )
            )
    return found, several


def _with_imports(decisions: Decisions, namespaces: set[str]) -> set[str]:
    todo, found = list(namespaces), set[str]()
    while todo:
        namespace = todo.pop()
        model = decisions.library.models.get(namespace)
        if namespace not in found and model is not None:
            found.add(namespace)
            todo += [each.namespace for each in model.imports]
    return found


def _problems(kept: Sequence[ReadModel], asked: set[Reference]) -> Iterator[Finding]:
    """What is wrong with the models that are used: errors in what is asked for, warnings elsewhere."""
    used = Decisions((each.model for each in kept), (one for each in kept for one in each.findings))
    reached = _reached(used, asked)
    inside = {reference.id for reference in reached}
    known = {id for model in used.models for id in (*model.decisions, *model.knowledge, *model.services)}
    for finding in used.findings():
        beside = finding.element in known and finding.element not in inside
        yield replace(finding, severity="warning") if beside else finding


def _reached(decisions: Decisions, asked: Iterable[Reference]) -> set[Reference]:
    """All that decisions rest on."""
    todo, found = list(asked), set[Reference]()
    models: Mapping[str, object] = decisions.library.models
    while todo:
        reference = todo.pop()
        if reference in found or reference.namespace not in models:
            continue
        found.add(reference)
        model = decisions.library.models[reference.namespace]
        if reference.id in model.decisions:
            decision = model.decisions[reference.id]
            todo += [*decision.information, *decision.knowledge]
        elif reference.id in model.knowledge:
            todo += model.knowledge[reference.id].knowledge
        elif reference.id in model.services:
            todo += model.services[reference.id].outputs
    return found
