"""Skills that a store knows, by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import EngineError
from governance.cda.experience.model import ExperienceSource, Skill


class UnknownSkill(EngineError):
    """A skill that there is not."""

    def __init__(self, id: str, known: Sequence[str]) -> None:
        self.id, self.known = id, tuple(known)
        super().__init__(f"no skill {id}; there are {', '.join(known) or 'none'}")


def named(source: ExperienceSource, ids: Iterable[str]) -> list[Skill]:
    """Those of these ids, in their order. Raises UnknownSkill."""
    known = {skill.id: skill for skill in source.skills()}
    for id in (ids := list(ids)):
        if id not in known:
            raise UnknownSkill(id, list(known))
    return [known[id] for id in ids]
