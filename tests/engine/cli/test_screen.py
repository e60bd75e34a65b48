"""Screens: columns, marks, wrapping, and text that must not steer a terminal."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clean_text import clean, one_line
from engine.cli.screen.plain import PlainScreen
from engine.cli.screen.port import Style
from engine.cli.screen.rich import RichScreen
from engine.cli.telling.diffs import text_diff
from engine.cli.telling.gauge import gauge


def plain() -> tuple[PlainScreen, io.StringIO]:
    stream = io.StringIO()
    return PlainScreen(stream), stream


def on_terminal(monkeypatch: pytest.MonkeyPatch, columns: int = 40) -> tuple[RichScreen, io.StringIO]:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stream = io.StringIO()
    return RichScreen(stream), stream


@given(st.text())
def test_clean_text_has_no_control_characters(text: str) -> None:
    assert all(char in "\n\t" or char.isprintable() or not _steers(char) for char in clean(text))


def _steers(char: str) -> bool:
    import unicodedata

    return unicodedata.category(char) in ("Cc", "Cs") or unicodedata.bidirectional(char) in (
        ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    )


def test_control_characters_are_written_out() -> None:
    assert clean("a\x1b[31mred\r\nb\u202ec\ud800") == "a\\x1b[31mred\nb\\u202ec\\ud800"


@given(st.text(), st.integers(1, 20))
def test_one_line_is_one_line_of_at_most_the_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line


def test_a_table_is_aligned_and_fields_may_have_several_lines() -> None:
    screen, stream = plain()
    screen.table(["name", "value"], [[("a", Style.STRONG), [("one", Style.DIM), "\ntwo"]], ["longer", "3"]])
    assert stream.getvalue() == "NAME    VALUE\na       one\n        two\nlonger  3\n"


def test_an_item_has_a_label_and_a_depth() -> None:
    screen, stream = plain()
    screen.item(("D1", Style.GOVERNANCE), "text", depth=2)
    assert stream.getvalue() == "D1            text\n"


def test_a_diff_is_marked_in_plain_text_and_coloured_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    spans = text_diff("we pay 4 francs", "we pay 40 francs")
    screen, stream = plain()
    screen.line(*spans)
    assert stream.getvalue() == "we pay [-4-]{+40+} francs\n"
    rich, colours = on_terminal(monkeypatch)
    rich.line(*spans)
    assert "[-" not in colours.getvalue()
    assert "\x1b[" in colours.getvalue()


def test_a_diff_leaves_out_long_stretches_that_did_not_change() -> None:
    long = "same " * 100
    screen, stream = plain()
    screen.line(*text_diff(f"{long}old{long}", f"{long}new{long}"))
    text = stream.getvalue()
    assert "[-old-]{+new+}" in text.replace("[-oldsame-]{+newsame+}", "[-old-]{+new+}")
    assert len(text) < 250


def test_markup_in_text_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    rich, stream = on_terminal(monkeypatch)
    rich.line("[bold]not bold[/bold] :smile:")
    assert "[bold]not bold[/bold] :smile:" in stream.getvalue()


def test_an_item_is_wrapped_under_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rich, stream = on_terminal(monkeypatch, columns=30)
    rich.item("label", "some words that do not fit in one line", depth=1)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    assert lines == ["label       some words that do", "            not fit in one", "            line"]


@pytest.mark.parametrize(
    ("pressure", "bar", "look"),
    [
        (0.0, "░░░░░░░░░░   0%", Style.GOOD),
        (0.35, "████░░░░░░  35%", Style.GOOD),
        (0.6, "██████░░░░  60%", Style.WARN),
        (1.0, "██████████ 100%", Style.WARN),
        (1.51, "██████████ 151%", Style.BAD),
    ],
)
def test_a_gauge_is_full_at_the_threshold(pressure: float, bar: str, look: Style) -> None:
    spans = gauge(pressure)
    assert "".join(span if isinstance(span, str) else span[0] for span in spans) == bar
    assert spans[0][1] is look


def test_a_fact_is_wrapped_under_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rich, stream = on_terminal(monkeypatch, columns=24)
    rich.fact(("name", Style.STRONG), "words and " + "x" * 20, width=6)
    lines = [re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip() for line in stream.getvalue().splitlines()]
    assert lines == ["  name    words and", "          " + "x" * 14, "          " + "x" * 6]
    screen, text = plain()
    screen.fact("name", "words", width=6)
    assert text.getvalue() == "  name    words\n"


def test_where_a_table_is_narrow_every_column_is_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    rich, stream = on_terminal(monkeypatch, columns=30)
    rich.table(["name", "value", "where"], [["a long name", "what matters", "a place far away"]], flexible=1)
    told = " ".join(stream.getvalue().split())
    assert all(word in told for word in ("long", "what", "matters", "place", "away"))
    wide, more = on_terminal(monkeypatch, columns=80)
    wide.table(["name", "value", "where"], [["a long name", "what matters", "a place far away"]], flexible=1)
    assert "a long name  what matters  a place far away" in re.sub(r"\x1b\[[0-9;]*m", "", more.getvalue())
