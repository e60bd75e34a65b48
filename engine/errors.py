"""Errors of the engine package."""

from __future__ import annotations


class EngineError(Exception):
    """Base of every error that the engine raises on purpose."""


class NotRunnable(EngineError):
    """An element that the engine does not run."""

    def __init__(self, file: str, element: str, line: int | None, found: str) -> None:
        self.file, self.element, self.line, self.found = file, element, line, found
        super().__init__(f"{file}:{line or '?'}: {element}: {found} is not run by this engine")
