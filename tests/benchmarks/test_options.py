"""A benchmark says what it can be asked for, and runs nothing for a word that it does not know."""

from __future__ import annotations

import pytest

from benchmarks.options import chosen, flags


def test_flags_are_those_that_were_given() -> None:
    assert flags("about", "--few", given=[]) == set()
    assert flags("about", "--few", given=["--few", "--json"]) == {"--few", "--json"}


def test_cases_are_those_that_were_named_else_the_usual_ones() -> None:
    assert list(chosen("about", ["a", "b", "c"], ["a", "b"], given=[])) == ["a", "b"]
    assert list(chosen("about", ["a", "b", "c"], ["a", "b"], given=["c"])) == ["c"]


@pytest.mark.parametrize(("given", "code", "told"), [(["--help"], 0, "about"), (["nope"], 2, "nope")])
def test_what_is_no_run_ends_before_one(
    given: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for ask in (lambda: flags("about", given=given), lambda: chosen("about", ["a"], ["a"], given=given)):
        with pytest.raises(SystemExit) as ended:
            ask()
        said = capsys.readouterr()
        assert ended.value.code == code
        assert told in said.out + said.err
