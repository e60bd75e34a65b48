"""What somebody sees of a run while it goes: lines, and on a terminal a panel beneath them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.cli.screen.choose import live_messages, messages
from engine.cli.screen.port import Screen
from engine.cli.telling.progress import Progress
from engine.events import Event
from engine.names import Names
from engine.people.given import Answerer, Decided, Done
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention

if TYPE_CHECKING:
    from engine.activities.work import Work
    from engine.cli.screen.live import LiveScreen
    from engine.cli.telling.panel import RunPanel


class Watching:
    """Hears the events of a run and tells them. `silent`: it tells nothing; `plain`: lines alone, without colours."""

    def __init__(self, *, silent: bool, plain: bool) -> None:
        self._live: LiveScreen | None = None if silent or plain else live_messages()
        self.screen: Screen = self._live or messages(plain=plain)
        self._progress = Progress(self.screen)
        self._panel = None if self._live is None else _panel()
        self.listener: Callable[[Event], None] | None = None if silent else _UntilItBreaks(self._hear)

    def hear(self, work: Work) -> Callable[[str], None] | None:
        """What an activity's model says as it comes: it goes by in the panel. Nobody hears it without one."""
        return None if self._panel is None else self._panel.say

    def meet(self, names: Names) -> None:
        """Use the names of the definition from now on."""
        self._progress.names = names
        if self._panel is not None:
            self._panel.names = names

    @contextmanager
    def going(self, before: Callable[[], Iterable[Event]] = tuple) -> Iterator[None]:
        """While the run goes, for a `with` statement. `before` gives what happened to the instance until now."""
        if self._live is None or self._panel is None:
            yield
            return
        for event in before():
            self._panel(event)
        with self._live.showing(self._panel.lines):
            yield

    def by(self, answerer: Answerer) -> Answerer:
        """The same for an answerer who uses the screen: the panel gives way to questions and comes back."""
        return answerer if self._live is None else _GivenWay(answerer, self._live)

    def _hear(self, event: Event) -> None:
        if self._panel is not None:
            self._panel(event)
        self._progress(event)


class _GivenWay:
    """An answerer who has the screen while somebody is asked."""

    def __init__(self, answerer: Answerer, screen: LiveScreen) -> None:
        self._answerer, self._screen = answerer, screen

    def do(self, item: WorkItem) -> Done | None:
        with self._screen.away():
            return self._answerer.do(item)

    def decide(self, asked: Intervention) -> Decided | None:
        with self._screen.away():
            return self._answerer.decide(asked)

    def late(self, error: Exception) -> None:
        self._answerer.late(error)

    def refused(self, error: Exception) -> None:
        self._answerer.refused(error)


class _UntilItBreaks:
    """A listener that falls silent when nobody reads any more; the run goes on."""

    def __init__(self, listener: Callable[[Event], None]) -> None:
        self._listener: Callable[[Event], None] | None = listener

    def __call__(self, event: Event) -> None:
        if self._listener is None:
            return
        try:
            self._listener(event)
        except OSError:
            self._listener = None


def _panel() -> RunPanel:
    # Only a run that a person watches pays for it.
    from engine.cli.telling.panel import RunPanel
    from engine.cli.telling.path import Path

    return RunPanel(Path(time.monotonic))
