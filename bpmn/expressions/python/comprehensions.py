"""List, set and object comprehensions, and generator expressions inside calls that gather their values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from bpmn.expressions.failures import EXPECTED, failure
from bpmn.expressions.operations.containers import as_key, collect, iterate
from bpmn.expressions.places import Site
from bpmn.expressions.program import Node
from bpmn.expressions.python.scope import Scope
from bpmn.expressions.python.targets import local_target, steps_of
from bpmn.expressions.run import Run

Producer = Callable[[Run], Iterator[Any]]
"""A compiled comprehension before its values are gathered."""

_Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def list_comprehension(node: ast.ListComp, scope: Scope) -> Node:
    return _gathered(producer(node, [node.elt], scope), list, scope.site(node))


def set_comprehension(node: ast.SetComp, scope: Scope) -> Node:
    return _gathered(producer(node, [node.elt], scope), lambda values: set(map(as_key, values)), scope.site(node))


def dict_comprehension(node: ast.DictComp, scope: Scope) -> Node:
    produce = producer(node, [node.key, node.value], scope)
    return _gathered(produce, lambda pairs: {as_key(key): value for key, value in pairs}, scope.site(node))


def generator(node: ast.GeneratorExp, scope: Scope) -> Node:
    """The values one by one, so that `any` and `all` stop at the first that decides."""
    return producer(node, [node.elt], scope)


def _gathered(produce: Producer, gather: Callable[[list[Any]], Any], site: Site) -> Node:
    def make(run: Run) -> Any:
        try:
            return gather(collect(run, produce(run)))
        except EXPECTED as error:
            raise failure(error, site) from None

    return make


def producer(node: _Comprehension, elements: list[ast.expr], scope: Scope) -> Producer:
    """Produces the element, or the elements as a tuple, clause by clause."""
    site = scope.site(node)
    with scope.comprehension():
        clauses = []
        for clause in node.generators:
            if clause.is_async:
                scope.refuse(node, "async", "for")
            source = scope.expression(clause.iter)
            store = local_target(clause.target, scope)
            clauses.append((source, store, [scope.expression(test) for test in clause.ifs]))
        produce = _element([scope.expression(element) for element in elements])
    steps = steps_of(*elements, *node.generators)
    for source, store, tests in reversed(clauses):
        produce = _clause(source, store, tests, produce, steps, site)
    return produce


def _element(elements: list[Node]) -> Producer:
    if len(elements) == 1:
        [element] = elements

        def produce_one(run: Run) -> Iterator[Any]:
            yield element(run)

        return produce_one

    def produce(run: Run) -> Iterator[Any]:
        yield tuple([element(run) for element in elements])

    return produce


def _clause(
    source: Node, store: Callable[[Run, Any], None], tests: list[Node], inner: Producer, steps: int, site: Site
) -> Producer:
    def produce(run: Run) -> Iterator[Any]:
        values = source(run)
        try:
            for value in iterate(run, values):
                run.charge(steps)
                store(run, value)
                if all(test(run) for test in tests):
                    yield from inner(run)
        except EXPECTED as error:
            raise failure(error, site) from None

    return produce
