"""Tiny models for the harnesses."""

from __future__ import annotations

_HEAD = (
    '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' targetNamespace="t">'
)  # fmt: skip


def model(inside: str, process: str = "p", more: str = "", executable: str = ' isExecutable="true"') -> str:
    """A process that goes from a start event through what is inside (ids `a`, flows `f1`, `f2`) to an end event."""
    return f'{_HEAD}{more}<process id="{process}"{executable}>{inside}</process></definitions>'


def sequence(task: str, process: str = "p", more: str = "") -> str:
    """Start, one task with id `a`, end."""
    inside = (
        f'<startEvent id="s"/>{task}<endEvent id="e"/>'
        '<sequenceFlow id="f1" sourceRef="s" targetRef="a"/><sequenceFlow id="f2" sourceRef="a" targetRef="e"/>'
    )
    return model(inside, process, more)
