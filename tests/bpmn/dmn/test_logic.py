"""Boxed expressions, requirements, functions, services, types, imports."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.dmn.errors import AmbiguousDecision, UnknownDecision, WrongDecision
from bpmn.expressions.errors import LimitReached
from tests.bpmn.dmn.models import (
    DMN,
    data,
    decide,
    decided,
    decision,
    definitions,
    item,
    knowledge,
    literal,
    loaded,
    table,
    variable,
)


def one(logic: str, **variables: Any) -> Any:
    return decide(definitions(*map(data, variables), decision("d", logic, variables)), "d", **variables)


def entry(name: str, logic: str, type: str = "") -> str:
    return f"<contextEntry>{variable(name, type) if name else ''}{logic}</contextEntry>"


THEN = f"<then>{literal('1')}</then><else>{literal('2')}</else>"
ABOVE = f"<satisfies>{literal('i > n')}</satisfies>"
PLUS = f'<functionDefinition><formalParameter name="x"/>{literal("x + n")}</functionDefinition>'
INVOKED = f'<invocation>{literal("f")}<binding><parameter name="x"/>{literal("2")}</binding></invocation>'


@pytest.mark.parametrize(
    ("logic", "expected"),
    [
        (literal("1 + 1"), 2),
        ("", None),
        (f"<list>{literal('1')}{literal('n')}</list>", [1, 4]),
        (f"<context>{entry('a b', literal('2'))}{entry('c', literal('a b + n'))}</context>", {"a b": 2, "c": 6}),
        (f"<context>{entry('a', literal('2'))}{entry('', literal('a * n'))}</context>", 8),
        (
            '<relation><column name="x"/><column name="y z"/>'
            f"<row>{literal('1')}{literal('2')}</row><row>{literal('n')}{literal('null')}</row></relation>",
            [{"x": 1, "y z": 2}, {"x": 4, "y z": None}],
        ),
        (f"<conditional><if>{literal('n > 3')}</if>{THEN}</conditional>", 1),
        (f"<conditional><if>{literal('n < 3')}</if>{THEN}</conditional>", 2),
        (f"<conditional><if>{literal('n')}</if>{THEN}</conditional>", None),
        (f"<filter><in>{literal('[1, 5, 9]')}</in><match>{literal('item > n')}</match></filter>", [5, 9]),
        (f'<for iteratorVariable="i"><in>{literal("[1, 2]")}</in><return>{literal("i * n")}</return></for>', [4, 8]),
        (f'<some iteratorVariable="i"><in>{literal("[1, 9]")}</in>{ABOVE}</some>', True),
        (f'<every iteratorVariable="i"><in>{literal("[1, 9]")}</in>{ABOVE}</every>', False),
        (f"<context>{entry('f', PLUS)}{entry('', INVOKED)}</context>", 6),
    ],
)
def test_boxed_expressions(logic: str, expected: Any) -> None:
    assert one(logic, n=4) == expected


LENDING = definitions(
    item("applicant", parts={"monthly income": "number", "age": "number"}),
    item("rating", "string", allowed='"good", "bad"'),
    data("the applicant", "applicant"),
    data("rent", "number"),
    decision(
        "disposable income", literal("spare(the applicant.monthly income, rent)"), ["the_applicant", "rent"], ["spare"]
    ),
    knowledge("spare", {"income": "number", "costs": "number"}, literal("taxed(income) - costs"), ["taxed"]),
    knowledge("taxed", {"sum": "number"}, literal("sum * 0.8")),
    decision(
        "rating",
        table(["disposable income"], [""], ['>= 1000 => "good"', '[0..1000) => "bad"', '< 0 => "ugly"']),
        ["!disposable_income"],
        type="rating",
    ),
)


def test_requirements_and_knowledge() -> None:
    who = {"monthly income": 2000, "age": 30}
    assert decide(LENDING, "rating", **{"the applicant": who, "rent": 500}) == "good"
    assert decide(LENDING, "rating", **{"the applicant": who, "rent": 1000.5}) == "bad"
    found = decided(LENDING, "rating", **{"the applicant": who, "rent": 9999})
    assert found.json is None
    assert "a value of type rating" in str(found.notes[-1])


def test_types_of_inputs_are_checked_and_dates_are_read() -> None:
    found = decided(LENDING, "rating", **{"the applicant": {"monthly income": "much"}, "rent": 500})
    assert found.json is None
    assert "rules.dmn" in str(found.notes[0])
    assert "a value of type applicant" in str(found.notes[0])
    dated = definitions(
        item("order", parts={"due": "date", "at": "time"}), data("o", "order"), data("many", "orders"),
        item("orders", "order", many=True), data("long", "days and time duration"),
        decision("d", literal("[o.due.year, o.at.hour, many[1].due + @\"P1D\", long.hours]"), ["o", "many", "long"]),
    )  # fmt: skip
    order = {"due": "2024-02-29", "at": "10:30:00"}
    assert decide(dated, "d", o=order, many=[order], long="PT3H") == [2024, 10, "2024-03-01", 3]
    assert decide(dated, "d", o=order, many=order, long="PT3H")[2] == "2024-03-01"


def test_only_what_is_required_is_seen() -> None:
    source = definitions(data("a"), data("b"), decision("d", literal("[a, b]"), ["a"]))
    assert decide(source, "d", a=1, b=2) == [1, None]
    without_inputs = definitions(decision("d", literal("a + 1")))
    assert decide(without_inputs, "d", a=1) == 2


def test_a_decision_service_is_a_function_and_can_be_asked() -> None:
    service = (
        '<decisionService id="s" name="both">' + variable("both")
        + '<outputDecision href="#sum"/><outputDecision href="#twice"/><inputDecision href="#base"/>'
        '<inputData href="#a"/></decisionService>'
    )
    source = definitions(
        data("a"), decision("base", literal("1")), decision("sum", literal("a + base"), ["a", "!base"]),
        decision("twice", literal("base * 2"), ["!base"]), service,
        decision("caller", literal("both(5, 7).sum + both(a: 1, base: 2).twice"), ["a"], ["s"]),
    )  # fmt: skip
    assert decide(source, "both", a=1, base=10) == {"sum": 11, "twice": 20}
    assert decide(source, "s", a=1) == {"sum": 2, "twice": 2}
    assert decide(source, "caller", a=100) == 16
    assert decide(source, "sum", a=1) == 2


def test_imports_stand_behind_their_name() -> None:
    base = definitions(
        item("kind", "string", allowed='"x"'), data("who"), decision("hello", literal('"Hello " + who'), ["who"]),
        knowledge("loud", {"s": ""}, literal("upper case(s)")), namespace="urn:base",
    )  # fmt: skip
    imported = f'<import name="base model" namespace="urn:base" importType="{DMN}"/>'
    using = definitions(
        imported, data("k", "base model.kind"),
        decision("d", literal("base model.loud(base model.hello) + k"), ["!urn:base#hello", "k"], ["urn:base#loud"]),
    )  # fmt: skip
    both = {"using.dmn": using, "base.dmn": base}
    assert decide(both, "d", who="Ada", k="x") == "HELLO ADAx"
    assert decide(both, "d", **{"base model": {"who": "Bob"}, "k": "x"}) == "HELLO BOBx"
    assert decide(both, "d", who="Ada", k="y") is None
    [finding] = [each for each in loaded(using).findings() if each.rule == "decision-import"]
    assert "the imported model base model is not among the files" in finding.message


def test_recursion_ends_and_circles_are_errors() -> None:
    source = definitions(
        knowledge("fact", {"n": "number"}, literal("if n < 2 then 1 else n * fact(n - 1)")),
        knowledge("forever", {"n": "number"}, literal("forever(n + 1)")),
        decision("d", literal("fact(10)"), knows=["fact"]),
        decision("e", literal("forever(1)"), knows=["forever"]),
        decision("f", literal("g"), ["!g"]),
        decision("g", literal("f"), ["!f"]),
    )
    assert decide(source, "d") == 3628800
    with pytest.raises(LimitReached):
        decide(source, "e")
    with pytest.raises(WrongDecision, match=r"requires itself"):
        decide(source, "f")
    assert {each.element for each in loaded(source).findings()} == {"f", "g"}


def test_a_long_chain_of_decisions_is_no_recursion() -> None:
    chain = [decision("d0", literal("0"))]
    chain += [decision(f"d{n}", literal(f"d{n - 1} + 1"), [f"!d{n - 1}"]) for n in range(1, 3000)]
    assert decide(definitions(*chain), "d2999") == 2999


def test_a_decision_is_found_by_id_or_name_or_missed_with_a_hint() -> None:
    source = definitions(decision("risk class", literal("1")))
    assert decide(source, "risk_class") == decide(source, "risk class") == 1
    with pytest.raises(UnknownDecision, match="did you mean risk_class") as caught:
        decide(source, "risk_clas")
    assert caught.value.known == ("risk class", "risk_class")
    same_namespace = {"a.dmn": source, "b.dmn": definitions(decision("other", literal("risk")), decision("risk"))}
    assert decide(same_namespace, "risk_class") == 1
    assert decide(same_namespace, "other", risk=5) == 5
    with pytest.raises(AmbiguousDecision, match=r"a.dmn, b.dmn"):
        decide({"a.dmn": source, "b.dmn": source.replace(b"urn:rules", b"urn:other")}, "risk_class")


def test_types_of_feel_and_of_results() -> None:
    source = definitions(
        data("n", "list<number>"),
        knowledge("k", {"x": "number"}, literal('if x > 1 then x else "none"'), type="number"),
        decision("d", literal("[n, k(2), k(1)]"), ["n"], ["k"]),
        '<decisionService id="s" name="s"><variable name="s" typeRef="string"/><outputDecision href="#d"/>'
        "</decisionService>",
    )
    assert decide(source, "d", n=[1]) == [[1], 2, None]
    assert decide(source, "d", n=["x"]) == [None, 2, None]
    assert decide(source, "s", n=[1]) is None


def test_a_context_has_all_that_its_type_says_but_an_input_may_leave_it_out() -> None:
    source = definitions(
        item("pair", parts={"a": "number", "b": "number"}), data("p", "pair"),
        decision("given", literal("p"), ["p"]), decision("made", literal("{a: 1}"), type="pair"),
        decision("more", literal("{a: 1, b: null, c: 3}"), type="pair"),
    )  # fmt: skip
    assert decide(source, "given", p={"a": 1}) == {"a": 1, "b": None}
    assert decide(source, "made") is None
    assert decide(source, "more") == {"a": 1, "b": None, "c": 3}


def test_names_are_known_with_any_white_space() -> None:
    source = definitions(data("net  -\n price"), decision("d", literal("net-price + net - price"), ["net__-\n_price"]))
    assert decide(source, "d", **{"net - price": 2}) == 4


def test_knowledge_can_be_asked_and_names_may_have_any_sign() -> None:
    source = definitions(
        knowledge("k", {"when": "date", "R&D %": "number"}, literal("when.year + R&D %"), type="number"),
        data("x/y"), decision("d", literal("x/y * 2"), ["x/y"]),
    )  # fmt: skip
    source = source.replace(b'name="R&D %"', b'name="R&amp;D %"')
    assert decide(source, "k", **{"when": "2024-02-29", "R&D %": 6}) == 2030
    assert decide(source, "k", when="2024-02-29") is None
    assert decide(source, "d", **{"x/y": 4}) == 8


def test_a_type_that_is_itself_is_an_error_and_one_that_holds_itself_is_none() -> None:
    wrong = definitions(item("a", "b"), item("b", "a"), data("x", "a"), decision("d", literal("x"), ["x"]))
    with pytest.raises(WrongDecision, match="defined by itself"):
        decide(wrong, "d", x=1)
    tree = definitions(
        item("tree", parts={"n": "number", "below": "forest"}), item("forest", "tree", many=True),
        data("x", "tree"), decision("d", literal("x.below[1].n"), ["x"]),
    )  # fmt: skip
    assert decide(tree, "d", x={"n": 1, "below": [{"n": 2, "below": []}]}) == 2
    assert decide(tree, "d", x={"n": 1, "below": [{"n": "2"}]}) is None
