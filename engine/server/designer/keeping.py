"""Keeps what was drawn: as little of the file changes as possible, and who deploys has seen what that means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bpmn.writer.spans import comments
from bpmn.writer.transfer import transferred
from engine.server.designer.desk import Agreed, Desk, DeskError, Draft, Overtaken
from engine.server.designer.looking import compare
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from governance.vocabulary import InteractionLevel

_MOST_NAMED: Final = 5


class NotAgreed(DeskError):
    """More is asked for than was given: somebody has to look, to approve, to put up with a loss, or it is refused.

    `needs` is "look", "approver", "reason", "loss", or "changes" where nobody can let it pass. `compared` is what to
    look at.
    """

    def __init__(self, needs: str, message: str, compared: dict[str, Any]) -> None:
        self.needs, self.compared = needs, compared
        super().__init__(message)


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
            self._require_agreement(data, drawing, person)
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

    def _require_agreement(self, data: bytes, drawing: Drawing, person: Person) -> None:
        """The levels of the human loop at design time."""
        compared = compare(data, self._desk)
        level = InteractionLevel(compared["review"]["level"])
        reasons = "; ".join(compared["review"]["reasons"][:_MOST_NAMED])
        if compared["errors"] or level is InteractionLevel.AUTO_DENY:
            raise NotAgreed("changes", f"this cannot be deployed: {reasons or 'it has errors'}", compared)
        if not level.blocks:
            return
        if drawing.seen != compared["seen"]:
            raise NotAgreed("look", f"somebody has to look at this first: {reasons}", compared)
        if level is InteractionLevel.EXPLICIT_APPROVAL:
            if not person.may(Role.APPROVER):
                raise NotAgreed("approver", f"somebody with the role approver has to deploy this: {reasons}", compared)
            if not (drawing.reason or "").strip():
                raise NotAgreed("reason", f"a reason is needed: {reasons}", compared)
