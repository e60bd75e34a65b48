"""What the designer's page begins with: the file, the fields of a policy, and the words of its language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson

from bpmn.designer.moddle import moddle
from bpmn.designer.vocabulary import offered
from bpmn.errors import NotXml
from bpmn.policies.fields import choices
from bpmn.policies.places import BEARERS
from bpmn.reader.agents import AGENT_KINDS
from engine.server.designer.desk import Desk
from engine.server.designer.drawing import drawn
from engine.server.identity.port import Person
from engine.server.identity.roles import Role
from engine.words.catalogue import ENGLISH, rules
from governance.policy import Approval, BranchStrategy

_LAID_OUT: Final = "The file has no drawing: it was laid out for you, and is written only if you change it."
_WORDS: Final = Path(__file__).parent / "words"


def start(desk: Desk, person: Person, language: str) -> dict[str, Any]:
    """As JSON values. Raises BpmnError for a file that cannot be read."""
    draft = desk.read()
    try:
        xml, is_new = drawn(draft.data, desk.name)
    except (UnicodeDecodeError, LookupError) as error:
        raise NotXml(f"not text in its encoding: {error}", file=desk.name) from error
    return {
        "name": desk.name,
        "verb": desk.verb,
        "xml": xml,
        "tag": draft.tag,
        "note": _LAID_OUT if is_new else None,
        "may_approve": person.may(Role.APPROVER),
        "moddle": moddle(),
        "fields": [asdict(field) for field in offered()],
        "merges": choices(BranchStrategy, "merge"),
        "defaults": list(Approval.model_fields["default"].annotation.__args__[0].__args__),  # type: ignore[union-attr]
        "bearers": sorted(BEARERS),
        "agent_kinds": sorted(AGENT_KINDS),
        "language": language,
        "words": words(language),
        "rules": rules(language),
    }


@cache
def words(language: str) -> Mapping[str, str]:
    """What the page says, by its English; English needs none."""
    if language == ENGLISH:
        return {}
    found: Mapping[str, str] = orjson.loads((_WORDS / f"{language}.json").read_bytes())
    return found
