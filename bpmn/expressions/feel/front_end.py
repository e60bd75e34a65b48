"""FEEL as a front end: expressions over process variables (DMN 1.5, chapter 10)."""

from __future__ import annotations

from typing import Any

from bpmn.expressions.describe import phrase, shown
from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.failures import failure
from bpmn.expressions.feel.library.standard import FUNCTIONS, KNOWN
from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler
from bpmn.expressions.feel.semantics.evaluation import Evaluation, Frame, ProcessNames
from bpmn.expressions.feel.syntax.names import Names
from bpmn.expressions.feel.syntax.parser import parse
from bpmn.expressions.feel.values.json_values import to_json_value
from bpmn.expressions.places import Site, Where
from bpmn.expressions.program import Node, Program
from bpmn.expressions.run import Run


class FeelFrontEnd:
    """Compiles FEEL into closures.

    Inside an expression what goes wrong is null, as the standard has it. Where null comes out and something did go
    wrong, the program raises it.
    """

    language = "feel"

    def condition(self, text: str, where: Where) -> Program:
        """An expression, after a `=` or not. Raises InvalidSyntax, SyntaxRefused, UnknownFunction."""
        head = len(text) - len(text.lstrip())
        start = head + text[head:].startswith("=")
        # A space in place of the sign, so that lines and columns stay.
        source = " " * start + text[start:] if "\n" not in text[:start] else text[start:]
        site = Site(where, where.line, shown(" ".join(text.split()), 100))
        compiler = Compiler(source, where, functions=FUNCTIONS)
        try:
            compiled = compiler.node(parse(source, where, Names(base=KNOWN)))
        except RecursionError as error:
            raise failure(error, site) from None
        if compiler.unknown:
            raise compiler.unknown[0]
        names = frozenset(compiler.reads)
        return Program(_evaluated(compiled), site=site, language=self.language, names=names, truth=_truth)

    def script(self, text: str, where: Where) -> Program:
        """An expression whose value is the script's. Raises InvalidSyntax, SyntaxRefused, UnknownFunction."""
        return self.condition(text, where)


def _truth(value: Any) -> bool:
    """Raises TypeMismatch for what is neither true nor false."""
    if type(value) is not bool:
        raise TypeMismatch("true or false", value, reason=f"the condition gives {phrase(value)}")
    return value


def _evaluated(compiled: Compiled) -> Node:
    def evaluate(run: Run) -> Any:
        evaluation = Evaluation(run)
        value = compiled(Frame(evaluation, ProcessNames(run.variables, run), Frame(evaluation, FUNCTIONS, None)))
        if value is None and evaluation.notes:
            raise evaluation.notes[0]
        return to_json_value(value, run.charge)

    return evaluate
