"""What a designer works on: a file of one's own, or the versions of a deployed process."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, Protocol

from engine.errors import EngineError


class DeskError(EngineError):
    """What a designer wanted to read or write cannot be, now."""


class Overtaken(DeskError):
    """It was changed by somebody else since it was opened; nothing was written."""

    def __init__(self, name: str, opened: str, found: str) -> None:
        self.name, self.opened, self.found = name, opened, found
        super().__init__(f"{name} was changed by somebody else since it was opened here; nothing was written")


class NotSaved(DeskError):
    """It could not be written."""

    def __init__(self, name: str, reason: str) -> None:
        self.name, self.reason = name, reason
        super().__init__(f"{name} cannot be written: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A file as it stands. `tag` changes with its bytes. `address`: where it is found from now on, if elsewhere."""

    data: bytes
    address: str | None = None

    @property
    def tag(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed:
    """Who keeps it; where design time asked for it, why, and the hash of the changes that they looked at."""

    by: str
    reason: str | None = None
    seen: str | None = None


class Desk(Protocol):
    """`name` is what people call the file. `verb` says what keeping it means.

    A version is for everybody, so that only who deploys is held up by the interventions of design time.
    """

    @property
    def name(self) -> str: ...

    @property
    def verb(self) -> Literal["save", "deploy"]: ...

    def read(self) -> Draft:
        """As it stands now. Raises BpmnError."""
        ...

    def standing(self) -> bytes | None:
        """What changes are compared with; None: nothing stands there yet. Raises BpmnError."""
        ...

    def write(self, data: bytes, opened: str, agreed: Agreed) -> Draft:
        """Keep it, if what stands there still has the tag `opened`; all of it or nothing.

        Raises Overtaken, NotSaved, and what reading or deploying it raises.
        """
        ...

    def decisions(self) -> list[str]:
        """DMN files that its activities may ask."""
        ...

    def set_aside(self, data: bytes | None) -> None:
        """What is drawn and not kept yet, None: nothing."""
        ...
