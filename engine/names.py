"""What elements and branches are called, as their authors named them."""

from __future__ import annotations

from collections.abc import Collection

from bpmn.definition import Definition, Element
from bpmn.walk import elements
from engine.clean_text import one_line
from engine.context_names import MAIN, arm_of
from engine.told import told

_LONGEST = 60


class Names:
    """Names of one definition; what it does not name goes by its id."""

    def __init__(self, definition: Definition | None = None) -> None:
        self._definition = definition
        self._elements: dict[str, Element] = {}
        if definition is not None:
            self._elements = {each.id: each for process in definition.processes.values() for each in elements(process)}

    @property
    def ids(self) -> Collection[str]:
        """Ids of all elements."""
        return self._elements.keys()

    def process(self, id: str) -> str:
        process = self._definition.processes.get(id) if self._definition else None
        return _called(process.name if process else None, id)

    def element(self, id: str | None) -> str:
        element = self.find(id)
        return _called(element.name if element else None, id or "?")

    def called(self, name: str) -> list[str]:
        """Ids of the elements that go by a name, in upper or lower case, or by an id."""
        return [id for id in self._elements if name == id or name.casefold() == self.element(id).casefold()]

    def find(self, id: str | None) -> Element | None:
        return self._elements.get(id or "")

    def branch(self, branch: str) -> str:
        """What its last arm leads to; arms that were joined stand with a + between them."""
        arm = arm_of(branch)
        if arm is None:
            return one_line(branch, _LONGEST) or told(MAIN)
        if all(part.isdigit() for part in arm.to):
            numbers = " + ".join(str(int(part) + 1) for part in arm.to)
            return told("{split} {number} of {count}", split=self.element(arm.split), number=numbers, count=arm.count)
        return " + ".join(map(self.element, arm.to))


def _called(name: str | None, id: str) -> str:
    return one_line(name or id, _LONGEST) or id
