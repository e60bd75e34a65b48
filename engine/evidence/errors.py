"""Errors of evidence: keys, checkpoints, archives."""

from __future__ import annotations

from engine.errors import EngineError


class EvidenceError(EngineError):
    """Base of every error about evidence."""


class NoCryptography(EvidenceError):
    """Signing needs a library that is not installed."""

    def __init__(self) -> None:
        super().__init__("signatures need the extra `evidence`: pip install 'bpmn-governor[evidence]'")


class BadKey(EvidenceError):
    """A file that holds no key of the kind that is needed. What is in it is not told."""

    def __init__(self, file: str, found: str, wanted: str) -> None:
        self.file, self.found, self.wanted = file, found, wanted
        super().__init__(f"{file}: {found}; wanted is {wanted}")


class KeyExists(EvidenceError):
    """A key is never written over another file."""

    def __init__(self, file: str) -> None:
        self.file = file
        super().__init__(f"{file} is there already; give another name, for a lost key cannot be made again")


class BadCheckpoint(EvidenceError):
    """A file that is no checkpoint, or whose signature is not by the key."""

    def __init__(self, file: str, found: str) -> None:
        self.file, self.found = file, found
        super().__init__(f"{file}: {found}")


class BadArchive(EvidenceError):
    """A file that is no evidence archive, or one that is too large to be looked at."""

    def __init__(self, file: str, found: str) -> None:
        self.file, self.found = file, found
        super().__init__(f"{file}: {found}")
