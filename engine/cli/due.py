"""`governor resume --due`: every instance whose time has come is moved on, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bpmn.errors import BpmnError
from engine.cli.exits import Exit, exit_for
from engine.cli.output import others_print_to_stderr, print_json
from engine.cli.running import RunOptions
from engine.cli.screen.choose import output
from engine.cli.screen.port import Screen, Style
from engine.cli.wiring import governor_on
from engine.errors import EngineError
from engine.governor import Governor
from engine.refused import AtWorkElsewhere, NotMovable
from engine.result import RunResult
from engine.store.errors import VersionConflict
from governance.errors import GovernanceError

_PAGE: Final = 50
_STYLES: Final = {Exit.DONE: Style.GOOD, Exit.WAITING: Style.PERSON, Exit.FAILED: Style.BAD}


@dataclass(frozen=True, slots=True)
class NotMoved:
    """An instance that could not be moved on, such as one without a handler; it stays as it was."""

    instance: str
    error: str


def resume_due(options: RunOptions) -> Exit:
    """Move them on. FAILED if one of them failed, stalled or could not be moved; that some still wait is no failure."""
    with governor_on(options.db, instead=options.settings, must_exist=True) as governor:
        if options.json:
            with others_print_to_stderr():
                found = _resumed(governor)
            print_json({"resumed": [each.to_json() for each in found if isinstance(each, RunResult)], **_errors(found)})
        else:
            found = _resumed(governor)
            _tell(output(plain=options.plain), found)
    return Exit.FAILED if any(_exit(each) is Exit.FAILED for each in found) else Exit.DONE


def _resumed(governor: Governor) -> list[RunResult | NotMoved]:
    """What each instance came to, the longest due first; one that is due again at once waits for the next time."""
    found: dict[str, RunResult | NotMoved | None] = {}
    while new := [id for id in governor.due(len(found) + _PAGE) if id not in found]:
        for id in new:
            found[id] = _resume(governor, id)
    return [each for each in found.values() if each is not None]


def _resume(governor: Governor, id: str) -> RunResult | NotMoved | None:
    """None: another program has moved it meanwhile, or is at it, or an operator has stopped or ended it."""
    try:
        return governor.resume(id)
    except (VersionConflict, NotMovable, AtWorkElsewhere):
        return None
    except (EngineError, BpmnError, GovernanceError) as error:
        return NotMoved(id, str(error))


def _exit(each: RunResult | NotMoved) -> Exit:
    return exit_for(each.status) if isinstance(each, RunResult) else Exit.FAILED


def _errors(found: list[RunResult | NotMoved]) -> dict[str, Any]:
    failed = [{"instance": each.instance, "error": each.error} for each in found if isinstance(each, NotMoved)]
    return {"not_moved": failed}


def _tell(screen: Screen, found: list[RunResult | NotMoved]) -> None:
    if not found:
        screen.line("Nothing is due.")
    for each in found:
        status, why = (each.status, each.reason) if isinstance(each, RunResult) else ("not moved", each.error)
        screen.line((each.instance, Style.NAME), "  ", (status, _STYLES[_exit(each)]), f"  {why}" if why else "")
