"""The versions of a deployed process: what is kept is the next one."""

from __future__ import annotations

from typing import Final, Literal
from urllib.parse import quote

from bpmn.load import load
from engine.governor import Governor
from engine.server.designer.desk import Agreed, Desk, Draft, NotSaved, Overtaken
from engine.store.errors import UnknownProcessVersion

NEW: Final = "~new"
"""In place of a process's id, which it cannot be: a process that is not deployed yet."""
_TEMPLATE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" id="definitions" targetNamespace="urn:bpmn-governor">
  <process id="new_process" name="New process" isExecutable="true">
    <startEvent id="start"/>
    <task id="first" name="First task"/>
    <endEvent id="end"/>
    <sequenceFlow id="flow_1" sourceRef="start" targetRef="first"/>
    <sequenceFlow id="flow_2" sourceRef="first" targetRef="end"/>
  </process>
</definitions>
"""


class VersionDesk:
    """The last version of one process."""

    verb: Literal["deploy"] = "deploy"

    def __init__(self, governor: Governor, process: str) -> None:
        self._governor, self._process = governor, process
        self._last = governor.versions(process)[0]

    @property
    def name(self) -> str:
        return self._last.file

    def read(self) -> Draft:
        return Draft(data=self._governor.store.definition_source(self._last.definition))

    def standing(self) -> bytes | None:
        return self.read().data

    def write(self, data: bytes, opened: str, agreed: Agreed) -> Draft:
        found = self.read().tag
        if found != opened:
            raise Overtaken(self.name, opened, found)
        loaded = load(data, file=self.name, process=self._process)
        self._governor.deploy(
            loaded, by=agreed.by, reason=agreed.reason, seen=agreed.seen, after=self._last.version
        )
        return Draft(data=data)

    def decisions(self) -> list[str]:
        return []

    def set_aside(self, data: bytes | None) -> None:
        """The browser keeps it."""


class NewDesk:
    """A process that nobody has deployed yet."""

    name = "process.bpmn"
    verb: Literal["deploy"] = "deploy"

    def __init__(self, governor: Governor) -> None:
        self._governor = governor

    def read(self) -> Draft:
        return Draft(data=_TEMPLATE.encode())

    def standing(self) -> bytes | None:
        return None

    def write(self, data: bytes, opened: str, agreed: Agreed) -> Draft:
        loaded = load(data, file=self.name)
        process = loaded.definition.main
        if process is not None and self._is_deployed(process):
            raise NotSaved(self.name, f"a process with the id {process} is deployed already; give it an id of its own")
        version = self._governor.deploy(loaded, by=agreed.by, reason=agreed.reason, seen=agreed.seen, after=0)
        return Draft(data=data, address=f"/design/{quote(version.process, safe='')}")

    def _is_deployed(self, process: str) -> bool:
        try:
            return bool(self._governor.versions(process))
        except UnknownProcessVersion:
            return False

    def decisions(self) -> list[str]:
        return []

    def set_aside(self, data: bytes | None) -> None:
        """The browser keeps it."""


class VersionDesks:
    """All processes that were deployed, and one that was not."""

    def __init__(self, governor: Governor) -> None:
        self._governor = governor

    def desk(self, name: str) -> Desk | None:
        if name == NEW:
            return NewDesk(self._governor)
        try:
            return VersionDesk(self._governor, name)
        except UnknownProcessVersion:
            return None
