"""The rows at the bottom of a terminal: whatever happens, there is what went by, then the rows, and nothing else."""

from __future__ import annotations

import io
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cli.screen.region import Region, Row
from tests.engine.cli.emulator import Emulator

LEAST, MOST = 4, 40
texts = st.builds(lambda letter, size: letter * size + ".", st.sampled_from("abc"), st.integers(0, MOST))


@dataclass(frozen=True)
class Draw:
    rows: list[str]
    above: list[str]


@dataclass(frozen=True)
class Resize:
    width: int


@dataclass(frozen=True)
class Clear:
    above: list[str]


above = st.lists(texts, max_size=3)
steps = st.lists(
    st.one_of(
        st.builds(Draw, st.lists(texts, min_size=1, max_size=4), above),
        st.builds(Resize, st.integers(LEAST, MOST)),
        st.builds(Clear, above),
    ),
    max_size=20,
)


class Shown:
    """A region on an emulated terminal."""

    def __init__(self, width: int = 40) -> None:
        self.stream, self.terminal = io.StringIO(), Emulator(width, height=60)
        self.region = Region(self.stream)

    def draw(self, rows: list[str], *above: str) -> str:
        """What was written for it."""
        width = self.terminal.width
        cut = [Row(row[: width - 1], len(row[: width - 1])) for row in rows]
        self.region.draw(cut, width, "".join(f"{line}\n" for line in above))
        return self.flush()

    def flush(self) -> str:
        written = self.stream.getvalue()
        self.stream.truncate(0)
        self.stream.seek(0)
        self.terminal.write(written)
        return written


@settings(max_examples=200, deadline=None)
@given(steps)
def test_what_went_by_stays_and_the_rows_follow(steps: list[Draw | Resize | Clear]) -> None:
    shown, told = Shown(), list[str]()
    for step in steps:
        if isinstance(step, Resize):
            shown.terminal.resize(step.width)
            continue
        told += [line.rstrip() for line in step.above]
        if isinstance(step, Draw):
            shown.draw(step.rows, *step.above)
            rows = [row[: shown.terminal.width - 1].rstrip() for row in step.rows]
            assert shown.terminal.lines == [*told, *rows]
        else:
            shown.region.clear(shown.terminal.width, "".join(f"{line}\n" for line in step.above))
            shown.flush()
            assert shown.terminal.lines == [*told, ""]


def test_only_what_changed_is_written() -> None:
    shown = Shown()
    shown.draw(["headline", "working", "numbers"])
    written = shown.draw(["headline", "worked", "numbers"])
    assert "headline" not in written
    assert "worked" in written
    assert shown.draw(["headline", "worked", "numbers"]) == ""


def test_it_is_shown_at_once() -> None:
    written = Shown().draw(["a", "b"], "told")
    assert written.startswith("\x1b[?2026h")
    assert written.endswith("\x1b[?2026l")
