"""What may not be written, and ways out that must be closed."""

from __future__ import annotations

import pytest

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.errors import ExpressionError, InvalidSyntax, SyntaxRefused
from tests.bpmn.expressions.support import WHERE, evaluate, execute


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("lambda: 1", "lambda"),
        ("(y := 1)", "assignment inside an expression (:=)"),
        ("(x for x in [1])", "a generator expression"),
        ("str(x for x in [1])", "a generator expression"),
        ("[(x for x in [1])]", "a generator expression"),
        ("[x async for x in [1]]", "async"),
        ("await x", "await"),
        ("(yield)", "yield"),
        ("b'x'", "a literal of type bytes"),
        ("1j", "a literal of type complex"),
        ("...", "a literal of type ellipsis"),
        ("x @ x", "@"),
        ("x is 1", "is between two values"),
        ("x[0](1)", "a call of anything but a function or method by its name"),
        ("open('/etc/passwd')", "the function open"),
        ("eval('1')", "the function eval"),
        ("getattr(x, 'y')", "the function getattr"),
        ("type(x)", "the function type"),
        ("x.format_map({})", "the method format_map"),
        ("x.encode()", "the method encode"),
        ("x.append(1)", "the method append"),
        ("max(*x)", "* here"),
        ("dict(**x)", "** in a call"),
        ("len()", "a call of len with these arguments"),
        ("sorted(x, key=len)", "a call of sorted with these arguments"),
        ("1e999", "a number this large"),
        ("0x" + "f" * 2000, "a whole number this large"),
        ("[" * 120 + "]" * 120, "a part this deep inside others"),
    ],
)
def test_expression(text: str, construct: str) -> None:
    with pytest.raises(SyntaxRefused) as caught:
        compile_condition(text, where=WHERE)
    assert caught.value.construct.startswith(construct)


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("import os", "import"),
        ("from os import path", "import"),
        ("def f(): pass", "def"),
        ("async def f(): pass", "async def"),
        ("class C: pass", "class"),
        ("with x: pass", "with"),
        ("try: x\nexcept: pass", "try"),
        ("try: x\nexcept* KeyError: pass", "try"),
        ("raise x", "raise"),
        ("assert x", "assert"),
        ("global x", "global"),
        ("return x", "return"),
        ("x: int = 1", "an annotated assignment"),
        ("match x:\n    case 1: pass", "match"),
        ("break", "break outside a loop"),
        ("for x in y: pass\nelse: continue", "continue outside a loop"),
        ("[1 for x.y in z]", "this as a target"),
        ("__builtins__ = 1", "the name __builtins__"),
        ("x.__class__ = 1", "the name __class__"),
        ("del x.__dict__", "the name __dict__"),
        ("for __x in y: pass", "the name __x"),
        ("x = [1 for __x in y]", "the name __x"),
        ("dict(__class__=1)", "the name __class__"),
    ],
)
def test_statement(text: str, construct: str) -> None:
    with pytest.raises(SyntaxRefused) as caught:
        compile_script(text, where=WHERE)
    assert caught.value.construct.startswith(construct)


@pytest.mark.parametrize(
    "text",
    [
        "().__class__.__bases__[0].__subclasses__()",
        "''.__class__",
        "x.__\uff43lass__",
        "x.__\u1d9class__",
        "__\uff42uiltins__",
        "[].__len__()",
        "x.append.__self__",
        "len.__self__",
        "'{0.__class__}'.format(x)",
        "'{0.__class__.__mro__}'.format(x)",
        "'{0[0]}'.format([1])",
        "'{x.__class__}'.format(x=1)",
        "'{:{0.__class__}}'.format(1)",
        "'%(x)s' % {'x': 1}",
        "f'{x.__class__}'",
        "f'{x!r:{x.__class__}}'",
        "str.format('{0.__class__}', 1)",
        "x.gi_frame",
        "any(x.gi_frame for y in [1])",
        "x.mro()",
        "[y for y in [1] if y.__class__]",
    ],
)
def test_nothing_leads_to_an_attribute_of_a_python_value(text: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(text, x={"a": 1})
    with pytest.raises(ExpressionError):
        execute(f"y = {text}", x={"a": 1})


def test_a_function_is_no_value() -> None:
    for text in ("x = len", "x = [].append", "x = 'a'.join", "x = print", "x = True.real"):
        with pytest.raises(ExpressionError):
            execute(text)


def test_a_variable_cannot_be_called_and_takes_no_function_away() -> None:
    assert evaluate("len('ab') + len", len=5) == 7
    with pytest.raises(SyntaxRefused):
        evaluate("f(1)", f=print)


def test_objects_of_other_types_take_no_part() -> None:
    class Loud:
        secret = 1

        def __add__(self, other: object) -> int:
            raise AssertionError

        __radd__ = __lt__ = __iter__ = __len__ = __getitem__ = __call__ = __format__ = __add__  # type: ignore[assignment]

    for text in ("x.secret", "x + 1", "1 + x", "x < 1", "[y for y in x]", "len(x)", "x[0]", "f'{x}'", "x", "[x]", "-x"):
        with pytest.raises(ExpressionError):
            evaluate(text, x=Loud())
    with pytest.raises(ExpressionError):
        execute("x[0].a = 1", x=[Loud()])


@pytest.mark.parametrize(
    "text",
    [
        "(" * 90_000,
        "-" * 90_000 + "1",
        "not " * 20_000 + "1",
        "a" + ".a" * 45_000,
        "a" + "[0]" * 30_000,
        "1" + "+1" * 45_000,
        "1 if 1 else " * 8_000 + "1",
        "x" * 200_000,
        "a\0b",
        "'\ud800'",
        "9" * 5_000,
    ],
)
def test_text_that_python_itself_cannot_read_is_a_clear_error(text: str) -> None:
    for compile_text in (compile_condition, compile_script):
        with pytest.raises(InvalidSyntax):
            compile_text(text, where=WHERE)


def test_many_branches_are_not_deep() -> None:
    text = "if x == 0: y = 0\n" + "".join(f"elif x == {n}: y = {n}\n" for n in range(1, 300))
    assert execute(text, x=299).set == {"y": 299}
