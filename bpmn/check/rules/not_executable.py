"""The process that is started is not marked as a mere drawing."""

from __future__ import annotations

from collections.abc import Iterator

from bpmn.check.rule import Place, Problem, Rule


def _check(place: Place) -> Iterator[Problem]:
    process = place.process
    if place.is_process and process.id == place.definition.main and process.executable is False:
        yield Problem(
            message="the process is marked as not executable, and is started all the same",
            element=process.id,
            line=process.line,
            found='isExecutable="false"',
            allowed=('isExecutable="true"',),
        )


RULE = Rule(code="not-executable", severity="warning", check=_check)
