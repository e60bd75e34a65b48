"""The Python subset: every construct that is allowed. Whatever is missing here is refused by name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bpmn.expressions.program import Node
from bpmn.expressions.python import calls, comprehensions, literals, names, operators, statements
from bpmn.expressions.python.scope import Grammar, Scope, Statement

_EXPRESSIONS: Mapping[type[ast.AST], Callable[[Any, Scope], Node]] = MappingProxyType({
    ast.Attribute: names.attribute,
    ast.BinOp: operators.binary,
    ast.BoolOp: operators.boolean,
    ast.Call: calls.call,
    ast.Compare: operators.compare,
    ast.Constant: literals.constant,
    ast.Dict: literals.dict_display,
    ast.DictComp: comprehensions.dict_comprehension,
    ast.IfExp: operators.conditional,
    ast.JoinedStr: literals.joined_text,
    ast.List: literals.list_display,
    ast.ListComp: comprehensions.list_comprehension,
    ast.Name: names.name,
    ast.Set: literals.set_display,
    ast.SetComp: comprehensions.set_comprehension,
    ast.Subscript: names.subscript,
    ast.Tuple: literals.tuple_display,
    ast.UnaryOp: operators.unary,
})
_STATEMENTS: Mapping[type[ast.AST], Callable[[Any, Scope], Statement]] = MappingProxyType({
    ast.Assign: statements.assign,
    ast.AugAssign: statements.augmented_assign,
    ast.Break: statements.leave_loop,
    ast.Continue: statements.next_pass,
    ast.Delete: statements.delete,
    ast.Expr: statements.expression,
    ast.For: statements.for_loop,
    ast.If: statements.conditional,
    ast.Pass: statements.nothing,
    ast.While: statements.while_loop,
})

CONDITIONS = Grammar(_EXPRESSIONS, MappingProxyType({}))
"""What may stand where a value is wanted."""
SCRIPTS = Grammar(_EXPRESSIONS, _STATEMENTS)
"""What may stand in a script."""
