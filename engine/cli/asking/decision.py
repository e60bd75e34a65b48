"""Asks a person to decide about an intervention."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final, cast

from engine.activities.tools.approving import ARGUMENTS
from engine.cli.asking.prompter import Questions
from engine.cli.screen.port import Style
from engine.cli.telling.conflicts import place, value_of
from engine.cli.telling.shown import tell_intervention
from engine.cli.telling.values import spoken
from engine.cli.variables import json_or_text
from engine.governed.d1_questions import KEEP
from engine.names import Names
from engine.people.given import Decided
from engine.people.hunks import HUNKS, hunks_of
from governance.human_loop.intervention import Decision, Intervention
from governance.snapshots.model import name_of

LATER: Final = "later"
_WIDTH: Final = 60
_NUMBERS: Final = re.compile(r"\d+([\s,]+\d+)*")


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
            return self._edited(shown)
        if decision == "approve" and shown.get("release"):
            return self._chosen("release", "release which", shown["release"])
        if decision == "approve" and asked.kind == "d1_preview":
            return self._chosen(KEEP, "keep which as they were", [name_of(key) for key in shown["lowered"]])
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

    def _edited(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """What is to be different."""
        self._questions.screen.line("  ", ("Enter keeps a value; JSON or text replaces it.", Style.DIM))
        edited = {}
        for name, value in shown.get(ARGUMENTS, shown.get("outputs", {})).items():
            hunks = hunks_of(shown, name) or []
            taken = f"; or the numbers of the changes to take, 1 to {len(hunks)}, 0 for none" if len(hunks) > 1 else ""
            text = self._questions.text(f"{name} ({spoken(value, _WIDTH)}{taken})")
            if taken and _NUMBERS.fullmatch(text):
                edited[name] = {HUNKS: [number for number in map(int, re.findall(r"\d+", text)) if number]}
            elif text:
                edited[name] = json_or_text(text)
        return edited

    def _chosen(self, under: str, prompt: str, names: Collection[str]) -> dict[str, Any] | None:
        """Some of the names, as the values of an answer; None: none of them."""
        while True:
            text = self._questions.text(f"{prompt} (names, with commas between; Enter for none)")
            chosen = [name.strip() for name in text.split(",") if name.strip()]
            unknown = [name for name in chosen if name not in names]
            if not unknown:
                return {under: chosen} if chosen else None
            self._complain(f"{', '.join(unknown)} is none of {', '.join(names)}")

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
