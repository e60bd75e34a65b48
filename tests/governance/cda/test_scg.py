"""The semantic context graph and its typed edges (Design: CDA, SCG)."""

from __future__ import annotations

from typing import Any

import pytest

from governance.cda.entry import Entry
from governance.cda.names import KnownNames, name_key, names_in
from governance.cda.scg import EdgeKind, SemanticContextGraph


def graph(*entries: dict[str, Any]) -> SemanticContextGraph:
    found = SemanticContextGraph()
    for number, fields in enumerate(entries):
        text = fields.pop("text", f"text {number}")
        found.add(
            Entry(id=f"e{number}", number=number, turn=number, message={"role": "user"}, text=text, tokens=1, **fields)
        )
    return found


def edges(found: SemanticContextGraph, number: int, kind: EdgeKind) -> set[int]:
    return {edge.to for edge in found.edges(number) if edge.kind is kind}


def test_entries_of_a_scope_follow_each_other() -> None:
    found = graph({"scope": "a"}, {"scope": "b"}, {"scope": "a"})
    assert edges(found, 2, EdgeKind.FOLLOWS) == {0}
    assert edges(found, 0, EdgeKind.FOLLOWS) == {2}
    assert edges(found, 1, EdgeKind.FOLLOWS) == set()


def test_a_result_is_because_of_its_call_and_of_what_the_caller_says() -> None:
    found = graph({"calls": frozenset({"c1"})}, {"calls": frozenset({"c1"})}, {"causes": ("e0", "unknown")})
    assert edges(found, 1, EdgeKind.BECAUSE) == {0}
    assert edges(found, 2, EdgeKind.BECAUSE) == {0}


def test_an_entry_refers_to_what_it_names_and_to_others_that_name_it() -> None:
    found = graph(
        {"text": "Orbit was made by Lena Gruber.", "scope": "1", "name": "orbit"},
        {"text": "She was born in Graz.", "scope": "2", "name": "lena gruber"},
        {"text": "A town. Another film of Lena Gruber is Tides.", "scope": "3", "name": "tides"},
    )
    assert edges(found, 0, EdgeKind.REFERS) == {1, 2}
    assert edges(found, 1, EdgeKind.REFERS) == {0, 2}


def test_a_name_that_many_share_links_nothing() -> None:
    found = graph(*({"text": f"Nadia said number {n}", "scope": str(n)} for n in range(12)))
    assert edges(found, 3, EdgeKind.REFERS) == set()


def test_a_speaker_of_very_many_entries_links_nothing() -> None:
    found = graph(
        *({"text": f"number {n}", "scope": str(n), "name": "nadia"} for n in range(40)), {"text": "I met Nadia"}
    )
    assert edges(found, 40, EdgeKind.REFERS) == set()


@pytest.mark.parametrize(
    ("second", "kind"),
    [
        ("The Graz warehouse opens at 8 on every working day of the week", EdgeKind.SIMILAR),
        ("The Graz warehouse opens at 9 on every working day of the week", EdgeKind.CONTRADICTS),
        ("The Graz warehouse does not open at 8 on every working day of the week", EdgeKind.CONTRADICTS),
    ],
)
def test_what_says_the_same_is_similar_and_with_another_value_contradicts(second: str, kind: EdgeKind) -> None:
    found = graph({"text": "The Graz warehouse opens at 8 on every working day of the week"}, {"text": second})
    assert edges(found, 1, kind) == {0}


def test_other_entries_are_neither() -> None:
    found = graph({"text": "The Graz warehouse opens at 8"}, {"text": "Lunch in Graz was very good indeed today"})
    assert not edges(found, 1, EdgeKind.SIMILAR) | edges(found, 1, EdgeKind.CONTRADICTS)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("She met Lena Gruber near Graz.", {"lena gruber", "graz"}),
        ("The University of Graz", {"university of graz", "university", "graz"}),
        ("Müller's ship, the Ålesund", {"muller", "alesund"}),
        ("nothing here. And there", set()),
        ("方向对齐", set()),
    ],
)
def test_names_are_runs_of_capitalised_words(text: str, names: set[str]) -> None:
    assert names_in(text) == names


def test_known_names_are_found_whatever_their_case() -> None:
    known = KnownNames()
    assert known.found_in("what did LENA GRUBER do in graz?") == set()
    for key in (name_key("Lena Grüber (director)"), "graz", "lena of the lake", ""):
        known.add(key)
    assert known.found_in("what did LENA GRUBER do in graz?") == {"lena gruber", "graz"}
    assert known.found_in("lena of the") == set()
