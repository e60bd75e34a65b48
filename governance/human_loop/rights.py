"""Who may answer an intervention, and hand it on (Design: the human loop)."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final
from unicodedata import category, normalize

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


def no_second_pair_of_eyes(person: str, starter: str | None) -> str | None:
    """Why `person` is no second pair of eyes on what `starter` began; None: they are one."""
    if starter is None:
        return "four eyes are asked for, and who started the instance is not known"
    return "four eyes are asked for, and they started the instance" if _alike(person, starter) else None


def _not_a_person(person: str) -> str | None:
    return "an answer needs the name of a person" if _alike(person, TIMEOUT) or _alike(person, "") else None


def _second_pair_of_eyes(intervention: Intervention, person: str, starter: str | None) -> str | None:
    return no_second_pair_of_eyes(person, starter) if intervention.four_eyes else None


def same_person(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def _alike(one: str, other: str) -> bool:
    """Whether two names look the same to whoever reads them: composed, wide, spaced or capitalised otherwise.

    Stricter than `same_person`, for it takes rights away: what nobody can see makes no second person.
    """
    return _seen(one) == _seen(other)


def _seen(name: str) -> str:
    # Composed again behind casefold, which may take apart what was composed.
    shown = "".join(each for each in normalize("NFKC", name) if category(each) != "Cf")
    return normalize("NFKC", " ".join(shown.split()).casefold())
