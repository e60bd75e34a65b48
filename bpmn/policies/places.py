"""Where policies, agents and `gov:` attributes may stand: what nobody would read is an error, not a silent loss."""

from __future__ import annotations

from typing import Final

from bpmn.findings import Finding, near_match
from bpmn.namespaces import BPMN, GOV, qualified, split
from bpmn.policies.fields import OTHER_ATTRIBUTES
from bpmn.reader.kinds import ACTIVITIES, FLOW_NODES
from bpmn.reader.xml import Xml, local_name, owner_id

BEARERS: Final = FLOW_NODES | {"process", "lane", "sequenceFlow"}
"""Kinds of element that may have a policy."""

_BEARERS: Final = ("a process", "a lane", "an activity, event or gateway", "a sequence flow")
_EXTENSIONS: Final = qualified(BPMN, "extensionElements")
_OWN: Final = ("policy", "setting", "agent")


class Places:
    """Finds what stands where it has no effect."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.findings: list[Finding] = []

    def refuse_policy(self, element: Xml) -> None:
        """Report a policy on a kind of element that has none."""
        self._report("a policy has no effect here", element, f"a policy on {local_name(element)}", _BEARERS)

    def check_attributes(self, element: Xml) -> None:
        """Report `gov:` attributes that are no policy, on a kind of element for which they mean nothing."""
        for name, kinds in OTHER_ATTRIBUTES.items():
            if element.get(qualified(GOV, name)) is not None and local_name(element) not in kinds:
                found = f"gov:{name} on {local_name(element)}"
                self._report("the attribute has no effect here", element, found, tuple(sorted(kinds)))

    def check_elements(self, root: Xml) -> None:
        """Report own elements outside `extensionElements`, of unknown names, and agents of what is no activity."""
        for node in root.iter(qualified(GOV, "*")):
            parent = node.getparent()
            if parent is not None and split(str(parent.tag))[0] != GOV:
                self._check_element(node, parent.getparent() if parent.tag == _EXTENSIONS else None)

    def _check_element(self, node: Xml, holder: Xml | None) -> None:
        name = split(str(node.tag))[1]
        if holder is None:
            self._report("not read here", node, f"gov:{name}", ("inside an element's own extensionElements",))
        elif name not in _OWN:
            near = near_match(name, _OWN)
            message = "no such extension" + (f"; did you mean gov:{near}?" if near else "")
            self._report(message, node, f"gov:{name}", tuple(f"gov:{known}" for known in _OWN))
        elif name == "agent" and local_name(holder) not in ACTIVITIES:
            found = f"gov:agent on {local_name(holder)}"
            self._report("only an activity has an agent", node, found, ("an activity",))

    def _report(self, message: str, node: Xml, found: str, allowed: tuple[str, ...]) -> None:
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
