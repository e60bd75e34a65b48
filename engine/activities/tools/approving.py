"""A call that people are asked about: what they see, what they may change, and that nothing else is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.activities.work import Heard
from governance.human_loop.intervention import InterventionAnswer
from governance.snapshots.canonical import canonical, digest
from governance.tools.confirming import Question
from governance.tools.errors import BadArguments, ToolRefused
from governance.vocabulary import Effect, InteractionLevel, Trigger

ARGUMENTS, HASH, PARAMETERS = "arguments", "arguments_hash", "parameters"
"""What a question about a call shows: the arguments until it is answered, their hash, and the schema that they fit."""
_TAKEN: Final = ("approve", "edit", "deny")


def about_call(
    message: str,
    tool: str,
    effect: Effect,
    arguments: Mapping[str, Any],
    schema: Mapping[str, Any],
    level: InteractionLevel,
) -> Question:
    """The question whether a call may be made; the answer may change its arguments."""
    given = dict(arguments)
    shown = {"tool": tool, "effect": effect.value, ARGUMENTS: given, HASH: hash_of(given), PARAMETERS: dict(schema)}
    return Question(Trigger.RUNTIME, level, message, shown, _TAKEN)


def is_about_call(shown: object) -> bool:
    """Whether an intervention shows a call whose arguments may be changed."""
    return isinstance(shown, Mapping) and ARGUMENTS in shown


def decided(shown: Mapping[str, Any], answer: InterventionAnswer) -> dict[str, Any]:
    """The exact arguments that an answer lets be used: those shown, with the values that it puts in their place."""
    changed = (answer.values or {}) if answer.decision == "edit" else {}
    return {**shown[ARGUMENTS], **changed}


def approved(tool: str, arguments: Mapping[str, Any], heard: Heard, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments to call with. Raises ToolRefused where they are not those that were approved, or fit no more."""
    used = arguments if heard.edited is None else heard.edited
    if hash_of(used) != heard.arguments_hash:
        raise ToolRefused(tool, "its arguments are not those that were approved")
    fit(tool, used, schema)
    return used


def hash_of(arguments: Mapping[str, Any]) -> str:
    return digest(canonical(dict(arguments)))


def fit(name: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Raises BadArguments for what the tool's schema does not allow."""
    from jsonschema import Draft202012Validator

    problems = [_told(error) for error in Draft202012Validator(dict(schema)).iter_errors(dict(arguments))]
    if problems:
        raise BadArguments(name, sorted(problems))


def _told(error: Any) -> str:
    place = ".".join(str(part) for part in error.absolute_path)
    return f"{place}: {error.message}" if place else str(error.message)
