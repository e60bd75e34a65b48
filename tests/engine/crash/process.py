"""A process with everything that is committed on the way, and who does its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.activities.work import Outcome, Work
from tests.engine.models import edges, end, gateway, instances, model, service, start, user

MODEL = model(
    start(), service("prepare"), gateway("g"),
    gateway("m", "exclusive"), service("count"), gateway("again", "exclusive", default="out"),
    service("each", inside=instances(collection="items", output="res")), user("ask"),
    gateway("j"), gateway("x", "exclusive", default="low"), service("write"), service("skip"),
    gateway("y", "exclusive"), service("last"), end(),
    edges(
        "s > prepare > g > m > count > again =out=> j > x", "again -n < 3-> m", "g > each > j", "g > ask > j",
        "x -total > 10-> write > y > last > e", "x =low=> skip > y",
    ),
)  # fmt: skip
"""`total` is what the loop counted or what a person said; a condition reads it, so a person decides between them."""
VARIABLES: dict[str, Any] = {"items": [1, 2, 3], "n": 0, "total": 0}
SAID = {"total": 11}
"""What the person answers in `ask`."""
FINAL: dict[str, Any] = {
    "items": [1, 2, 3],
    "n": 3,
    "total": 11,
    "ready": True,
    "res": [10, 20, 30],
    "text": "draft of 11, checked draft of 11",
    "seen": 11,
}


class Doing:
    """Does the services, and tells every call of one, and of a model, before it has an effect."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell

    def __call__(self, settings: Mapping[str, Any]) -> Doing:
        return self

    def handler_for(self, element: Any) -> Callable[[Work], Outcome]:
        return self._do

    def require(self, definition: Any) -> None: ...

    def _do(self, work: Work) -> Outcome:
        self._tell("job", work.key)
        seen = work.variables
        match work.element.id:
            case "prepare":
                return Outcome(outputs={"ready": True})
            case "count":
                return Outcome(outputs={"n": seen["n"] + 1, "total": seen["total"] + 1})
            case "each":
                return Outcome(outputs={"o": seen["it"] * 10})
            case "write":
                return Outcome(outputs={"text": self._write(work, seen["total"])})
            case "last":
                return Outcome(outputs={"seen": seen["total"]})
        return Outcome()

    def _write(self, work: Work, total: int) -> str:
        draft = self._ask(work, f"draft of {total}")
        return f"{draft}, {self._ask(work, f'checked {draft}')}"

    def _ask(self, work: Work, text: str) -> str:
        def answer() -> dict[str, Any]:
            self._tell("model", text)
            return {"text": text}

        return str(work.call_model(text, answer)["text"])
