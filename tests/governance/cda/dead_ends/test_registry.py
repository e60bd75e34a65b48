"""When an attempt is refused, told or let pass, and how a dead end ends (Design: CDA, dead ends)."""

from __future__ import annotations

import pytest

from governance.cda.dead_ends.errors import NotRetired, UnknownDeadEnd
from governance.cda.dead_ends.model import Attempt
from governance.cda.dead_ends.registry import DeadEndRegistry
from governance.errors import NotJson
from tests.governance.cda.dead_ends.attempts import at, fail, search
from tests.governance.cda.memories import WORDS


def test_the_same_attempt_in_the_same_state_is_refused_after_one_failure() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("Wallace and Gromit"), reason="no such page")
    match = registry.match(search("Wallace and Gromit"), at(1))
    assert (match.verdict, match.weight, match.similarity) == ("refused", 0.0, 1.0)
    assert match.told == "Tried: the tool search with query: Wallace and Gromit. Failed because: no such page."


def test_its_line_has_one_full_stop_behind_each_sentence() -> None:
    found = fail(DeadEndRegistry(), search("within 14 days."), reason="no such page.")
    told = found.model_copy(update={"alternative": "it was 8."}).line()
    assert told == (
        "Tried: the tool search with query: within 14 days. "
        "Failed because: no such page. What worked instead: it was 8."
    )
    assert found.model_copy(update={"reason": "wait..."}).line().endswith("Failed because: wait...")


@pytest.mark.parametrize(
    "other",
    [search("Wallace and Gromit", state="after an edit"), search("Wallace"), Attempt("tool:read", {"query": "x"}, "s")],
    ids=["state", "arguments", "tool"],
)
def test_another_state_tool_or_argument_is_no_repeat(other: Attempt) -> None:
    registry = DeadEndRegistry()
    fail(registry, search("Wallace and Gromit"))
    assert registry.match(other, at(1)).verdict == "none"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ({"q": "A  b"}, {"q": " a B "}, True),
        ({"q": "a", "page": None}, {"q": "a"}, True),
        ({"q": "a", "p": 1}, {"p": 1, "q": "a"}, True),
        ({"q": "\uff21"}, {"q": "a"}, True),
        ({"q": 1}, {"q": "1"}, False),
        ({"q": True}, {"q": 1}, False),
        ({"q": ["a", "b"]}, {"q": ["b", "a"]}, False),
        ({"q": "C++"}, {"q": "C"}, False),
        ({"q": "-5"}, {"q": "5"}, False),
    ],
)
def test_arguments_are_normalised_but_values_stay_different(
    first: dict[str, object], second: dict[str, object], same: bool
) -> None:
    registry = DeadEndRegistry()
    fail(registry, Attempt("tool:t", first))
    assert (registry.match(Attempt("tool:t", second), at()).verdict == "refused") is same


def test_nearly_the_same_is_refused_after_two_failures_within_a_week() -> None:
    registry = DeadEndRegistry()
    long = "the history of the settlement report of the payments house in the region, from the first to the last one"
    near = search(long + ".")
    fail(registry, search(long), 0)
    assert registry.match(near, at(1)).verdict == "told"
    fail(registry, search(long), 5)
    match = registry.match(near, at(6))
    assert (match.verdict, 0.95 <= match.similarity < 1.0) == ("refused", True)
    assert registry.match(near, at(7)).verdict == "refused", "seven days are within the week"
    assert registry.match(near, at(7.1)).verdict == "told", "the first failure is more than seven days old"


@pytest.mark.parametrize(("scope", "elsewhere"), [(None, "refused"), ("p", "none")])
def test_what_failed_in_another_process_counts_only_without_a_scope(scope: str | None, elsewhere: str) -> None:
    registry = DeadEndRegistry(scope=scope)
    for process in ("p", "q"):
        arguments = {"query": f"found in {process}"}
        fail(registry, Attempt("tool:search", arguments, "s", process, public=arguments))
    for process, other in (("p", "q"), ("q", "p")):
        arguments = {"query": f"found in {process}"}
        assert registry.match(Attempt("tool:search", arguments, "s", process), at()).verdict == "refused"
        assert registry.match(Attempt("tool:search", arguments, "s", other), at()).verdict == elsewhere


def test_much_like_it_is_told_and_counts_less() -> None:
    registry = DeadEndRegistry()
    for _ in range(3):
        fail(registry, search("Frank Sinatra discography of the sixties and seventies"))
    match = registry.match(search("Frank Sinatra discography of the sixties and seventies, songs"), at())
    assert (match.verdict, match.weight) == ("told", 0.5)
    assert 0.82 <= match.similarity < 0.95


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("status of order A-17 of the customer in Bern", "status of order A-18 of the customer in Bern"),
        ("transfer 1,000 to the account of the supplier", "transfer 10,000 to the account of the supplier"),
        ("the server does answer on the second port", "the server does not answer on the second port"),
    ],
)
def test_other_facts_are_never_refused_however_alike_the_words(first: str, second: str) -> None:
    registry = DeadEndRegistry()
    for _ in range(5):
        fail(registry, search(first))
    assert registry.match(search(second), at()).verdict != "refused"


def test_arguments_that_may_not_be_kept_are_compared_by_their_hash_alone() -> None:
    registry = DeadEndRegistry()
    secret = Attempt("tool:login", {"user": "ann", "password": "correct-horse"}, public={"user": "ann"})
    found = fail(registry, secret)
    stored = "".join(fact.model_dump_json() for fact in registry.drain())
    assert "correct-horse" not in stored
    assert found.text == "user: ann"
    assert registry.match(secret, at()).verdict == "refused"
    fail(registry, secret)
    other = Attempt("tool:login", {"user": "ann", "password": "battery-staple"}, public={"user": "ann"})
    assert registry.match(other, at()).verdict == "none"


def test_a_success_ends_what_it_matches_and_is_what_worked_instead() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("Gromit"))
    fail(registry, search("Wallace"))
    ended = registry.succeeded(search("Gromit"), at=at(1), session="i1", told="found by Gromit")
    assert [(each.status, each.ended_at) for each in ended] == [("worked", at(1))]
    assert registry.match(search("Gromit"), at(1)).verdict == "none"
    assert registry.match(search("Wallace"), at(1)).told.endswith("What worked instead: found by Gromit.")


def test_what_fails_again_after_it_worked_is_a_dead_end_again() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("Gromit"))
    registry.succeeded(search("Gromit"), at=at(1), session="i1")
    assert fail(registry, search("Gromit"), 2).frequency == 1
    assert registry.match(search("Gromit"), at(2)).verdict == "refused"


def test_a_person_retires_one_once() -> None:
    registry = DeadEndRegistry()
    found = fail(registry, search("Gromit"))
    ended = registry.retire(found.id, by="ann", at=at(1), reason="the index was rebuilt")
    assert (ended.status, ended.ended_by, ended.ended_why) == ("retired", "ann", "the index was rebuilt")
    assert registry.match(search("Gromit"), at(1)).verdict == "none"
    with pytest.raises(NotRetired, match="has ended already: retired"):
        registry.retire(found.id, by="ann", at=at(2))
    with pytest.raises(UnknownDeadEnd):
        registry.retire("0000", by="ann", at=at(2))


def test_an_old_one_no_longer_counts() -> None:
    registry = DeadEndRegistry()
    found = fail(registry, search("Gromit"), 0)
    assert registry.match(search("Gromit"), at(30)).verdict == "refused"
    assert registry.match(search("Gromit"), at(30.1)).verdict == "none"
    assert registry.status(found, at(31)) == "expired"
    assert fail(registry, search("Gromit"), 40).frequency == 2


def test_they_are_listed_by_session_the_most_frequent_first() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("once"), 3)
    for day in range(2):
        fail(registry, search("twice"), day)
    fail(registry, search("elsewhere"), session="i2")
    assert [each.text for each in registry.list(session="i1")] == ["query: twice", "query: once"]
    assert [each.text for each in registry.list(session="i1", top_k=1)] == ["query: twice"]
    assert len(registry.list()) == 3


def test_arguments_that_are_no_json_are_refused() -> None:
    with pytest.raises(NotJson):
        DeadEndRegistry().register(Attempt("tool:t", {"x": object()}), reason="", at=at(), source="tool")


def test_a_cold_start_is_told_of_none_that_has_ended() -> None:
    registry = DeadEndRegistry()
    for query in ("old", "retired", "worked"):
        fail(registry, search(query))
    fail(registry, search("active"), 25)
    registry.retire(registry.list()[-1].id, by="ann", at=at(1))
    registry.succeeded(search("worked"), at=at(1))
    assert [each.text for each in registry.hot(at(40), 9)] == ["query: active"]


def test_what_has_to_do_with_a_query_is_told_while_it_counts() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("the ledger of March"))
    assert [each.text for each in registry.about("ledger", at(30), top_k=5)] == ["query: the ledger of March"]
    assert registry.about("ledger", at(31), top_k=5) == []


def test_a_failure_that_is_only_somewhat_alike_does_not_help_to_refuse() -> None:
    words = [*WORDS, "shore", "tidal", "upland", "valley", "willow", "yarrow"]

    def changed(count: int) -> Attempt:
        return search(" ".join([*(f"other{chr(97 + at)}" for at in range(count)), *words[count:]]))

    registry = DeadEndRegistry()
    fail(registry, changed(3))
    assert registry.match(changed(0), at()).similarity == pytest.approx(0.82, abs=0.01)
    fail(registry, changed(1))
    found = registry.match(changed(0), at())
    assert (found.verdict, found.similarity >= 0.95) == ("told", True)
    fail(registry, changed(1))
    assert registry.match(changed(0), at()).verdict == "refused"


def test_the_first_that_worked_instead_is_told_and_nothing_is_written_for_later_ones() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("Wallace"))
    for day, query in ((1, "Gromit"), (2, "Shaun")):
        registry.drain()
        registry.succeeded(search(query), at=at(day), session="i1", told=f"found by {query}")
    assert [each.alternative for each in registry.list()] == ["found by Gromit"]
    assert registry.drain() == []


def test_what_worked_is_an_alternative_to_the_same_tool_alone() -> None:
    registry = DeadEndRegistry()
    fail(registry, search("Wallace"))
    fail(registry, Attempt("tool:delete", {"query": "Wallace"}, "s", public={"query": "Wallace"}))
    registry.succeeded(search("Gromit"), at=at(1), session="i1", told="found by Gromit")
    told = {each.signature.action: each.alternative for each in registry.list()}
    assert told == {"tool:search": "found by Gromit", "tool:delete": None}
