"""How much of DMN is decided right: `python -m benchmarks.dmn --data DIR --json`.

DIR has folders of test cases in the form of the DMN TCK (github.com/dmn-tck/tck), those of one level below a folder
whose name ends with its number: `compliance-level-2`, `compliance-level-3`.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.dmn_cases import Case, Expected, Suite, agree, suites
from benchmarks.figures import Figure, show
from benchmarks.isolation import isolated
from bpmn.dmn.decisions import Decisions
from bpmn.dmn.errors import UnknownDecision
from bpmn.dmn.model import Reference
from bpmn.errors import BpmnError
from bpmn.expressions.outside import Outside

GOALS = {"2": 1.0, "3": 0.9}
SECONDS, MEMORY_MB = 60.0, 1_500
"""Of one file of cases."""
NOW = datetime(2030, 1, 31, 9, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.dmn", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the TCK's levels")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    arguments = parser.parse_args()
    figures, failed = measure(arguments.data)
    show(figures, as_json=arguments.json, failed=failed)


def measure(data: Path) -> tuple[list[Figure], list[dict[str, Any]]]:
    """The share of cases passed, by level, and every case that failed, with its reason."""
    figures: list[Figure] = []
    failed: list[dict[str, Any]] = []
    for folder in sorted(path for path in data.iterdir() if path.is_dir() and path.name[-1:].isdigit()):
        wrong, count, spent = _level(folder)
        failed += wrong
        level = folder.name[-1]
        figures.append(
            Figure(
                name=f"dmn.level{level}",
                value=(count - len(wrong)) / count if count else None,
                unit="share of cases",
                better="higher",
                goal=GOALS.get(level),
                conditions=f"{count} cases, {spent:.1f} s of computing",
            )
        )
    return figures, failed


def _level(folder: Path) -> tuple[list[dict[str, Any]], int, float]:
    """The cases that failed, how many there are, and CPU seconds."""
    wrong: list[dict[str, Any]] = []
    count, spent = 0, 0.0
    for suite in suites(folder):
        ended = isolated(partial(_suite, suite), seconds=SECONDS, memory_mb=MEMORY_MB)
        count += len(suite.cases)
        spent += ended.cpu_s
        if ended.how == "done":
            wrong += ended.value
        else:
            wrong += [_failure(suite, case, f"{ended.how}: {ended.reason}") for case in suite.cases]
    return wrong, count, spent


def _suite(suite: Suite) -> list[dict[str, Any]]:
    """The cases of a suite that failed."""
    try:
        runner = _Runner(suite)
    except BpmnError as error:
        return [_failure(suite, case, f"{type(error).__name__}: {error}") for case in suite.cases]
    reasons = [(case, runner.failure(case)) for case in suite.cases]
    return [_failure(suite, case, reason) for case, reason in reasons if reason is not None]


def _failure(suite: Suite, case: Case, reason: str) -> dict[str, Any]:
    return {"case": f"{suite.file.parent.name}/{case.id}", "reason": reason}


class _Runner:
    """Decides the cases of one suite, with all models of its folder."""

    def __init__(self, suite: Suite) -> None:
        files = sorted(suite.file.parent.glob("*.dmn"), key=lambda path: path.name != suite.model)
        self._file = suite.model
        self._decisions = Decisions.load({path.name: path for path in files})
        self._model = next(model for model in self._decisions.models if model.file == suite.model)

    def failure(self, case: Case) -> str | None:
        """Why a case fails; None: it passes."""
        for result in case.results:
            try:
                found = self._decisions.decide(self._asked(case, result), case.inputs, outside=Outside(NOW, "tck"))
            except BpmnError as error:
                if result.error and result.value is None and not isinstance(error, UnknownDecision):
                    continue
                return f"{result.name}: {type(error).__name__}: {error}"
            if not agree(result.value, found.value):
                notes = "".join(f"; {note}" for note in found.notes[:1])
                return f"{result.name}: expected {_shown(result.value)}, found {_shown(found.value)}{notes}"
        return None

    def _asked(self, case: Case, result: Expected) -> Reference:
        name = case.invoked or result.name
        return self._decisions.find(name, file=self._file, among=self._model.namespace)


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}..."


if __name__ == "__main__":
    main()
