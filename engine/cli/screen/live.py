"""A terminal on which a panel stands beneath the lines, and changes while they go by."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from threading import Event, RLock, Thread
from typing import Any, Final, TextIO, TypeAlias, cast

from rich.console import RenderableType

from engine.cli.screen.port import Span
from engine.cli.screen.region import Region, Row
from engine.cli.screen.rich import RichScreen, styled

Panel: TypeAlias = Callable[[int, int], Sequence[Sequence[Span]]]
"""The lines of a panel for so many columns and at most so many rows; each is cut where the terminal ends."""

_INTERVAL: Final = 0.1
"""Seconds between two drawings."""
_LEAST_ROWS: Final = 2


class LiveScreen(RichScreen):
    """A `Screen` that can have a panel. A thread draws it; what is told meanwhile goes by above it."""

    def __init__(self, stream: TextIO, interval: float = _INTERVAL) -> None:
        super().__init__(stream)
        self._region, self._interval = Region(stream), interval
        self._lock = RLock()
        self._panel: Panel | None = None
        self._told: list[str] = []

    @contextmanager
    def showing(self, panel: Panel) -> Iterator[None]:
        """Show the panel until the end of a `with` statement; the lines that were told stay."""
        done = Event()
        drawing = Thread(target=self._keep_drawing, args=(done,), daemon=True)
        with ExitStack() as undo:
            undo.callback(self._leave)
            for stream, redirect in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
                if stream.isatty():
                    # What the code of a process prints would end up in the middle of the panel.
                    aside = _Aside(stream, self)
                    undo.enter_context(redirect(cast(TextIO, aside)))
                    undo.callback(aside.finish)
            self._panel = panel
            drawing.start()
            undo.callback(drawing.join)
            undo.callback(done.set)
            yield

    @contextmanager
    def away(self) -> Iterator[None]:
        """Without the panel during a `with` statement, for somebody who is asked."""
        panel = self._panel
        self._leave()
        try:
            yield
        finally:
            self._panel = panel

    @property
    def has_panel(self) -> bool:
        return self._panel is not None

    def pass_by(self, lines: str) -> None:
        """Text of whole lines, as it is, for the next drawing."""
        with self._lock:
            self._told.append(lines)

    def draw(self) -> None:
        """Bring the screen up to date. Raises OSError where the terminal has gone."""
        with self._lock:
            if self._panel is None:
                return
            width, height = self._console.size
            rows = [self._row(line, width) for line in self._panel(width, max(height // 2, _LEAST_ROWS))]
            self._region.draw(rows[: height - 1], width, self._take())

    def _print(self, renderable: RenderableType) -> None:
        with self._lock:
            if self._panel is None:
                super()._print(renderable)
                return
        with self._console.capture() as captured:
            super()._print(renderable)
        self.pass_by(captured.get())

    def _take(self) -> str:
        """What was told since the last drawing."""
        told, self._told = "".join(self._told), []
        return told

    def _leave(self) -> None:
        with self._lock:
            self._panel = None
            self._region.clear(self._console.size.width, self._take())

    def _keep_drawing(self, done: Event) -> None:
        try:
            while not done.wait(self._interval):
                self.draw()
        except OSError:
            return

    def _row(self, line: Sequence[Span], width: int) -> Row:
        text = styled(list(line))
        text.truncate(width - 1, overflow="ellipsis")
        with self._console.capture() as captured:
            self._console.print(text, end="", no_wrap=True, crop=False)
        return Row(captured.get(), text.cell_len)


class _Aside:
    """What stands for a stream of the terminal: its lines go by above the panel while there is one.

    What is not a whole line yet waits for the rest of it.
    """

    def __init__(self, stream: TextIO, screen: LiveScreen) -> None:
        self._stream, self._screen, self._begun = stream, screen, ""

    def write(self, text: str) -> int:
        if not self._screen.has_panel:
            return self._stream.write(text)
        whole, newline, self._begun = (self._begun + text).rpartition("\n")
        if newline:
            self._screen.pass_by(whole + newline)
        return len(text)

    def flush(self) -> None:
        if not self._screen.has_panel:
            self._stream.flush()

    def finish(self) -> None:
        """End a line that was begun."""
        if self._begun:
            self.write("\n")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
