"""The part about JUEL of the page about expressions."""

from __future__ import annotations

from typing import Final

from bpmn.expressions.juel.methods import METHODS
from bpmn.expressions.juel.tokens import WORDS
from bpmn.expressions.juel.variables import FUNCTIONS, PREFIXES
from docs.make.markdown import codes, table

_COERCION: Final = [
    [
        "a condition, `and`, `or`, `not`, `? :`",
        "null and `''` are false; text is true if it says `true`, in upper or lower case; a number, list or "
        "object is an error",
    ],
    [
        "`==`, `!=`",
        "null equals null alone; with a number on one side both are read as numbers, else with a truth value "
        "both as truth values; a text equals no list or object",
    ],
    [
        "`<`, `<=`, `>`, `>=`",
        "with null on one side false (`<=` and `>=` of two nulls are true); with a number on one side both "
        "are read as numbers (`'5' > 3`), else with text on one side both as text (`'10' < '9'`)",
    ],
    [
        "`+`, `-`, `*`, `%`, `-x`",
        "null and `''` are 0, text is read as a number (`'5' + 3` is 8); text that is none is an error: text "
        "is put together by placeholders, `${a}${b}`, or by `concat`; `%` has the sign of its left side",
    ],
    [
        "`/`",
        "always with fractions (`6 / 2` is 3.0); two nulls give 0; division by zero is an error",
    ],
    [
        "reading a number",
        "a whole one, unless the other side is one with a fraction (in arithmetic also text with `.` or `e`):"
        " `'5.5' > 3` is an error, `'5.5' > 3.0` is not",
    ],
    [
        "`empty x`",
        "null, `''`, and a list or object with nothing in it",
    ],
    [
        "`a.b`, `a[b]`",
        "null where `a` or `b` is null, the field is missing, or the list has no such place (from 0)",
    ],
    [
        "methods",
        "as in Java: nothing is made to fit (`'5'.equals(5)` is false), and null has none",
    ],
]


def juel() -> tuple[str, ...]:
    """What may be written, and what operators do with values of types that differ."""
    return (
        "## JUEL\n\nWhat `${...}` and `#{...}` may hold: variables, fields, items, numbers, text, "
        f"{codes(WORDS)} and their signs, arithmetic, comparisons, `? :`, and the methods {codes(METHODS)}; "
        "`execution.getVariable('name')` is null where there is no such variable. Text around placeholders makes a "
        "text. Methods of Java objects, other functions, and scripts in JUEL are refused by name.",
        "Values are made to fit each other as the specification has it (JSR 341, 1.5 to 1.9 and 1.23), and what is an "
        "error there is one here, which names the values and their types:",
        table(["where", "what is done"], _COERCION),
        f"Flowable's functions on variables are {codes(FUNCTIONS)}, after {codes(f'{each}:' for each in PREFIXES)}, as "
        "in `${vars:eq(total, 5)}`. The first argument names a variable, in quotes or not, which may be missing. "
        "Numbers are compared with numbers and text with text; without a value nothing holds but `isEmpty`, `ne`, and "
        "`eq` with null.",
    )
