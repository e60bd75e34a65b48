"""A service task that is an expression over variables, and no call of a handler, is a script task.

`${a + b}` goes to the task's result variable; `${execution.setVariable('x', a)}` sets `x`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bpmn.definition import Definition, Element, Scope, Script
from bpmn.expressions.compiler import compile_value
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.places import Where
from bpmn.reader.listeners import set_by
from bpmn.reader.vendors import is_marked
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names

_REWRITE: Final = "expression-task"


def prepare(definition: Definition, _: Names) -> tuple[Definition, list[Guess]]:
    """All ids stay; what cannot be computed here stays a job for a handler of that name."""
    guesses: list[Guess] = []

    def change(_: Holder, scope: Scope) -> Scope:
        made = {each.id: script for each in scope.elements.values() if (script := _computed(each, definition.file))}
        if not made:
            return scope
        elements = dict(scope.elements)
        for id, script in made.items():
            elements[id] = _as_script(elements[id], script)
            message = f"the expression is computed: it sets {script.result}"
            guesses.append(Guess(rule=_REWRITE, element=id, line=script.line, message=message, quiet=True))
        return replace(scope, elements=elements)

    return map_scopes(definition, change), guesses


def _computed(element: Element, file: str) -> Script | None:
    """The script that a task is; None for one that a handler does."""
    if element.kind != "serviceTask" or element.expression is None or element.decision is not None:
        return None
    script = set_by(element.expression, element.line)
    if script is None:
        result = next((each.target for each in element.output_mappings if each.expression is None), None)
        if result is None or not is_marked(element.job_type or ""):
            return None
        script = Script(text=element.expression, language="juel", line=element.line, result=result)
    try:
        compile_value(script.text, where=Where(file, element.id, script.line), language=script.language)
    except ExpressionError:
        return None
    return script


def _as_script(element: Element, script: Script) -> Element:
    outputs = tuple(each for each in element.output_mappings if each.expression is not None)
    return replace(element, kind="scriptTask", job_type=None, script=script, output_mappings=outputs)
