"""Which screen fits a stream."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from engine.cli.screen.plain import PlainScreen
from engine.cli.screen.port import Screen


def output() -> Screen:
    """For what was asked for: standard output."""
    return _screen(sys.stdout)


def messages() -> Screen:
    """For what is told on the way: standard error."""
    return _screen(sys.stderr)


def _screen(stream: TextIO) -> Screen:
    if not stream.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return PlainScreen(stream)
    # Costs 60 ms, which a script that reads the output need not pay.
    from engine.cli.screen.rich import RichScreen

    return RichScreen(stream)
