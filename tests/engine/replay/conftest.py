"""A folder for each test of the command."""

from __future__ import annotations

from tests.engine.cli.conftest import folder

__all__ = ["folder"]
