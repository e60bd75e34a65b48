"""For those who trust a file: scripts in Python that the safe subset refuses are marked, to run apart.

What the subset runs stays with it: that is quicker, and its limits are finer.
"""

from __future__ import annotations

from dataclasses import replace

from bpmn.definition import Definition, Element, Scope
from bpmn.expressions.compiler import compile_script
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.languages import PYTHON, language_of
from bpmn.expressions.places import Where
from bpmn.rewrite.prepare import Guess, Holder, map_scopes
from bpmn.rewrite.scope_pass import Names


def prepare(definition: Definition, _: Names) -> tuple[Definition, list[Guess]]:
    """Scripts with `trusted` set, and a warning for each."""
    guesses: list[Guess] = []

    def change(_: Holder, scope: Scope) -> Scope:
        marked = {each.id: _marked(each, guesses) for each in scope.elements.values() if _needs(each, definition.file)}
        if not marked:
            return scope
        return replace(scope, elements={key: marked.get(key, each) for key, each in scope.elements.items()})

    return map_scopes(definition, change), guesses


def _needs(element: Element, file: str) -> bool:
    script = element.script
    if script is None or script.result is not None or language_of(script.text, script.language) != PYTHON:
        return False
    try:
        compile_script(script.text, where=Where(file, element.id, script.line), language=script.language)
    except ExpressionError:
        return True
    return False


def _marked(element: Element, guesses: list[Guess]) -> Element:
    message = "the script is trusted: it runs as full Python, in a process of its own without a network"
    guesses.append(Guess(rule="trusted-script", element=element.id, line=element.line, message=message))
    assert element.script is not None
    return replace(element, script=replace(element.script, trusted=True))
