"""Decision tables: cells, hit policies, aggregations, defaults, priorities."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bpmn.dmn.models import data, decide, decided, decision, definitions, item, table


def grades(policy: str = "", aggregation: str = "", **more: Any) -> bytes:
    rows = ["[1..5] => 10", "> 3 => 20", "(4..9) => 20"]
    logic = table(["n"], [""], rows, policy=policy, aggregation=aggregation, **more)
    return definitions(data("n"), decision("d", logic, ["n"]))


@pytest.mark.parametrize(
    ("policy", "aggregation", "n", "expected"),
    [
        ("", "", 2, 10),
        ("UNIQUE", "", 2, 10),
        ("UNIQUE", "", 5, None),
        ("UNIQUE", "", -1, None),
        ("FIRST", "", 5, 10),
        ("FIRST", "", -1, None),
        ("ANY", "", 7, 20),
        ("ANY", "", 5, None),
        ("PRIORITY", "", 5, 20),
        ("RULE ORDER", "", 5, [10, 20, 20]),
        ("OUTPUT ORDER", "", 5, [20, 20, 10]),
        ("COLLECT", "", 5, [10, 20, 20]),
        ("COLLECT", "", -1, []),
        ("COLLECT", "SUM", 5, 50),
        ("COLLECT", "MIN", 5, 10),
        ("COLLECT", "MAX", 5, 20),
        ("COLLECT", "COUNT", 5, 3),
        ("COLLECT", "COUNT", -1, 0),
        ("COLLECT", "SUM", -1, None),
    ],
)
def test_hit_policies(policy: str, aggregation: str, n: int, expected: Any) -> None:
    assert decide(grades(policy, aggregation, values="30, 20, 10"), "d", n=n) == expected


def test_why_a_table_gives_null_is_noted() -> None:
    [note] = decided(grades("UNIQUE"), "d", n=5).notes
    assert "3 rules match, and the hit policy is UNIQUE" in str(note)
    [note] = decided(grades("ANY"), "d", n=5).notes
    assert "different results" in str(note)


def test_several_outputs_are_a_context_and_defaults_hold_where_nothing_matches() -> None:
    source = definitions(
        data("n"), decision("d", table(["n"], ["a", "b"], ["1 => 10 | n + 1"], default='"none"'), ["n"])
    )
    assert decide(source, "d", n=1) == {"a": 10, "b": 2}
    assert decide(source, "d", n=2) == {"a": "none", "b": "none"}
    summed = table(["n"], ["a", "b"], ["1 => 10 | 1", "- => 5 | 2"], policy="COLLECT", aggregation="SUM")
    collected = definitions(data("n"), decision("d", summed, ["n"]))
    assert decide(collected, "d", n=1) == {"a": 15, "b": 3}


@pytest.mark.parametrize(
    ("cell", "matches"),
    [
        ('"a"', ["a"]),
        ('"a", "b"', ["a", "b"]),
        ('not("a", "b")', ["c", None]),
        ("-", ["a", "b", 1, "c", None, True, [1]]),
        ("", ["a", "b", 1, "c", None, True, [1]]),
        ("< 5", [1]),
        ("null", [None]),
        ("true", [True]),
        ("[1..2]", [1]),
        ("? in (1, 2)", [1]),
        ('string length(?) = 1 and ? != "b"', ["a", "c"]),
        ("[1]", [1, [1]]),
        ("list contains(?, 1)", [1, [1]]),
        ("limit", [1]),
        ("limit = 1", ["a", "b", 1, "c", None, True, [1]]),
        ("<= limit", [1]),
        ("= 1", [1]),
        ("!= 2", [1, None]),
    ],
)
def test_cells(cell: str, matches: list[Any]) -> None:
    rows = f"{cell} => true"
    source = definitions(data("x"), data("limit"), decision("d", table(["x"], [""], [rows]), ["x", "limit"]))
    tried = ["a", "b", 1, "c", None, True, [1]]
    assert [value for value in tried if decide(source, "d", x=value, limit=1) is True] == matches


def test_input_values_are_checked_and_priorities_are_the_types() -> None:
    checked = definitions(
        data("x"),
        decision(
            "d",
            '<decisionTable><input><inputExpression><text>x</text></inputExpression><inputValues><text>"a","b"</text>'
            "</inputValues></input><output/><rule><inputEntry><text>-</text></inputEntry><outputEntry><text>1</text>"
            "</outputEntry></rule></decisionTable>",
            ["x"],
        ),
    )
    assert decide(checked, "d", x="a") == 1
    assert decide(checked, "d", x="c") is None
    rows = ['- => "low"', '- => "high"', '- => "mid"']
    ordered = definitions(
        item("level", "string", allowed='"high", "mid", "low"'),
        decision("d", table(["1"], [""], rows, policy="PRIORITY"), type="level"),
        decision("e", table(["1"], [""], rows, policy="OUTPUT ORDER")),
    )
    assert decide(ordered, "d") == "high"
    assert decide(ordered, "e") == ["low", "high", "mid"]
