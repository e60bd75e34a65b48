"""The five steps that all are measured with: each writes one text, and its result is durable before the next begins."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from engine.activities.job import Job

STEPS: Final = 5
TEXT: Final = "The claim was looked at by a clerk, who found nothing that speaks against it and says so here. " * 2
"""What a step writes: 190 characters."""

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"'
    ' xmlns:gov="urn:bpmn-governor:governance:1.0" id="d" targetNamespace="benchmarks"><process id="p" name="Steps"'
    ' isExecutable="true"><startEvent id="s"/>'
)


def step(number: int) -> str:
    """What step `number` writes."""
    return f"{number}: {TEXT}"


def process(steps: int = STEPS, job: str = "step") -> bytes:
    """So many service tasks in a row."""
    names = ["s", *(f"t{number}" for number in range(steps)), "e"]
    tasks = "".join(f'<serviceTask id="{name}" name="{name}" gov:jobType="{job}"/>' for name in names[1:-1])
    pairs = pairwise(names)
    flows = "".join(f'<sequenceFlow id="f{a}" sourceRef="{a}" targetRef="{b}"/>' for a, b in pairs)
    return f'{_HEAD}{tasks}<endEvent id="e"/>{flows}</process></definitions>'.encode()


def do(job: Job) -> dict[str, Any]:
    """A step as a service handler."""
    number = int(job.element.id[1:])
    return {f"out{number}": step(number)}


HANDLERS: dict[str, Callable[[Job], Any]] = {"step": do}
