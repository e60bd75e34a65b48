"""A timer says when, as ISO 8601 or as an expression marked as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from bpmn.check.rule import Place, Problem, Rule
from bpmn.definition import Element, EventDefinition, Timer
from bpmn.timers import CYCLE_FORMS, DATE_FORMS, DURATION_FORMS, parse_date, parse_duration, parse_repetition

_FORMS: Mapping[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "duration": (parse_duration, DURATION_FORMS),
    "date": (parse_date, DATE_FORMS),
}


def is_expression(timer: Timer) -> bool:
    """Whether the text is to be evaluated: it begins with `=`, or holds `${` or `#{`."""
    return timer.text.startswith("=") or "${" in timer.text or "#{" in timer.text


def _check(place: Place) -> Iterator[Problem]:
    for element in place.scope.elements.values():
        if element.event is not None:
            for event in (element.event, *element.event.definitions):
                if event.kind == "timer":
                    yield from _timer(element, event)


def _timer(element: Element, event: EventDefinition) -> Iterator[Problem]:
    if event.timer is None:
        message, allowed = "the timer has no time", ("timeDuration", "timeDate", "timeCycle")
        yield Problem(message=message, element=element.id, line=element.line, allowed=allowed)
    elif not is_expression(event.timer):
        timer = event.timer
        parse, forms = _FORMS.get(timer.kind, (partial(parse_repetition, quartz=timer.quartz), CYCLE_FORMS))
        try:
            parse(event.timer.text)
        except ValueError:
            message = f"the timer's text is no {timer.kind}"
            found = event.timer.text[:100]
            yield Problem(message=message, element=element.id, line=element.line, found=found, allowed=forms)


RULE = Rule(code="timer", severity="error", check=_check)
