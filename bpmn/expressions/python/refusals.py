"""What is not in the grammar, by the words that its author wrote."""

from __future__ import annotations

import ast

EXPRESSIONS = (
    "names, literals, fields, items and slices, arithmetic, comparisons, and/or/not, conditional expressions, "
    "comprehensions, f-strings, calls of listed functions and methods"
)
STATEMENTS = "assignment, del, if, for, while, break, continue, pass, expressions"

_CONSTRUCTS: dict[type[ast.AST], str] = {
    ast.AnnAssign: "an annotated assignment",
    ast.Assert: "assert",
    ast.AsyncFor: "async for",
    ast.AsyncFunctionDef: "async def",
    ast.AsyncWith: "async with",
    ast.Await: "await",
    ast.ClassDef: "class",
    ast.FunctionDef: "def",
    ast.GeneratorExp: "a generator expression outside a call that gathers its values",
    ast.Global: "global",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Lambda: "lambda",
    ast.Match: "match",
    ast.MatMult: "@",
    ast.NamedExpr: "assignment inside an expression (:=)",
    ast.Nonlocal: "nonlocal",
    ast.Raise: "raise",
    ast.Return: "return",
    ast.Starred: "* here",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
}


def construct(node: ast.AST) -> str:
    """A construct in the words of the language."""
    return _CONSTRUCTS.get(type(node), type(node).__name__)
