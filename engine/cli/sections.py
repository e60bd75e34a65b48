"""The commands of `governor --help`, under what they are for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

SECTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "Run processes": ("run", "resume", "retry", "message", "signal", "chat", "inbox", "tool"),
    "Look at runs": ("instances", "show", "report", "context", "incidents", "dead-ends", "knowledge", "skills"),
    "Files and policies": ("check", "policy", "design", "templates", "decide"),
    "Operate": (
        "serve", "worker", "workers", "suspend", "unsuspend", "cancel", "skip", "edit", "move", "migrate", "untaint",
    ),
    "Keep, prove, go back": (
        "audit", "evidence", "replay", "rewind", "export-log", "export", "import", "erase", "gc",
    ),
}  # fmt: skip
"""What a new command belongs under; one that stands nowhere is listed last."""

OTHERS: Final = "Others"


def in_sections(names: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Titles with those of `names` that stand under them, in their order; no title without a name."""
    left = dict.fromkeys(names)
    found = []
    for title, held in SECTIONS.items():
        found.append((title, [name for name in held if name in left]))
        for name in held:
            left.pop(name, None)
    found.append((OTHERS, list(left)))
    return [(title, held) for title, held in found if held]
