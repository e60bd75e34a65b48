"""JSON on standard output."""

from __future__ import annotations

import sys
from typing import Any

from engine.json_text import pretty


def print_json(document: Any) -> None:
    """One document, indented, and nothing else on its lines."""
    sys.stdout.write(f"{pretty(document)}\n")
    sys.stdout.flush()
