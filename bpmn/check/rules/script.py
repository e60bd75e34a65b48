"""Scripts are there, in a language that is run here, and correct."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bpmn.check.compiling import Compiling
from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Script
from bpmn.expressions.compiler import compile_script, compile_value
from bpmn.expressions.languages import PYTHON, language_of


def _check(place: Place) -> Iterator[Problem]:
    compiling, of_value = Compiling(place, compile_script), Compiling(place, compile_value)
    for element in place.scope.elements.values():
        if element.kind != "scriptTask":
            continue
        if element.script is None:
            yield Problem(
                message="the script task has no script", element=element.id, line=element.line, allowed=("a script",)
            )
            continue
        if element.script.trusted:
            continue
        problem = (compiling if element.script.result is None else of_value).problem(element.script, element.id)
        if problem is not None:
            yield replace(problem, allowed=(*problem.allowed, *_ways_out(element.script)))


def _ways_out(script: Script) -> tuple[str, ...]:
    """What else can be done about a script that is not run here."""
    if language_of(script.text, script.language) == PYTHON:
        return ("full Python with --trust-scripts",)
    return ("the same in Python", "a serviceTask with a handler")


RULE = Rule(code="script", severity="error", check=_check)
