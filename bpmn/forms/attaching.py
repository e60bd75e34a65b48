"""Forms that stand in files beside a process: what they ask for is what their tasks declare."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from bpmn.definition import Definition, Element, FormRef, Scope
from bpmn.errors import BpmnError
from bpmn.findings import Finding
from bpmn.forms.camunda import FormError, form_of, schema_of
from bpmn.reader.outputs import OutputsError, parse_outputs
from bpmn.reader.source import Limits, read_source
from bpmn.rewrite.prepare import Holder, map_scopes
from bpmn.walk import elements

_MOST_FILES: Final = 200
_FORMS: Final = "*.form"


def has_forms(definition: Definition) -> bool:
    """Whether any task has a form in another file."""
    return any(each.form is not None for process in definition.processes.values() for each in elements(process))


def attach_forms(
    definition: Definition, source: str | os.PathLike[str] | bytes, limits: Limits
) -> tuple[Definition, tuple[Finding, ...]]:
    """The definition with what its forms ask for, and a warning for each form that is not there or is none."""
    files = _Files(None if isinstance(source, bytes) else Path(source).resolve().parent, limits)
    findings: list[Finding] = []

    def change(_: Holder, scope: Scope) -> Scope:
        changed = {each.id: _filled(each, files, definition.file, findings) for each in scope.elements.values()}
        if all(changed[key] is each for key, each in scope.elements.items()):
            return scope
        return replace(scope, elements=changed)

    return map_scopes(definition, change), tuple(findings)


def _filled(element: Element, files: _Files, file: str, findings: list[Finding]) -> Element:
    if element.form is None or element.outputs_schema is not None:
        return element
    try:
        schema = files.schema(element.form)
    except (FormError, OutputsError, BpmnError) as error:
        schema, message = None, f"the form is passed over: {error}"
    else:
        message = "the form is in no file beside the process: a person is asked for what the task declares"
    if schema is not None:
        return replace(element, outputs_schema=schema)
    findings.append(
        Finding(
            rule="missing-form", severity="warning", file=file, message=message, element=element.id, line=element.line,
            found=element.form.name, allowed=("data outputs", "the form's file in the same folder"),
        )
    )  # fmt: skip
    return element


class _Files:
    """The files of one folder; None: there is none."""

    def __init__(self, folder: Path | None, limits: Limits) -> None:
        self._folder, self._limits = folder, limits
        self._forms: dict[str, Mapping[str, Any]] | None = None

    def schema(self, form: FormRef) -> Mapping[str, Any] | None:
        """What a form asks for, None if it is not there. Raises FormError, OutputsError, BpmnError."""
        if self._folder is None:
            return None
        if form.kind == "id":
            found = self._by_id().get(form.name)
            return None if found is None else schema_of(found)
        path = self._folder / Path(form.name.replace("\\", "/")).name
        if not path.is_file():
            return None
        data = read_source(path, path.name, self._limits)
        if form.kind == "form":
            return schema_of(form_of(data))
        text = data.decode("utf-8", "replace")
        if not text.lstrip("\ufeff \t\r\n").startswith("{"):
            raise FormError("a JSON Schema is an object")
        return parse_outputs(text.lstrip("\ufeff"))

    def _by_id(self) -> dict[str, Mapping[str, Any]]:
        if self._forms is None:
            self._forms = {str(form.get("id")): form for form in self._read()}
        return self._forms

    def _read(self) -> Iterator[Mapping[str, Any]]:
        assert self._folder is not None
        for path in sorted(self._folder.glob(_FORMS))[:_MOST_FILES]:
            try:
                yield form_of(read_source(path, path.name, self._limits))
            except (FormError, BpmnError):
                continue  # another task's, or nobody's: one that is asked for is told as missing
