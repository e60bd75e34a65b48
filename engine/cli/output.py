"""JSON on standard output, and nothing else there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, Final

from engine.json_text import pretty

_STDOUT: Final = 1
_STDERR: Final = 2


def print_json(document: Any) -> None:
    """One document, indented, and nothing else on its lines."""
    sys.stdout.write(f"{pretty(document)}\n")
    sys.stdout.flush()


@contextmanager
def others_print_to_stderr() -> Iterator[None]:
    """What is printed meanwhile, by handlers or by programs they start, goes to standard error."""
    sys.stdout.flush()
    ours = os.dup(_STDOUT)
    try:
        os.dup2(_STDERR, _STDOUT)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(ours, _STDOUT)
        os.close(ours)
