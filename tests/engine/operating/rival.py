"""A program that makes moves when it is told to: `python -m tests.engine.operating.rival DATABASE EFFECTS`.

It reads a move, a JSON object, per line, says `ready`, makes it at the line `go`, and tells what came of it. Where the
move says so, it says `met` when it has moved the instance and not committed yet, and waits for another `go`.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping
from typing import Any

from bpmn.errors import BpmnError
from engine.activities.work import Outcome, Work
from engine.embedding import open_governor
from engine.errors import EngineError
from engine.events import Event
from engine.governor import Governor
from engine.result import RunResult
from governance.errors import GovernanceError

_OURS = (EngineError, BpmnError, GovernanceError)


class Rival:
    def __init__(self, effects: str) -> None:
        self._effects, self._meets = effects, False

    def hear(self, event: Event) -> None:
        if self._meets:
            self._meets = False
            say("met")
            hear("go")

    def make(self, governor: Governor, move: Mapping[str, Any]) -> dict[str, Any]:
        say("ready")
        hear("go")
        self._meets = move["meets"]
        try:
            result: RunResult = getattr(governor, move["do"])(*move["on"], **move["more"])
        except _OURS as error:
            return {"refused": type(error).__name__, "says": str(error)}
        except Exception:
            return {"broken": traceback.format_exc()}
        return {"status": str(result.status), "variables": dict(result.variables)}

    # as handlers

    def handlers(self, settings: Mapping[str, Any]) -> Rival:
        return self

    def handler_for(self, element: Any) -> Any:
        return self._do

    def require(self, definition: Any) -> None: ...

    def _do(self, work: Work) -> Outcome:
        with open(self._effects, "a") as log:
            log.write(f"{work.key} {os.getpid()}\n")
        return Outcome(outputs={"done": os.getpid()})


def say(text: str) -> None:
    print(text, flush=True)


def hear(text: str) -> None:
    assert sys.stdin.readline() == f"{text}\n"


def main(where: str, effects: str) -> None:
    rival = Rival(effects)
    with open_governor(where, handlers=rival.handlers, listener=rival.hear) as governor:
        for line in sys.stdin:
            say(json.dumps(rival.make(governor, json.loads(line))))


if __name__ == "__main__":
    main(*sys.argv[1:])
