"""for, some, every (DMN 1.5, 10.3.2.14 and 10.3.2.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bpmn.expressions.errors import LimitReached
from bpmn.expressions.feel.semantics.evaluation import Frame
from bpmn.expressions.feel.semantics.mismatch import FeelMismatch
from bpmn.expressions.feel.syntax import tree
from bpmn.expressions.feel.values.numbers import whole
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, date_numbered

if TYPE_CHECKING:
    from bpmn.expressions.feel.semantics.compiler import Compiled, Compiler

Domain = Callable[[Frame], Iterator[Any] | None]
"""Gives what a variable goes through; None where it goes through nothing that could be."""
Walk = Callable[[Frame], Iterator[Frame | None]]
"""Gives a frame for every combination of variables; None where a variable has no domain."""


def loop(compiler: Compiler, part: tree.For) -> Compiled:
    with ExitStack() as scopes:
        walk = _walk(compiler, part.iterators, scopes)
        scopes.enter_context(compiler.binding(frozenset({"partial"})))
        body = compiler.node(part.body)

    def run(frame: Frame) -> Any:
        results: list[Any] = []
        most = frame.evaluation.run.limits.items
        for inner in walk(frame.inner({"partial": results})):
            if inner is None:
                return None
            if len(results) >= most:
                raise LimitReached("items", most)
            results.append(body(inner))
        return results

    return run


def quantified(compiler: Compiler, part: tree.Quantified) -> Compiled:
    """True or false decides; else a condition that was neither makes it null."""
    decides = part.kind == "some"
    with ExitStack() as scopes:
        walk = _walk(compiler, part.iterators, scopes)
        condition = compiler.node(part.condition)

    def run(frame: Frame) -> Any:
        result: bool | None = not decides
        for inner in walk(frame):
            if inner is None:
                return None
            found = condition(inner)
            if found is decides:
                return decides
            if type(found) is not bool:
                result = None
        return result

    return run


def _walk(compiler: Compiler, iterators: list[tree.Iterator], scopes: ExitStack) -> Walk:
    domains: list[tuple[str, Domain]] = []
    for iterator in iterators:
        domains.append((iterator.variable, _domain(compiler, iterator)))
        scopes.enter_context(compiler.binding(frozenset({iterator.variable})))
    return lambda frame: _frames(frame, domains, 0)


def _frames(frame: Frame, domains: list[tuple[str, Domain]], index: int) -> Iterator[Frame | None]:
    variable, domain = domains[index]
    values = domain(frame)
    if values is None:
        yield None
        return
    last = index + 1 == len(domains)
    for value in values:
        frame.evaluation.charge(1)
        inner = frame.inner({variable: value})
        if last:
            yield inner
        else:
            yield from _frames(inner, domains, index + 1)


def _domain(compiler: Compiler, part: tree.Iterator) -> Domain:
    first, note = compiler.node(part.source), compiler.note(part, part.source)
    last = None if part.last is None else compiler.node(part.last)

    def values(frame: Frame) -> Iterator[Any] | None:
        start = first(frame)
        found = domain_of(start) if last is None else _from_to(start, last(frame))
        if found is None:
            note(frame, FeelMismatch("a list, or a range of whole numbers or dates", start))
        return found

    return values


def domain_of(value: Any) -> Iterator[Any] | None:
    """What a variable goes through that goes through a value; None where it goes through nothing that could be."""
    if type(value) is list:
        return iter(value)
    if type(value) is Range:
        return _of_range(value)
    return None if value is None else iter([value])


def _of_range(span: Range) -> Iterator[Any] | None:
    steps = _from_to(span.start, span.end)
    if steps is None:
        return None
    left_out = [end for end, kept in ((span.start, span.start_included), (span.end, span.end_included)) if not kept]
    return (value for value in steps if value not in left_out)


def _from_to(start: Any, end: Any) -> Iterator[Any] | None:
    """Up or down, both ends included."""
    if type(start) is Decimal and type(end) is Decimal:
        first, last = whole(start), whole(end)
        return None if first is None or last is None else map(Decimal, _steps(first, last))
    if type(start) is Date and type(end) is Date:
        return map(date_numbered, _steps(start.number, end.number))
    return None


def _steps(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)
