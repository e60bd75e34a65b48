"""Errors of the bpmn package: files that cannot be read at all. What is wrong inside a readable file is a finding."""

from __future__ import annotations


class BpmnError(Exception):
    """Base of every error that this package raises on purpose. `found` and `allowed` complete the message."""

    def __init__(
        self,
        message: str,
        *,
        file: str,
        line: int | None = None,
        element: str | None = None,
        found: str | None = None,
        allowed: str | None = None,
    ) -> None:
        self.file, self.line, self.element, self.found, self.allowed = file, line, element, found, allowed
        where = file if line is None else f"{file}:{line}"
        text = f"{where}: {message}" if element is None else f"{where}: {element}: {message}"
        if found is not None:
            text += f"; found {found}"
        if allowed is not None:
            text += f"; allowed: {allowed}"
        super().__init__(text)


class UnreadableFile(BpmnError):
    """The path is missing, a directory, empty, or may not be read."""


class LimitExceeded(BpmnError):
    """The file is larger, longer or deeper than what is read."""


class NotXml(BpmnError):
    """The bytes are not well-formed XML in their declared encoding."""


class UnsafeXml(BpmnError):
    """XML with a document type declaration, which could define entities."""


class NotBpmn(BpmnError):
    """XML whose root is not BPMN 2.0 `definitions`."""


class NoProcess(BpmnError):
    """BPMN without any process, or without the one that was asked for."""


class CorruptDefinition(BpmnError):
    """JSON that is not the form of a definition."""
