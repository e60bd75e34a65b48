"""Who may answer an intervention, and hand it on (Design: the human loop)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from governance.human_loop.intervention import Intervention

TIMEOUT: Final = "timeout"
"""Who answered an intervention that expired. No person goes by this name."""


def objection_to(intervention: Intervention, person: str, roles: Collection[str], starter: str | None) -> str | None:
    """Why `person`, who has `roles`, may not answer, where `starter` started the instance; None: they may.

    One that was delegated is for the delegate alone, whatever roles they have.
    """
    delegate = intervention.delegate
    if delegate is None:
        return objection_to_asking(intervention, person, roles, starter)
    if not same_person(person, delegate):
        return f"it was delegated to {delegate}"
    return _not_a_person(person) or _second_pair_of_eyes(intervention, person, starter)


def objection_to_asking(
    intervention: Intervention, person: str, roles: Collection[str], starter: str | None
) -> str | None:
    """Why `person` is none of those that were asked, before anybody delegated it."""
    asked = intervention.asked_roles
    if asked and not set(asked) & set(roles):
        return _not_a_person(person) or f"needs one of the roles {', '.join(asked)}"
    return _not_a_person(person) or _second_pair_of_eyes(intervention, person, starter)


def _not_a_person(person: str) -> str | None:
    if same_person(person, TIMEOUT) or not person.strip():
        return "an answer needs the name of a person"
    return None


def _second_pair_of_eyes(intervention: Intervention, person: str, starter: str | None) -> str | None:
    if not intervention.four_eyes:
        return None
    if starter is None:
        return "four eyes are asked for, and who started the instance is not known"
    return "four eyes are asked for, and they started the instance" if same_person(person, starter) else None


def same_person(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()
