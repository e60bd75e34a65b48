"""Which skills are of use for what is about to be done."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from governance.cda.experience.model import Skill

_FEATURE: Final = re.compile(r"^[a-z]+:\S+$")


def of_use(skills: Iterable[Skill], features: Collection[str], task: str) -> list[Skill]:
    """Those all of whose evidence is there: features of the activity, and words that its task says.

    Conditions in the form of features ("input:order") are looked up: those it holds for must be there, none of those it
    does not hold for. The others are told to the model with the skill.
    """
    found = [skill for skill in skills if skill.preconditions.phase == "assemble" and _holds(skill, features)]
    return [skill for skill in found if all(_is_there(each, features, task) for each in skill.preconditions.evidence)]


def _holds(skill: Skill, features: Collection[str]) -> bool:
    needed = filter(_FEATURE.match, skill.boundaries.valid_conditions)
    barred = filter(_FEATURE.match, skill.boundaries.invalid_conditions)
    return all(each in features for each in needed) and not any(each in features for each in barred)


def _is_there(evidence: str, features: Collection[str], task: str) -> bool:
    if _FEATURE.match(evidence):
        return evidence in features
    # Terms need a stemmer, which features do without.
    from governance.similarity.terms import terms

    wanted = set(terms(evidence))
    return bool(wanted) and wanted <= set(terms(task))
