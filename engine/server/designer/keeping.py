"""Keeps what was drawn: as little of the file changes as possible, and who deploys has seen what that means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bpmn.writer.spans import comments
from bpmn.writer.transfer import transferred
from engine.people.agreement import Agreement, NotAgreed, require_agreement
from engine.server.designer.desk import Agreed, Desk, Draft, Overtaken
from engine.server.designer.looking import compare
from engine.server.identity.port import Person
from engine.server.identity.roles import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What comes from a designer. `xml` is what it writes now, `untouched` what it wrote before any change.

    `opened` is the tag of what it was opened from. `seen` names the comparison that was looked at, `reason` says why.
    `not_understood` is the number of parts of the file that a designer left out when it opened it; `may_lose`: they
    and comments may go where the file has to be written anew.
    """

    xml: str
    untouched: str
    opened: str
    seen: str | None = None
    reason: str | None = None
    not_understood: int = 0
    may_lose: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """`is_whole`: the file was written anew; otherwise only governance changed in it."""

    draft: Draft
    is_whole: bool


class Keeper:
    """Puts drawings where a desk keeps them."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def keep(self, drawing: Drawing, person: Person) -> Kept:
        """Raises BpmnError for what is no BPMN, Overtaken, NotSaved, and NotAgreed where it is to be deployed."""
        data, is_whole = self._written(drawing)
        if is_whole and not drawing.may_lose:
            self._refuse_loss(drawing)
        if self._desk.verb == "deploy":
            given = Agreement(
                by=person.name, may_approve=person.may(Role.APPROVER), seen=drawing.seen, reason=drawing.reason
            )
            require_agreement(compare(data, self._desk), given)
        agreed = Agreed(by=person.name, reason=drawing.reason, seen=drawing.seen)
        kept = self._desk.write(data, drawing.opened, agreed)
        return Kept(draft=kept, is_whole=is_whole)

    def _refuse_loss(self, drawing: Drawing) -> None:
        gone = [
            (drawing.not_understood, "that the designer does not understand"),
            (comments(self._desk.read().data), "that are comments"),
        ]
        told = " and ".join(f"{count} parts {what}" for count, what in gone if count)
        if told:
            raise NotAgreed("loss", f"the drawing changed, so that the file is written anew; lost are {told}", {})

    def compared(self, drawing: Drawing) -> dict[str, Any]:
        """What would change, see `compare`. Raises BpmnError and Overtaken."""
        return compare(self._written(drawing)[0], self._desk)

    def _written(self, drawing: Drawing) -> tuple[bytes, bool]:
        """The file as it would be, and whether it is written anew."""
        standing = self._desk.read()
        if standing.tag != drawing.opened:
            raise Overtaken(self._desk.name, drawing.opened, standing.tag)
        written = drawing.xml.encode()
        taken = transferred(standing.data, drawing.untouched.encode(), written, self._desk.name)
        return (written, True) if taken is None else (taken, False)
