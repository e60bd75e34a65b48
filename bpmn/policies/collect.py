"""All policies of a file, each by the id of the element it is written on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bpmn.findings import Finding, near_match
from bpmn.namespaces import BPMN, GOV, qualified, split
from bpmn.policies.compose import Composer, Written
from bpmn.policies.dialects import DIALECTS
from bpmn.policies.fields import OTHER_ATTRIBUTES
from bpmn.policies.setting import Dialect
from bpmn.reader.kinds import ACTIVITIES, FLOW_NODES
from bpmn.reader.xml import Xml, local_name, owner_id

BEARERS: Final = FLOW_NODES | {"process", "lane", "sequenceFlow"}
"""Kinds of element that may have a policy."""

_BEARERS: Final = ("a process", "a lane", "an activity, event or gateway", "a sequence flow")
_EXTENSIONS: Final = qualified(BPMN, "extensionElements")
_OWN: Final = ("policy", "setting", "agent")


class Collector:
    """Reads policies with the given dialects."""

    def __init__(self, file: str, dialects: Sequence[Dialect] = DIALECTS) -> None:
        self._file, self._dialects = file, dialects
        self.findings: list[Finding] = []

    def collect(self, root: Xml) -> Mapping[str, Written]:
        """Every policy of the file by element id. `findings` tell of what is wrong or stands where it has no effect."""
        found: dict[str, Written] = {}
        for element in _candidates(root):
            kind = local_name(element)
            settings = [setting for dialect in self._dialects for setting in dialect(element)]
            identifier = element.get("id", "")
            if kind in BEARERS:
                composer = Composer(self._file, identifier)
                written = composer.compose(settings)
                self.findings += composer.findings
                if written is not None:
                    found.setdefault(identifier, written)
            elif settings:
                self._misplaced("a policy has no effect here", element, f"a policy on {kind}", _BEARERS)
        self._check_places(root)
        return found

    def _check_places(self, root: Xml) -> None:
        for node in root.iter(qualified(GOV, "*")):
            parent = node.getparent()
            name = split(str(node.tag))[1]
            if parent is None or split(str(parent.tag))[0] == GOV:
                continue
            holder = parent.getparent() if parent.tag == _EXTENSIONS else None
            if holder is None:
                self._misplaced("not read here", node, f"gov:{name}", ("inside an element's own extensionElements",))
            elif name not in _OWN:
                near = near_match(name, _OWN)
                message = "no such extension" + (f"; did you mean gov:{near}?" if near else "")
                self._misplaced(message, node, f"gov:{name}", tuple(f"gov:{known}" for known in _OWN))
            elif name == "agent" and local_name(holder) not in ACTIVITIES:
                found = f"gov:agent on {local_name(holder)}"
                self._misplaced("only an activity has an agent", node, found, ("an activity",))
        for name, kinds in OTHER_ATTRIBUTES.items():
            for element in root.iterfind(f".//*[@{qualified(GOV, name)}]"):
                if local_name(element) not in kinds:
                    found = f"gov:{name} on {local_name(element)}"
                    self._misplaced("the attribute has no effect here", element, found, tuple(sorted(kinds)))

    def _misplaced(self, message: str, node: Xml, found: str, allowed: tuple[str, ...]) -> None:
        self.findings.append(
            Finding(
                rule="policy-misplaced",
                severity="error",
                file=self._file,
                message=message,
                element=owner_id(node),
                line=node.sourceline,
                found=found,
                allowed=allowed,
            )
        )


def _candidates(root: Xml) -> Iterator[Xml]:
    """Every BPMN element with extension elements or `gov:` attributes, in document order."""
    found = root.xpath("//bpmn:*[bpmn:extensionElements or @gov:*]", namespaces={"bpmn": BPMN, "gov": GOV})
    yield from found
