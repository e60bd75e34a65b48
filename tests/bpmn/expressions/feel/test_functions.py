"""The built-in functions: each at least once, and what they do at their edges."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from bpmn.expressions.compiler import compile_condition
from bpmn.expressions.errors import AssertionBroken, InvalidValue, LimitReached, UnknownFunction
from bpmn.expressions.feel.library.standard import FUNCTIONS
from bpmn.expressions.limits import Limits
from bpmn.expressions.outside import Outside
from bpmn.expressions.places import Where
from tests.bpmn.expressions.support import WHERE, evaluate

CASES: list[tuple[str, Any]] = [
    ('substring("foobar", 3)', "obar"),
    ('substring("foobar", -2, 1)', "a"),
    ('substring(string: "foobar", start position: 3, length: 3)', "oba"),
    ('string length("🐎😀")', 2),
    ('upper case("aß")', "ASS"),
    ('lower case("ABC")', "abc"),
    ('substring before("foobar", "bar")', "foo"),
    ('substring before("foobar", "x")', ""),
    ('substring after("foobar", "o")', "obar"),
    ('contains("foobar", "of")', False),
    ('starts with("foobar", "fo")', True),
    ('ends with("foobar", "r")', True),
    ('matches("foobar", "^fo*b")', True),
    ('matches("a\\nb", "a.b")', False),
    ('matches("a\\nb", "a.b", "s")', True),
    ('matches("x", "[a-z-[aeiou]]")', True),
    ('matches("e", "[a-z-[aeiou]]")', False),
    ('matches("é", "\\p{L}")', True),
    ('matches("a\\n", "a$")', False),
    ('matches("a.b", "a.b", "q")', True),
    ('replace("abcd", "(ab)|(c)", "[$1$2]")', "[ab][c]d"),
    ('replace("a1", "\\d", "\\$")', "a$"),
    ('replace("abc", "(b)", "$12")', "ab2c"),
    ('split("a;b;;", ";")', ["a", "b", "", ""]),
    ('string join(["a", null, "b"], "-")', "a-b"),
    ('string join(["a", "b"])', "ab"),
    ("decimal(1/3, 2)", 0.33),
    ("decimal(2.5, 0)", 2),
    ("decimal(1234, -2)", 1200),
    ("floor(-1.5)", -2),
    ("floor(1.56, 1)", 1.5),
    ("ceiling(1.5)", 2),
    ("round up(-5.5, 0)", -6),
    ("round down(5.5, 0)", 5),
    ("round half up(5.5, 0)", 6),
    ("round half down(5.5, 0)", 5),
    ("abs(-10)", 10),
    ('abs(@"-PT5H")', "PT5H"),
    ("modulo(-12, 5)", 3),
    ("modulo(10.1, 4.5)", 1.1),
    ("sqrt(16)", 4),
    ("log(exp(2)) = 2", True),
    ("exp(0)", 1),
    ("odd(-3)", True),
    ('cycle(@"PT10M")', "R/PT10M"),
    ('cycle(3, duration("P1DT12H"))', "R3/P1DT12H"),
    ('cycle(3, duration("P1Y2M"))', "R3/P1Y2M"),
    ('cycle(-1, duration("P1D"))', None),
    ('cycle(1.5, duration("P1D"))', None),
    ("even(2.5)", False),
    ("list contains([1, null], null)", True),
    ("count([])", 0),
    ("min([3, 1, 2])", 1),
    ('max("a", "c", "b")', "c"),
    ("sum(1, 2, 3.5)", 6.5),
    ('sum([@"PT1H", @"PT2H"])', "PT3H"),
    ("mean([1, 2, 3])", 2),
    ("product([2, 3, 4])", 24),
    ("median([6, 1, 2, 3])", 2.5),
    ("round half up(stddev(2, 4, 7, 5), 4)", 2.0817),
    ("mode([6, 3, 9, 6, 6, 3, 3])", [3, 6]),
    ("all([true, true])", True),
    ("any([])", False),
    ("sublist([1, 2, 3], 2)", [2, 3]),
    ("sublist([1, 2, 3], -2, 1)", [2]),
    ("append([1], 2, 3)", [1, 2, 3]),
    ("concatenate([1], [2], 3)", [1, 2, 3]),
    ("insert before([1, 3], 1, 2)", [2, 1, 3]),
    ("remove([1, 2, 3], -1)", [1, 2]),
    ("list replace([1, 2, 3], 2, 9)", [1, 9, 3]),
    ("list replace([1, 2, 3], function(item, newItem) item > 1, 9)", [1, 9, 9]),
    ("reverse([1, 2])", [2, 1]),
    ("index of([1, 2, 1], 1)", [1, 3]),
    ("union([1, 2], [2, 3])", [1, 2, 3]),
    ("distinct values([1, 1.0, \"a\", {x: 1}, {x: 1}, null, null])", [1, "a", {"x": 1}, None]),
    ("flatten([[1, [2]], [[[3]]]])", [1, 2, 3]),
    ("not(null)", None),
    ("sort([3, 1, 2])", [1, 2, 3]),
    ("sort([3, 1, 2], function(x, y) x > y)", [3, 2, 1]),
    ('number("1 000,5", " ", ",")', 1000.5),
    ('number("-1.5e2")', -150),
    ('string(1.50)', "1.5"),
    ('string([1, "a", null, {b c: true}, [1..2]])', '[1, "a", null, {b c: true}, [1..2]]'),
    ('date("2024-05-17")', "2024-05-17"),
    ("date(2024, 2, 29)", "2024-02-29"),
    ('date and time(date("2024-05-17"), time("10:00:00Z"))', "2024-05-17T10:00:00Z"),
    ('date and time("2024-05-17")', "2024-05-17T00:00:00"),
    ('time("10:00:00.123")', "10:00:00.123"),
    ('duration("P2DT100M")', "P2DT1H40M"),
    ('years and months duration(@"2011-12-22", @"2013-08-24")', "P1Y8M"),
    ('range("[1..3)")', "[1..3)"),
    ('range("[date(\\"2024-01-01\\")..@\\"2024-01-02\\"]").end', "2024-01-02"),
    ('day of year(@"2024-12-31")', 366),
    ('week of year(@"2021-01-01")', 53),
    ('day of week(@"2024-05-17")', "Friday"),
    ('month of year(@"2024-05-17T10:00:00")', "May"),
    ('is(@"23:00:50Z", @"23:00:50+00:00")', True),
    ('is(@"20:00:50+00:00", @"21:00:50+01:00")', False),
    ('get value({a: 1}, "a")', 1),
    ('get value({a: {b: 2}}, ["a", "b"])', 2),
    ("get entries({a: 1})", [{"key": "a", "value": 1}]),
    ('context([{key: "a", value: 1}])', {"a": 1}),
    ('context put({a: {b: 1}}, ["a", "c"], 2)', {"a": {"b": 1, "c": 2}}),
    ("context merge([{a: 1}, {a: 2, b: 3}])", {"a": 2, "b": 3}),
    ("before(1, [2..3])", True),
    ("before([1..2), [2..3])", True),
    ("after([5..6], 4)", True),
    ("meets([1..5], [5..10])", True),
    ("met by([5..10], [1..5])", True),
    ("overlaps([1..5], [5..8])", True),
    ("overlaps([1..5), [5..8])", False),
    ("overlaps before([1..5], [3..8])", True),
    ("overlaps before([1..5], [3..5])", True),
    ("overlaps after([3..8], [1..5])", True),
    ("finishes(10, [1..10])", True),
    ("finished by([1..10], [5..10])", True),
    ("includes([1..10], 5)", True),
    ("during([4..6], [1..10])", True),
    ("starts(1, [1..10])", True),
    ("started by([1..10], [1..5])", True),
    ("coincides([1..5], [1..5])", True),
    ("get or else(null, 3)", 3),
    ("is defined(null)", False),
    ("is empty([])", True),
    ('is blank(" ")', True),
    ('trim(" a ")', "a"),
    ('last day of month(@"2024-02-01")', "2024-02-29"),
    ('fromAi(1, "how many", "number")', 1),
    ("assert(2, 2 > 1)", 2),
    ('to base64("FEEL")', "RkVFTA=="),
    ('to base64("ü")', "w7w="),
    ("partition([1, 2, 3], 2)", [[1, 2], [3]]),
    ("partition([1, 2, 3], 0)", None),
    ("partition([1, 2, 3], 1.5)", None),
    ("partition([], 2)", []),
    ('duplicate values([1, 2, "1", 1.0, {a: 1}, null, {a: 1}, null, {a: 1}])', [1, {"a": 1}, None]),
    ('extract("references are 1234, 1256, 1378", "12[0-9]*")', ["1234", "1256"]),
    ('extract("abc", "(b)(c)")', ["bc"]),
    ('extract("abc", "x")', []),
    ('extract("abc", "(")', None),
    ('string join(["a", null, "b"], "-", "<", ">")', "<a-b>"),
    ('date and time(@"2020-07-31T14:27:30@Europe/Berlin", "America/Los_Angeles")', "2020-07-31T05:27:30-07:00"),
    ('string(date and time(@"2020-07-31T14:27:30.5+02:00", "Z"))', "2020-07-31T12:27:30.5Z"),
    ('string(date and time(@"2020-07-31T14:27:30Z", "-03:30"))', "2020-07-31T10:57:30-03:30"),
    ('date and time(@"2020-07-31T14:27:30Z", "Mars/Base")', None),
    ('date and time(@"2020-07-31T14:27:30Z", "+25:00")', None),
    ('string(date and time("2018-04-29T09:30:00+02:00[Europe/Berlin]"))', "2018-04-29T09:30:00@Europe/Berlin"),
    ('string(date and time("2018-04-29T07:30:00Z[Etc/UTC]"))', "2018-04-29T07:30:00@Etc/UTC"),
    ('date and time("2018-04-29T09:30:00[Europe/Berlin]")', None),
    ('date and time("2018-04-29T09:30:00+02:00[Mars/Base]")', None),
    ('from json("{\\"a\\": [1, 2.5, true, null]}")', {"a": [1, 2.5, True, None]}),
    ('from json("\\"2023-06-14\\"")', "2023-06-14"),
    ('from json("12345678901234567890") + 1', 12345678901234567891),
    ('from json("{a: 1}")', None),
    ('from json("NaN")', None),
    ('from json("1e99999")', None),
    ('to json({a: 1, "b c": [1.5, "ü", true, null]})', '{"a":1,"b c":[1.5,"ü",true,null]}'),
    ('to json([@"2025-11-24T10:00:00@Europe/Berlin", @"P3Y"])', '["2025-11-24T10:00:00+01:00[Europe/Berlin]","P3Y"]'),
    ("to json([function() 1])", None),
    ('put({a: 1}, "b", 2)', {"a": 1, "b": 2}),
    ("put all({a: 1, b: 1}, {b: 2})", {"a": 1, "b": 2}),
    ('context put({x: 1}, ["y", "z"], 2)', {"x": 1, "y": {"z": 2}}),
    ('context put({x: 1}, ["x", "z"], 2)', None),
    ('context put({x: 1}, [], 2)', None),
    ("round up(-5.5)", -6),
    ("round half down(5.5)", 5),
    ('get or else(no such variable, 1)', 1),
    ('is defined(no such variable.field)', False),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_function(text: str, expected: Any) -> None:
    assert evaluate(f"= [{text}]") == [expected]


def test_every_function_has_a_case() -> None:
    texts = "".join(text for text, _ in CASES)
    clock = {"now", "today", "uuid", "random number"}
    assert [name for name in FUNCTIONS if name not in clock and f"{name}(" not in texts] == []


@pytest.mark.parametrize(
    "text",
    [
        "abs()",
        "abs(1, 2)",
        'abs("1")',
        "abs(m: 1)",
        'matches("a", "(")',
        'matches("a", "a", "y")',
        'matches("a", "[")',
        'matches("a", "(.)\\2")',
        'number("1,000")',
        'number("x")',
        'number("1.0", ".", ".")',
        'date("2024-02-30")',
        'date("24-02-01")',
        "date(2024, 13, 1)",
        'time("25:00:00")',
        'duration("P")',
        'date and time("2024-01-01T10:00:00@Mars/Base")',
        "sublist([1], 2)",
        "sublist([1, 2], 1, 0)",
        'substring("foobar", 7)',
        'substring("foobar", 0)',
        "floor(1.5, null)",
        'time("T10:00:00")',
        'range("[2..1]")',
        "remove([1], 0)",
        'min([1, "a"])',
        "stddev([1])",
        "sqrt(-1)",
        "log(0)",
        "modulo(1, 0)",
        "1 / 0",
        "10 ** 10000",
        "round up(1, 6177)",
        'before([1..2], ["a".."b"])',
        'range("[1..")',
        'range("[f()..2]")',
        "context merge([1])",
        "{a: 1, a: 2}",
        'sort([1, "a"])',
    ],
)
def test_what_has_no_value_is_null(text: str) -> None:
    assert evaluate(f"= [{text}]") == [None]


def test_what_is_left_to_chance_is_drawn_from_the_seed() -> None:
    text = "= [uuid(), uuid(), random number(), random number()]"
    program = compile_condition(text, where=WHERE)
    one, again, other = (program.evaluate({}, outside=Outside(seed=seed)) for seed in ("a", "a", "b"))
    assert one == again
    assert len({*one, *other}) == 8
    assert all(str(UUID(each)) == each and UUID(each).version == 4 for each in (*one[:2], *other[:2]))
    elsewhere = compile_condition(text, where=Where("claims.bpmn", "other_flow", 42))
    assert not {*elsewhere.evaluate({}, outside=Outside(seed="a"))} & {*one}


def test_random_numbers_are_spread_evenly_from_0_below_1() -> None:
    program = compile_condition("= for i in 1..10000 return random number()", where=WHERE)
    drawn = program.evaluate({}, outside=Outside(seed="a"))
    assert all(0 <= each < 1 for each in drawn)
    tenths = [sum(1 for each in drawn if int(each * 10) == tenth) for tenth in range(10)]
    assert min(tenths) > 900
    assert max(tenths) < 1100
    assert len({*drawn}) == 10000


@pytest.mark.parametrize("text", ["= uuid()", "= random number()"])
def test_where_nothing_is_left_to_chance_that_is_told(text: str) -> None:
    with pytest.raises(InvalidValue, match="nothing is left to chance here"):
        evaluate(text)


@pytest.mark.parametrize(
    "text", ["assert(2, 2 > 3, cause)", "[assert(2, null, cause)]", "1 + get or else(assert(1, 1, cause), 3)"]
)
def test_what_is_asserted_and_does_not_hold_ends_the_evaluation(text: str) -> None:
    with pytest.raises(AssertionBroken, match="too small"):
        evaluate(f"= {text}", cause="too small")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("= uuidd()", "`uuidd`: there is no function uuidd; did you mean uuid"),
        ("= 1 + no such thing(1)", "`no such thing`: there is no function no such thing"),
        ("= orders[totl(item) > 1]", "there is no function totl"),
        ("= sort(orders, function(x, y) befor(x, y))", "there is no function befor; did you mean before"),
        ("= if false then String(1) else 2", "there is no function String; did you mean string"),
        ("=\n\n orders.Count(1) + Count(1)", r"claims\.bpmn:44: flow_3: `Count`: there is no function Count"),
    ],
)
def test_a_function_that_is_not_there_is_told_before_anything_runs(text: str, message: str) -> None:
    with pytest.raises(UnknownFunction, match=message):
        compile_condition(text, where=WHERE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("= {f: function(x) x + 1, y: f(1)}.y", 2),
        ("= (function(g) g(2))(function(x) x * 2)", 4),
        ("= for h in [function(x) x] return h(3)", [3]),
        ("= [{f: function(x) x}][f(1) = 1][1].f(5)", 5),
        ("= some k in [function() true] satisfies k()", True),
    ],
)
def test_functions_that_the_text_makes_are_known(text: str, value: Any) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize("text", ['extract("aaaaa", "a")', 'split("a-a-a-a-a", "-")', "append([1, 2, 3], 4, 5)"])
def test_no_list_is_longer_than_the_limit(text: str) -> None:
    assert len(evaluate(f"= {text}", Limits(items=5))) == 5
    with pytest.raises(LimitReached):
        evaluate(f"= {text}", Limits(items=4))
