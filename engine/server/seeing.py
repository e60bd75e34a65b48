"""Who sees what policies call personal: whoever has a task or a question, in that; who may, if they say so.

Everybody else looks at instances through a Governor that masks it. To look without is on record.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, cast

from fastapi import Depends, Query, Request

from engine.governor import Governor
from engine.operations.operating import KIND, asked_for
from engine.people.work_item import WorkItem
from engine.personal.masked_store import MaskedStore
from engine.result import RunResult
from engine.server.identity.errors import RoleNeeded, SignInNeeded
from engine.server.identity.guard import person_of
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.store.errors import UnknownTask
from governance.human_loop.intervention import Intervention
from governance.human_loop.rights import objection_to

UNMASKED: Final = "unmasked"
"""In the state of a request: somebody looked without masks, which is to be written down."""


class Seeing:
    """One server's ways to look. `governor` sees everything, `masked` what everybody may."""

    def __init__(self, governor: Governor) -> None:
        self.governor, self.masked = governor, governor.masked()
        self._store = cast(MaskedStore, self.masked.store)

    def result(self, result: RunResult) -> RunResult:
        """What a move came to, for whoever made it."""
        return self.masked.result(result.instance) if self._store.masker(result.instance).masks else result

    def told(self, instance: str, value: Any) -> Any:
        """JSON about an instance. Raises UnknownInstance."""
        return self._store.as_told(instance, value)

    def task(self, id: str, person: Person) -> WorkItem:
        """A task, whole for who may do it. Raises UnknownTask."""
        item = self.governor.store.work_item(id)
        own = item.status == "open" and person.may(Role.APPROVER) and item.is_for(person.name, person.roles)
        return item if own else self.masked.store.work_item(id)

    def question(self, id: str, person: Person) -> Intervention:
        """A question, whole for who may answer it. Raises UnknownTask."""
        asked = self.governor.store.intervention(id)
        own = asked.status == "open" and person.may(Role.APPROVER) and not self._objection(asked, person)
        return asked if own else self.masked.store.intervention(id)

    def unmasked(self, request: Request) -> None:
        """Have it written down that somebody looks without masks."""
        setattr(request.state, UNMASKED, True)

    def waiting(self, id: str, person: Person) -> WorkItem | Intervention:
        """A task or a question, as above. Raises UnknownTask."""
        try:
            return self.question(id, person)
        except UnknownTask:
            return self.task(id, person)

    def _objection(self, asked: Intervention, person: Person) -> str | None:
        by_operator = asked.kind == KIND
        starter = asked_for(asked).by if by_operator else self.governor.store.instance(asked.instance).starter
        return objection_to(asked, person.name, person.roles, starter or None)


def looking(
    request: Request,
    personal: Annotated[
        bool, Query(description="Without masks; takes the role `privacy`, and is written down.")
    ] = False,
) -> Governor:
    """A dependency: the Governor to look with. Raises RoleNeeded for who asks for more than they may see."""
    seeing: Seeing = request.app.state.services.seeing
    if not personal:
        return seeing.masked
    person = person_of(request)
    if person is None:
        raise SignInNeeded
    if not person.may(Role.PRIVACY):
        raise RoleNeeded(person.name, Role.PRIVACY)
    seeing.unmasked(request)
    return seeing.governor


Looking = Annotated[Governor, Depends(looking)]
"""For a route's parameter: `governor: Looking`."""
