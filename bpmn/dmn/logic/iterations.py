"""Boxed filters and iterators (DMN 1.5, 10.2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpmn.dmn import model as dmn
from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.semantics.collections import select
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.loops import domain_of
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch

if TYPE_CHECKING:
    from bpmn.dmn.logic.compiler import LogicCompiler
    from bpmn.expressions.feel.semantics.compiler import Compiled


def filtered(compiler: LogicCompiler, part: dmn.BoxedFilter) -> Compiled:
    source, match = compiler.boxed(part.source), compiler.boxed(part.match)

    def run(frame: Frame) -> Any:
        def wrong(found: Any) -> None:
            compiler.note(frame, FeelMismatch("true or false", found), "match")

        return select(frame, source(frame), match, wrong)

    return run


def iterated(compiler: LogicCompiler, part: dmn.BoxedIterator) -> Compiled:
    source, body = compiler.boxed(part.source), compiler.boxed(part.body)
    variable, kind = part.variable, part.kind

    def run(frame: Frame) -> Any:
        values = domain_of(source(frame))
        if values is None:
            compiler.note(frame, FeelMismatch("a list, or a range of whole numbers or dates", None), kind)
            return None
        results: list[Any] = []
        around = frame.inner({"partial": results}) if kind == "for" else frame
        most = frame.evaluation.run.limits.items
        for value in values:
            frame.evaluation.charge(1)
            if len(results) >= most:
                raise LimitReached("items", most)
            found = body(around.inner({variable: value}))
            if kind == "for" or found is None:
                results.append(found)
            elif type(found) is not bool:
                compiler.note(frame, FeelMismatch("true or false", found), kind)
                return None
            elif found is (kind == "some"):
                return found
        if kind == "for":
            return results
        return None if results else kind == "every"

    return run
