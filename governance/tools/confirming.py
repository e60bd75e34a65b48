"""`human_confirm`: tell people, or ask them and wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from governance.human_loop.intervention import Decision
from governance.human_loop.matrix import CONFIRM_MODES, ConfirmMode
from governance.tools.arguments import ConfirmArguments
from governance.tools.errors import ToolRefused
from governance.vocabulary import InteractionLevel, Trigger

NAME: Final = "human_confirm"


@dataclass(frozen=True, slots=True)
class Question:
    """What people are told (`level` does not block) or asked. `shown` is what they see, `takes` how they may answer."""

    trigger: Trigger
    level: InteractionLevel
    message: str
    shown: dict[str, Any]
    takes: tuple[Decision, ...] = ("approve", "deny")

    @property
    def mode(self) -> ConfirmMode | None:
        return CONFIRM_MODES[self.level]


def confirm(asked: ConfirmArguments) -> Question:
    """The question. Raises ToolRefused for a level at which nobody is told or asked."""
    if CONFIRM_MODES[asked.interaction_level] is None:
        levels = ", ".join(level.value for level, mode in CONFIRM_MODES.items() if mode is not None)
        raise ToolRefused(NAME, f"{asked.interaction_level.value} tells and asks nobody; allowed: {levels}")
    shown: dict[str, Any] = {"message": asked.message}
    if asked.diff_content is not None:
        shown["diff"] = asked.diff_content
    if asked.options:
        shown["options"] = list(asked.options)
    return Question(asked.trigger_type, asked.interaction_level, asked.message, shown)
