"""Asks a person to decide about an intervention."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from engine.cli.asking.prompter import Questions
from engine.cli.screen.port import Style
from engine.cli.telling.conflicts import place, value_of
from engine.cli.telling.shown import tell_intervention
from engine.cli.telling.values import spoken
from engine.cli.variables import json_or_text
from engine.names import Names
from engine.people.given import Decided
from governance.human_loop.intervention import Decision, Intervention

LATER: Final = "later"
_WIDTH: Final = 60


class DecisionForm:
    """The questions of one intervention."""

    def __init__(self, questions: Questions, names: Names) -> None:
        self._questions, self._names = questions, names

    def decide(self, asked: Intervention, by: str, roles: tuple[str, ...]) -> Decided | None:
        """What the person decided; None: later. Raises EOFError where the person stops."""
        tell_intervention(self._questions.screen, self._names, asked)
        options = (*asked.options, LATER)
        while True:
            chosen = self._questions.choice("decide:", options)
            if chosen == LATER:
                return None
            decision = cast(Decision, chosen)
            values = self._values(asked, decision)
            if decision in ("edit", "resolve") and not values:
                self._complain("nothing was changed; approve it, deny it, or change something")
                continue
            reason = self._reason(needed=decision == "deny")
            return Decided(
                decision=decision, by=by, roles=self._roles(asked, roles), reason=reason, values=values
            )

    def _values(self, asked: Intervention, decision: str) -> dict[str, Any] | None:
        shown: Mapping[str, Any] = asked.shown if isinstance(asked.shown, Mapping) else {}
        if decision == "resolve":
            return {conflict["id"]: self._resolution(conflict) for conflict in shown.get("conflicts", ())}
        if decision == "edit":
            return self._edited(shown.get("outputs", {}))
        if decision == "approve" and shown.get("release"):
            return self._released(shown["release"])
        return None

    def _resolution(self, conflict: Mapping[str, Any]) -> Any:
        """The answer to one conflict, in the form that a merge takes."""
        values = conflict["values"]
        told = ", ".join(f"{number} {value_of(value, 30)}" for number, value in enumerate(values, 1))
        while True:
            given = self._questions.text(f"{place(conflict)}: {told}, or [o]ther, [r]emove")
            if given.isdigit() and 1 <= int(given) <= len(values):
                return {"take": values[int(given) - 1]["branch"]}
            if given and "remove".startswith(given):
                return {"delete": True}
            if given and "other".startswith(given):
                return {"value": json_or_text(self._questions.text("value (JSON or text)"))}
            self._complain(f"please answer 1 to {len(values)}, o or r")

    def _edited(self, outputs: Mapping[str, Any]) -> dict[str, Any]:
        """What is to be different."""
        self._questions.screen.line("  ", ("Enter keeps a value; JSON or text replaces it.", Style.DIM))
        edited = {}
        for name, value in outputs.items():
            text = self._questions.text(f"{name} ({spoken(value, _WIDTH)})")
            if text:
                edited[name] = json_or_text(text)
        return edited

    def _released(self, release: Mapping[str, int]) -> dict[str, Any] | None:
        """Names of entries that need no longer be kept."""
        while True:
            text = self._questions.text("release which (names, with commas between; Enter for none)")
            chosen = [name.strip() for name in text.split(",") if name.strip()]
            unknown = [name for name in chosen if name not in release]
            if not unknown:
                return {"release": chosen} if chosen else None
            self._complain(f"{', '.join(unknown)} is none of {', '.join(release)}")

    def _reason(self, needed: bool) -> str:
        while True:
            reason = self._questions.text("reason" if needed else "reason (optional)")
            if reason or not needed:
                return reason
            self._complain("who is turned down wants to know why")

    def _roles(self, asked: Intervention, roles: tuple[str, ...]) -> tuple[str, ...]:
        needed = () if asked.delegate else asked.asked_roles
        if not needed or set(needed) & set(roles):
            return roles
        given = self._questions.text(f"your role (needed: {', '.join(needed)})")
        return (*roles, given) if given else roles

    def _complain(self, problem: str) -> None:
        self._questions.screen.line("  ", (f"{problem}.", Style.WARN))
