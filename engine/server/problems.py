"""Errors as answers: problem+json (RFC 9457) for programs. Every error of ours has its status here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpmn.errors import BpmnError, CorruptDefinition
from engine.context_names import AmbiguousContext, UnknownContext
from engine.dead_ends import AmbiguousDeadEnd
from engine.error_facts import facts_of
from engine.errors import EngineError, NothingToRetry, UnknownBranch
from engine.expecting import InstanceChanged
from engine.knowledge.knowledge import UnknownItem
from engine.operations.migration.planning import NotMigratable
from engine.operations.operation import NotPossible, OperationRefused
from engine.people.agreement import NotAgreed
from engine.people.answering import AlreadyDone, NotForThem
from engine.personal.erasing import NotEnded
from engine.refused import AtWorkElsewhere, NotMovable, NotSuspended
from engine.replay.errors import Differs, NotReplayable, NotRewindable, RewindRefused
from engine.server.claims import AlreadyClaimed
from engine.server.errors import Busy, KeyInUse, PreconditionNeeded
from engine.server.identity.errors import (
    ForeignRequest,
    RoleNeeded,
    SignInNeeded,
    TooManyTries,
    UnknownKey,
    UnknownUser,
    WrongPassword,
)
from engine.spiff.messages import NotAwaited
from engine.store.errors import (
    AmbiguousInstance,
    ContradictoryAdvance,
    Damaged,
    InstanceExists,
    StoreUnavailable,
    UnknownDefinition,
    UnknownInstance,
    UnknownProcessVersion,
    UnknownTask,
    VersionConflict,
)
from governance.cda.dead_ends.errors import NotRetired, UnknownDeadEnd
from governance.errors import GovernanceError, UnknownSnapshot
from governance.human_loop.errors import AlreadyClosed, NotAllowed, StaleAnswer

OURS: Final = (EngineError, BpmnError, GovernanceError)
"""Errors that we raise on purpose."""
MEDIA_TYPE: Final = "application/problem+json"
UNFIT: Final = 422
"""What was sent was understood, and cannot be done: the status of every error that is not listed."""
STATUS: Final[Mapping[type[Exception], int]] = {
    SignInNeeded: 401, WrongPassword: 401,
    RoleNeeded: 403, ForeignRequest: 403, NotAllowed: 403, NotForThem: 403, OperationRefused: 403,
    UnknownInstance: 404, UnknownDefinition: 404, UnknownProcessVersion: 404, UnknownTask: 404, UnknownItem: 404,
    UnknownDeadEnd: 404,
    UnknownContext: 404, UnknownSnapshot: 404, UnknownBranch: 404, UnknownUser: 404, UnknownKey: 404,
    AlreadyClosed: 409, AlreadyDone: 409, AlreadyClaimed: 409, NotAgreed: 409,
    StaleAnswer: 409, InstanceExists: 409, VersionConflict: 409,
    ContradictoryAdvance: 409, NothingToRetry: 409, NotAwaited: 409,
    RewindRefused: 409, NotRewindable: 409, NotReplayable: 409, Differs: 409, NotMigratable: 409, NotEnded: 409,
    NotRetired: 409, NotMovable: 409, NotSuspended: 409, NotPossible: 409, KeyInUse: 409,
    AtWorkElsewhere: 409,
    AmbiguousContext: 409, AmbiguousInstance: 409, AmbiguousDeadEnd: 409,
    InstanceChanged: 412,
    PreconditionNeeded: 428,
    TooManyTries: 429,
    Damaged: 500, CorruptDefinition: 500,
    StoreUnavailable: 503, Busy: 503,
}  # fmt: skip

_SOME: Final = "the database"
_WORD: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def status_of(error: BaseException) -> int:
    """The status of the nearest class that has one."""
    return next((STATUS[each] for each in type(error).__mro__ if each in STATUS), UNFIT)


def problem_of(error: BaseException) -> dict[str, Any]:
    """The problem that tells of an error: what kind, what happened, and its facts.

    Where the database is, only who runs the server has to know.
    """
    words, facts = _WORD.sub(" ", type(error).__name__), facts_of(error)
    database = facts.pop("database", None)
    return {
        **facts,
        "type": f"urn:bpmn-governor:problem:{words.lower().replace(' ', '-')}",
        "title": words.capitalize(),
        "status": status_of(error),
        "detail": str(error).replace(str(database), _SOME) if database else str(error),
    }
