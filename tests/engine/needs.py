"""What a test needs besides the package: where it is not, the test is skipped with one line that says how to get it."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.engine.postgres import WHY_NOT, programs


def needs_psycopg() -> None:
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: pip install 'bpmn-governor[postgres]'")


def needs_postgresql() -> None:
    """A server to start, and the driver to reach it."""
    if programs() is None:
        pytest.skip(WHY_NOT)
    needs_psycopg()
