"""The page about FEEL, made of the tables that run it."""

from __future__ import annotations

from typing import Final

from bpmn.expressions.feel.library.standard import GROUPS
from bpmn.expressions.feel.semantics.properties import PROPERTIES
from bpmn.expressions.feel.syntax.cursor import DEPTH
from bpmn.expressions.feel.values.kinds import kind_of
from bpmn.expressions.feel.values.numbers import DIGITS
from bpmn.expressions.feel.values.ranges import Range
from bpmn.expressions.feel.values.temporal import Date, DateTime, DaysDuration, MonthsDuration, Time
from bpmn.expressions.feel.values.types import SIMPLE
from docs.make.markdown import code, codes, page, table

_SAMPLES: Final = {
    Date: Date(2030, 1, 31),
    Time: Time(0),
    DateTime: DateTime(Date(2030, 1, 31), Time(0)),
    DaysDuration: DaysDuration(0),
    MonthsDuration: MonthsDuration(0),
    Range: Range(None, None),
}
_INTO: Final = [
    ["whole number", "number", "whole number"],
    ["number with a fraction", "number: the shortest decimal that reads as it, so `0.1` is 0.1", "the nearest float: "
     "exact up to 15 digits"],
    ["text, truth value, null", "string, boolean, null", "the same"],
    ["list, object", "list, context", "list, object"],
    ["", "date, time, date and time, duration", "text in ISO 8601; a named zone becomes its offset"],
    ["", "range", "text as FEEL writes it: `[1..10]`"],
    ["", "function", "refused"],
]


def write() -> str:
    functions = [
        f"### {about[0].upper()}{about[1:]}\n\n" + "\n".join(
            f"- {code(signature.text)}{', or the items one by one' if signature.spread else ''}"
            for library in libraries
            for function in library.functions.values()
            for signature in function.signatures
        )
        for about, libraries in GROUPS.items()
    ]
    return page(
        "FEEL",
        "FEEL is the language of DMN (chapter 10 of DMN 1.5), and of Camunda 8's BPMN files. An expression is in FEEL "
        "if it begins with `=`, or if its `expressionLanguage` or `language` says so. In decisions all are. It is "
        "compiled once, and runs under [the limits of all expressions](expressions.md#limits).",
        "The libraries on PyPI (pySFeel 1.4, bkflow-feel 1.2) were last released in 2022 and 2023; this one is the "
        "project's own.",
        "## The language\n\nAll of FEEL: arithmetic, comparisons, `between`, `in`, `instance of`, `and`, `or`, `if`, "
        "`for` (with `partial`), `some`, `every`, filters, paths, lists, contexts, ranges, at literals, `function`, "
        "calls by position and by name, unary tests with `?`, names with spaces and signs in them, comments. A name "
        "that no model declares may have spaces (`order total`); one with signs or words of the language in it is "
        "written in backticks: `` `net-price` ``. "
        f"Refused: `external` functions (Java, PMML), and expressions nested deeper than {DEPTH} levels.",
        f"Numbers are decimals of {DIGITS} digits. `and` and `or` know three truth values. What goes wrong is null, "
        "and null goes on, but for `assert`, which ends the evaluation. Where the null comes out of an expression of a "
        "process, what went wrong first is the error: the element or flow, the name, the values and their types. A "
        "condition that gives neither true nor false is an error too. A decision that gives null is no error; what "
        "went wrong is told with its result.",
        "## Values and process variables\n\n" + table(["variable", "in FEEL", "out again"], _INTO),
        "A text that holds a date stays text until `date(...)` reads it, or an input of a decision is declared to be "
        "a date. `now()` and `today()` are what the engine's clock showed when the step began. `uuid()` and "
        "`random number()` are drawn from the instance's id and the task at hand: unique and evenly spread, the same "
        "when the same task asks again (a retry, a resumption, a replay), and no secret from who knows the instance.",
        "## Types\n\nFor `instance of` and parameters: " + codes(sorted(SIMPLE)) + ", `list<...>`, `range<...>`, "
        "`context<name: ...>`, `function<...> -> ...`, `Null`, and the item definitions of a decision model.",
        "## Properties\n\n"
        + table(["of", "are"], [[kind_of(_SAMPLES[kind]), codes(names)] for kind, names in PROPERTIES.items()]),
        "## Functions\n\n`?` marks a parameter that may be left out, `...` one that takes all further arguments. "
        "A list of one item is taken for its item, and a value for a list of it, where the other is wanted. A process "
        "that calls a function of another name is refused with the names that look like it; in a decision such a call "
        "is null, as the standard has it, and a warning of `governor check`.",
        *functions,
        "Patterns are those of XPath, with the flags `s`, `m`, `i`, `x` and `q`; a search that takes half a "
        "second ends.",
    )
