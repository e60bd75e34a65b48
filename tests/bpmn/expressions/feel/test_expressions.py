"""What expressions give: the language, by its constructs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.outside import Outside
from tests.bpmn.expressions.support import WHERE, evaluate

VARIABLES: dict[str, Any] = {
    "n": 7,
    "price": 19.99,
    "name": "Ada",
    "open": True,
    "order total": 120,
    "net-price": 4,
    "nothing": None,
    "order": {"total": 150.5, "customer": {"first name": "Ada"}, "items": [{"sku": "a", "n": 2}, {"sku": "b", "n": 5}]},
    "tags": ["x", "y", "z"],
}


def value(text: str) -> Any:
    return evaluate(f"= {text}", **VARIABLES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.1 + 0.2", 0.3),
        ("1 / 3 * 3 = 1", False),
        ("2 ** 3 ** 2", 64),
        ("-2 ** 2", 4),
        ("- -n", 7),
        ("10 - 2 - 3", 5),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("1234567890123456789012345678901234 + 1", 1234567890123456789012345678901235),
        ("12345678901234567890123456789012345 * 1", 12345678901234567890123456789012340),
        ("price * 2", 39.98),
        ("1.0", 1),
        ("1e3", 1000),
        (".5", 0.5),
        ('"a" + name', "aAda"),
        ('"\\u00e9\\t\\"\\d"', 'é\t"\\d'),
        ('"\\uD83D\\uDC0E"', "🐎"),
    ],
)
def test_arithmetic_and_literals(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n > 5", True),
        ("n = 7.0", True),
        ('name < "B"', True),
        ("n between 7 and 8", True),
        ("n in [1..7]", True),
        ("n in [1..7[", False),
        ("n in (7..9]", False),
        ("n in ]6..9)", True),
        ("n in (1, 7)", True),
        ("n in > 6", True),
        ("n in [< 3, > 6]", True),
        ("{big: > 6, r: n in big}.r", True),
        ("n in (< 3, > 6)", True),
        ("n in tags", False),
        ('"x" in tags', True),
        ("5 in [[1..3], [5..6]]", True),
        ("true and nothing", None),
        ("false and nothing", False),
        ("nothing or true", True),
        ("nothing = null", True),
        ("n != null", True),
        ("not(open)", False),
        ("open and n > 6 or nothing", True),
        ("[1, 2] = [1, 2]", True),
        ("{a: [1]} = {a: [2]}", False),
        ("(< 10) = (< 10)", True),
        ("[1..3] = (1..3]", False),
    ],
)
def test_comparisons_and_logic(text: str, expected: Any) -> None:
    assert evaluate(f"= [{text}]", **VARIABLES) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("order total + 1", 121),
        ("`net-price`", 4),
        ("order.customer.first name", "Ada"),
        ("order.items.sku", ["a", "b"]),
        ("order.items[n > 3].sku", ["b"]),
        ('order.items[item.sku = "a"].n', [2]),
        ("[[{a: 1}, {a: 2}], {a: 3}, 4].a", [[1, 2], 3, None]),
        ("tags[1]", "x"),
        ("tags[-1]", "z"),
        ("tags[n - 5]", "y"),
        ("name[1]", "Ada"),
        ("[1, 2, 3][item > 1]", [2, 3]),
        ("{a: 1, b: a + 1}.b", 2),
        ("{foo+bar: 3, c: foo + bar * 2}.c", 6),
        ("{a - b: 3, a: 9, b: 1, c: a-b, d: (a)-(b)}.c", 3),
        ("{a - b: 3, a: 9, b: 1, c: a-b, d: (a)-(b)}.d", 8),
        ("{f: function(a, b) b = null, r: f(a: 1)}.r", True),
        ("(function(a: number) a) instance of function<number> -> Any", True),
        ("(function(a: number) a) instance of function<string> -> Any", False),
        ("(function(a: list<Any>) a) instance of function<list<number>> -> Any", True),
        ("(function(a) a) instance of function<number, number> -> Any", False),
        ("{a: 1, b: 2} instance of context<a: number>", True),
        ("{b: 2} instance of context<a: number>", False),
        ('{"a b": 1}.a b', 1),
        ("if n > 5 then \"big\" else if n > 3 then \"mid\" else \"small\"", "big"),
        ("if nothing then 1 else 2", 2),
        ("for i in 1..3 return i * i", [1, 4, 9]),
        ("for i in 3..1 return i", [3, 2, 1]),
        ("for i in 1..2, j in [i, 10] return i * j", [1, 10, 4, 20]),
        ("for i in 1..4 return if i = 1 then 1 else partial[-1] * i", [1, 2, 6, 24]),
        ("for t in tags return upper case(t)", ["X", "Y", "Z"]),
        ('for d in @"2024-02-28"..@"2024-03-01" return d.day', [28, 29, 1]),
        ("some i in order.items satisfies i.n > 4", True),
        ("every i in order.items satisfies i.n > 4", False),
        ("some x in [1, 2], y in [2, 3] satisfies x = y", True),
        ("(function(a, b: number) a + b)(1, 2)", 3),
        ("{f: function(x) x * 2, r: f(x: 4)}.r", 8),
        ("{fact: function(k) if k < 2 then 1 else k * fact(k - 1), r: fact(10)}.r", 3628800),
        ("n instance of number", True),
        ("tags instance of list<string>", True),
        ("order instance of context<total: number, customer: context>", True),
        ("nothing instance of Any", False),
        ("[1..3] instance of range<number>", True),
        ("[1..3].start included", True),
        ("1 // one\n + /* two */ 2", 3),
    ],
)
def test_names_paths_and_loops(text: str, expected: Any) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('@"2024-01-31" + duration("P1M")', "2024-02-29"),
        ('@"2024-01-31" - @"2024-01-01"', "P30D"),
        ('@"2024-01-01" + @"PT36H"', "2024-01-02"),
        ('date and time("2024-01-01T10:00:00Z") + @"P1DT2H"', "2024-01-02T12:00:00Z"),
        ('@"2024-03-30T12:00:00@Europe/Paris" + @"P1D"', "2024-03-31T13:00:00+02:00"),
        ('@"2024-01-01T00:00:00+02:00" = @"2023-12-31T22:00:00Z"', True),
        ('@"2024-01-01T24:00:00"', "2024-01-02T00:00:00"),
        ('@"23:30:00" + @"PT1H"', "00:30:00"),
        ('@"P1Y" * 2.5', "P2Y6M"),
        ('@"P1D" / @"PT6H"', 4),
        ('years and months duration(@"2020-03-15", @"2024-03-14")', "P3Y11M"),
        ('date("-2024-02-29").year', -2024),
        ('string(date(999999999, 12, 31))', "999999999-12-31"),
        ('@"2024-05-17".weekday', 5),
        ('@"2024-05-17T10:20:30.5".second', 30.5),
        ('@"P1DT26H".hours', 2),
        ('time(10, 20, 30, @"-PT1H")', "10:20:30-01:00"),
        ('@"10:00:00" < @"10:30:00+05:00"', True),
        ('@"2024-01-01T10:00:00" = @"2024-01-01T10:00:00@Asia/Dhaka"', True),
        ('@"12:00:00" in [@"11:00:00"..@"13:00:00"]', True),
        ('string(@"2024-01-01T10:00:00@Asia/Dhaka")', "2024-01-01T10:00:00@Asia/Dhaka"),
        ('@"2024-01-01T10:00:00@Asia/Dhaka".time offset', "PT6H"),
        ('week of year(@"2021-01-01")', 53),
        ('day of year(@"2024-12-31")', 366),
    ],
)
def test_dates_times_and_durations(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_a_result_is_json_and_a_dictionary_in_is_not_changed() -> None:
    given = {"a": [1, 2.5, {"b": None}]}
    found = evaluate("= given", given=given)
    assert found == given
    assert found is not given


def test_names_are_what_the_expression_reads() -> None:
    text = "= for i in items return {x: i, y: x + fee}.y + sum(order total) + (function(z) z + q)(1)"
    assert compile_condition(text, where=WHERE).names == {"items", "fee", "order total", "q"}
    counted = compile_condition("= count > count(items)", where=WHERE)
    assert counted.names == {"count", "items"}
    assert counted.evaluate({"count": 2, "items": [1]}) is True


def test_the_clock_is_the_engines() -> None:
    program = compile_condition('= [string(now()), string(today() + @"P1D")]', where=WHERE)
    moment = datetime(2030, 1, 31, 9, 0, 0, 500_000, tzinfo=UTC)
    assert program.evaluate({}, outside=Outside(moment)) == ["2030-01-31T09:00:00.5Z", "2030-02-01"]


@pytest.mark.parametrize("condition", ["1", "null", '"true"', "[true]", "0 = null"])
def test_what_is_not_true_does_not_hold_in_an_if(condition: str) -> None:
    assert evaluate(f'= if {condition} then "then" else "else"') == "else"
