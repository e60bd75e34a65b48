"""`HumanLoopTriggerDetector`: how far a person has to be involved (Design: the human loop)."""

from __future__ import annotations

from dataclasses import dataclass

from governance.human_loop.facts import Facts
from governance.human_loop.matrix import CONFIRM_MODES, MATRIX, ConfirmMode
from governance.vocabulary import InteractionLevel, Trigger


@dataclass(frozen=True, slots=True)
class Verdict:
    """The level a case calls for, and why: the signs of its cell, or the cell's meaning where it needs none."""

    trigger: Trigger
    level: InteractionLevel
    reasons: tuple[str, ...]

    @property
    def reason(self) -> str:
        return "; ".join(self.reasons)

    @property
    def confirm_mode(self) -> ConfirmMode | None:
        """The mode `human_confirm` is called with; None: it is not called."""
        return CONFIRM_MODES[self.level]


class HumanLoopTriggerDetector:
    """Finds the cell of the matrix that a case stands in. Pure."""

    def evaluate(
        self,
        trigger: Trigger,
        facts: Facts,
        *,
        floor: InteractionLevel = InteractionLevel.AUTO_ALLOW,
        applies: bool = False,
    ) -> Verdict:
        """The verdict on `facts`, raised to the activity's `floor` where the floor `applies`.

        Raises TypeError where the facts are another trigger's.
        """
        if facts.trigger is not trigger:
            raise TypeError(f"{type(facts).__name__} are facts of {facts.trigger}, not of {trigger}")
        level, reasons = _cell(trigger, facts)
        raised = self.determine_level(level, floor, applies)
        if raised is not level:
            reasons = (*reasons, f"the activity asks for {raised} at least")
        return Verdict(trigger, raised, reasons)

    def determine_level(
        self, level: InteractionLevel, floor: InteractionLevel, applies: bool = True
    ) -> InteractionLevel:
        """The higher of a cell's level and the activity's floor; the floor counts only where it `applies`.

        It applies once per activity run to each applied D1, to the output and to D3; never to a measurement.
        """
        return floor if applies and floor.at_least(level) else level


def _cell(trigger: Trigger, facts: Facts) -> tuple[InteractionLevel, tuple[str, ...]]:
    row = MATRIX[trigger]
    for level in reversed(InteractionLevel):
        reasons = tuple(filter(None, (sign.reason(facts) for sign in row[level].signs)))
        if reasons:
            return level, reasons
    return InteractionLevel.AUTO_ALLOW, (row[InteractionLevel.AUTO_ALLOW].meaning,)
