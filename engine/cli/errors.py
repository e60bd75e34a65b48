"""Errors of the command line itself."""

from __future__ import annotations

from engine.errors import EngineError


class BadOption(EngineError):
    """A value of an option that cannot be used."""

    def __init__(self, option: str, given: str, reason: str) -> None:
        self.option, self.given, self.reason = option, given, reason
        super().__init__(f"{option} {given}".rstrip() + f": {reason}")


class MissingExtra(EngineError):
    """A command that needs libraries which are installed only on request."""

    def __init__(self, command: str, extra: str, missing: str) -> None:
        self.command, self.extra, self.missing = command, extra, missing
        super().__init__(f"{command} needs {missing}: pip install 'bpmn-governor[{extra}]'")
