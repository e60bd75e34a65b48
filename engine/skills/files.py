"""Skills as YAML, in the form of CDA: one document that holds a `Skill`, or a list of them.

    - Skill:
        id: code_refactor_v1
        preconditions: {phase: assemble, evidence: [...]}
        execution_pattern: {steps: [...], transitions: {after_analysis: plan}}
        boundaries: {valid_conditions: [...], invalid_conditions: [...]}
        outcome_tags: {success_patterns: [...], failure_patterns: [...]}
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import yaml
from pydantic import ValidationError

from engine.people.yaml_nodes import YamlFile
from governance.cda.experience.model import Skill

if TYPE_CHECKING:
    from yaml import Node

_WRAPPER: Final = "Skill"


def read_skills(path: Path) -> list[Skill]:
    """The skills in a file. Raises BadYaml, naming the line and what is wrong there."""
    return _skills(YamlFile(path))


def skills_in(text: str, name: str) -> list[Skill]:
    """The skills in a text, which errors call `name`. Raises BadYaml."""
    return _skills(YamlFile(Path(name), text))


def _skills(file: YamlFile) -> list[Skill]:
    if file.root is None:
        raise file.error(None, "holds no skill")
    nodes = file.items(file.root) if isinstance(file.root, yaml.SequenceNode) else [file.root]
    found: dict[str, Skill] = {}
    for node in nodes:
        skill = _skill(file, node)
        if skill.id in found:
            raise file.error(node, f"the skill {skill.id} stands here twice")
        found[skill.id] = skill
    return list(found.values())


def write_skills(skills: Iterable[Skill]) -> str:
    """YAML that `read_skills` reads."""
    documents = [{_WRAPPER: skill.model_dump(mode="json")} for skill in skills]
    text: str = yaml.safe_dump(documents, sort_keys=False, allow_unicode=True, width=120)
    return text


def _skill(file: YamlFile, node: Node) -> Skill:
    fields = file.fields(node)
    inner = fields[_WRAPPER] if list(fields) == [_WRAPPER] else node
    try:
        return Skill.model_validate(file.value(inner))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise file.error(_at(file, inner, first["loc"]), f"{place}: {_told(first)}") from error


def _told(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return f"there is no such field; allowed: {', '.join(Skill.model_fields)}"
    return f"{error['msg'][:1].lower()}{error['msg'][1:]}, found {error['input']!r}"[:300]


def _at(file: YamlFile, node: Node, place: tuple[int | str, ...]) -> Node:
    """The part that an error is about, as far down as there is one."""
    for step in place:
        if isinstance(step, int) and isinstance(node, yaml.SequenceNode) and step < len(file.items(node)):
            node = file.items(node)[step]
        elif isinstance(step, str) and isinstance(node, yaml.MappingNode) and step in file.fields(node):
            node = file.fields(node)[step]
        else:
            break
    return node
