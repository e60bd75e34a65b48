"""Who does the services of `kinds`, telling each effect and its key before it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.activities.work import BpmnErrorRaised, Outcome, Work


class Doers:
    """A service's job type says what it does; `one` and `two` set a variable of that name."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell

    def __call__(self, settings: Mapping[str, Any]) -> Doers:
        return self

    def handler_for(self, element: Any) -> Callable[[Work], Outcome]:
        return self._do

    def require(self, definition: Any) -> None: ...

    def _do(self, work: Work) -> Outcome:
        self._tell("job", work.key)
        match work.element.job_type:
            case "model":
                return Outcome(outputs={"model": f"{self._ask(work, 'A')} {self._ask(work, 'B')}"})
            case "item":
                return Outcome(outputs={"o": work.variables["it"] * 10})
            case "count":
                return Outcome(outputs={"n": work.variables["n"] + 1})
            case "fails":
                raise BpmnErrorRaised("E1", "as it must")
        return Outcome(outputs={work.element.job_type or "none": 1})

    def _ask(self, work: Work, text: str) -> str:
        def answer() -> dict[str, Any]:
            self._tell("model", f"{work.key} {text}")
            return {"text": text}

        return str(work.call_model(text, answer)["text"])
