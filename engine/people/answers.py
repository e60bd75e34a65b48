"""Answers that people gave beforehand: for scripts, samples and tests. Their file: `engine.people.answers_file`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bpmn.findings import near_match, shortened
from engine.errors import EngineError
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Decision, Intervention, Kind
from governance.vocabulary import Trigger


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedAnswer:
    """One entry of the file: what to do with a work item (`outputs`), or about an intervention (`decision`).

    `times` is how often it may be used, None: always.
    """

    element: str
    file: str
    line: int
    outputs: Mapping[str, Any] | None = None
    decision: Decision | None = None
    values: Mapping[str, Any] | None = None
    reason: str = ""
    by: str | None = None
    kind: Kind | None = None
    trigger: Trigger | None = None
    roles: tuple[str, ...] = ()
    times: int | None = 1
    shown: str | None = None

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    def fits(self, asked: Intervention) -> bool:
        """Whether it answers interventions like this one."""
        if self.decision is None or self.element != asked.element:
            return False
        return self.kind in (None, asked.kind) and self.trigger in (None, asked.trigger)


class UnknownElement(EngineError):
    """An answer for an element that the process does not have."""

    def __init__(self, answer: PreparedAnswer, elements: Collection[str]) -> None:
        self.file, self.line, self.element = answer.file, answer.line, answer.element
        near = near_match(answer.element, elements)
        hint = f"did you mean {near}?" if near else f"there are {', '.join(shortened(sorted(elements))) or 'none'}"
        super().__init__(f"{answer.place}: the process has no element {answer.element}; {hint}")


class PreparedAnswers:
    """The answers of a file, used up as they are taken."""

    def __init__(self, answers: Iterable[PreparedAnswer]) -> None:
        self._answers = list(answers)
        self._left = {number: answer.times for number, answer in enumerate(self._answers)}
        self._taken: set[int] = set()
        self._by_element: dict[str, list[int]] = defaultdict(list)
        for number, answer in enumerate(self._answers):
            self._by_element[answer.element].append(number)

    def require_known(self, elements: Collection[str]) -> None:
        """Raises UnknownElement for an answer to none of `elements`, the ids that may ask."""
        for answer in self._answers:
            if answer.element not in elements:
                raise UnknownElement(answer, elements)

    def for_work_item(self, item: WorkItem) -> PreparedAnswer | None:
        """The next answer that does this item; it is used up by that."""
        return self._take(item.element, lambda answer: answer.outputs is not None)

    def for_intervention(self, asked: Intervention) -> PreparedAnswer | None:
        """The next answer to this intervention; it is used up by that."""
        return self._take(asked.element, lambda answer: answer.fits(asked))

    def unused(self) -> list[PreparedAnswer]:
        """Those that were not taken as often as they say; one for always: that was never taken."""
        return [
            answer
            for number, answer in enumerate(self._answers)
            if (self._left[number] or (answer.times is None and number not in self._taken))
        ]

    def _take(self, element: str, fits: Callable[[PreparedAnswer], bool]) -> PreparedAnswer | None:
        for number in self._by_element.get(element, ()):
            left = self._left[number]
            if left != 0 and fits(self._answers[number]):
                self._left[number] = None if left is None else left - 1
                self._taken.add(number)
                return self._answers[number]
        return None
