"""Runs unittest modules with the library as it is, or with our driver in its place; prints what came of each test.

python -m benchmarks.library.variant DIR stock|ours SECONDS MATCH

A process of its own for each of the two: our driver takes the place of the library's class before a test is imported.
Each test runs in a child of that process.
"""

from __future__ import annotations

import io
import sys
import unittest
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson

from benchmarks.isolation import isolated

_MEMORY_MB: Final = 2_000


def main() -> None:
    folder, which, seconds, match = sys.argv[1:5]
    if which == "ours":
        put_ours_in_place()
    found: dict[str, Any] = {}
    for test in _flat(_discovered(Path(folder))):
        if match in test.id():
            ended = isolated(partial(outcome, test), seconds=float(seconds), memory_mb=_MEMORY_MB)
            found[test.id()] = ended.value if ended.how == "done" else {"how": ended.how, "why": ended.reason}
    sys.stdout.buffer.write(orjson.dumps(found))


def put_ours_in_place() -> None:
    """From here on who imports the library's workflow class gets ours."""
    import SpiffWorkflow.bpmn
    import SpiffWorkflow.bpmn.workflow as workflow

    from benchmarks.library.stand_in import StandIn

    StandIn.__name__ = workflow.BpmnWorkflow.__name__  # what is saved goes by the name of its class
    workflow.BpmnWorkflow = SpiffWorkflow.bpmn.BpmnWorkflow = StandIn
    from SpiffWorkflow.bpmn.serializer import config
    from SpiffWorkflow.bpmn.serializer.helpers.dictionary import DictionaryConverter

    from benchmarks.library.saving import StandInConverter, know_ours

    config.DEFAULT_CONFIG[StandIn] = StandInConverter
    begin = DictionaryConverter.__init__

    def begins(self: Any) -> None:
        begin(self)
        know_ours(self)

    DictionaryConverter.__init__ = begins


def outcome(test: unittest.TestCase) -> dict[str, str]:
    """How one test ends: passed, failed (an assertion), error (anything else) or skipped, and why in one line."""
    result = unittest.TestResult()
    kept, sys.stdout = sys.stdout, io.StringIO()
    try:
        test.run(result)
    finally:
        sys.stdout = kept
    for how, each in (("error", result.errors), ("failed", result.failures), ("skipped", result.skipped)):
        if each:
            return {"how": how, "why": _last_lines(each[0][1]), "seen": seen()}
    return {"how": "passed", "why": "", "seen": seen()}


def seen() -> str:
    """What the test did that touches a difference."""
    module = sys.modules.get("benchmarks.library.stand_in")
    return ", ".join(sorted(module.SEEN)) if module is not None else ""


def _last_lines(text: str) -> str:
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    places = [line for line in lines if line.startswith("File ")][-1:]
    return " ".join([*places, lines[-1] if lines else ""])[:400]


def _discovered(folder: Path) -> unittest.TestSuite:
    """All tests below a folder whose files end in Test.py, imported as members of the packages they are in."""
    top = folder.resolve()
    while (top / "__init__.py").exists():
        top = top.parent
    sys.path.insert(0, str(top))
    return unittest.TestLoader().discover(str(folder.resolve()), pattern="*Test*.py", top_level_dir=str(top))


def _flat(suite: Any) -> Iterator[unittest.TestCase]:
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from _flat(each)
        else:
            yield each


if __name__ == "__main__":
    main()
