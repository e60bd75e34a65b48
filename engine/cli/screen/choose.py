"""Which screen fits a stream."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from engine.cli.screen.plain import PlainScreen
from engine.cli.screen.port import Screen

if TYPE_CHECKING:
    from engine.cli.screen.live import LiveScreen


def output(*, plain: bool = False) -> Screen:
    """For what was asked for: standard output."""
    return _screen(sys.stdout, plain)


def messages(*, plain: bool = False) -> Screen:
    """For what is told on the way: standard error."""
    return _screen(sys.stderr, plain)


def live_messages() -> LiveScreen | None:
    """The same with a panel beneath. None where that is no terminal that could draw one."""
    if not _draws(sys.stderr) or not (sys.stderr.encoding or "").lower().startswith("utf"):
        return None
    from engine.cli.screen.live import LiveScreen

    return LiveScreen(sys.stderr)


def _draws(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _screen(stream: TextIO, plain: bool) -> Screen:
    if plain or not _draws(stream):
        return PlainScreen(stream)
    # Costs 60 ms, which a script that reads the output need not pay.
    from engine.cli.screen.rich import RichScreen

    return RichScreen(stream)
