"""How much of BPMN runs as its standard says, by the betsy suite: models that must run, and models that must not load.

python -m benchmarks.conformance --data DIR [--json] [--match TEXT]

DIR holds `betsy.json` (tests with cases of inputs and expected log lines, and constraints) and `processes/`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.betsy import translated
from benchmarks.betsy_run import DEPLOYMENT, MARKER, RUNTIME, run_case
from benchmarks.betsy_unseen import ACCEPTED, UNSEEN
from benchmarks.figures import Figure, show
from benchmarks.isolation import isolated
from bpmn.errors import BpmnError
from bpmn.load import load

_SECONDS: Final = 60.0
_MEMORY_MB: Final = 1_500
_ANY_ERROR: Final = (DEPLOYMENT, RUNTIME)


def feature(folder: Path, test: Mapping[str, Any]) -> str | None:
    """Why a test fails; None: every case of it writes the lines that are expected."""
    model = translated((folder / "processes" / test["file"]).read_bytes())
    for case in test["cases"]:
        found = run_case(model, test["name"], case)
        if not matches(found, case["expected_trace"]):
            why = "; ".join(_findings(model.source, test["name"])) if DEPLOYMENT in found else ""
            expected = sorted(case["expected_trace"])
            return f"case {case['number']}: expected {expected}, found {sorted(found)} {why}".strip()
    return None


def matches(found: list[str], expected: list[str]) -> bool:
    """Whether the sorted lines are the same; `ERROR` is an error of either kind, a marker counts where asked for."""
    if MARKER not in expected:
        found = [line for line in found if line != MARKER]
    if expected == ["ERROR"]:
        return len(found) == 1 and found[0].startswith(_ANY_ERROR)
    return sorted(found) == sorted(expected)


def constraint(folder: Path, test: Mapping[str, Any]) -> str | None:
    """Why a model that breaks a rule counts as accepted; None: it is refused."""
    source = (folder / "processes" / test["file"]).read_bytes()
    if _findings(_neutral(source), test["name"]):
        return None
    why = ACCEPTED.get(test["constraint"])
    return f"{test['constraint']}: loaded without an error" + (f"; {why}" if why else "")


def _neutral(source: bytes) -> bytes:
    """The model with its keywords and conditions in our words, so that nothing else is refused than what is wrong."""
    try:
        return translated(source).source
    except ValueError:
        return source


def _findings(source: bytes, name: str) -> list[str]:
    """The errors that keep a model from being run, whichever of its processes is started."""
    try:
        loaded = load(source, file=f"{name}.bpmn")
        errors = [each for each in loaded.errors if each.rule != "several-processes"]
        return [str(each) for each in errors]
    except BpmnError as error:
        return [str(error)]


def _passed(
    call: Callable[[Path, Mapping[str, Any]], str | None], folder: Path, tests: list[Mapping[str, Any]], kind: str
) -> tuple[int, list[dict[str, Any]]]:
    failed = []
    for test in tests:
        ended = isolated(lambda test=test: call(folder, test), seconds=_SECONDS, memory_mb=_MEMORY_MB)  # type: ignore[misc]
        reason = ended.value if ended.how == "done" else f"{ended.how}: {ended.reason}"
        if reason is not None:
            failed.append({"kind": kind, "name": test["name"], "file": test["file"], "reason": reason})
    return len(tests) - len(failed), failed


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.conformance", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--match", default="", help="only tests whose name contains this")
    options = parser.parse_args(arguments)
    if not (options.data / "betsy.json").is_file():
        parser.error(f"--data: there is no betsy.json in {options.data}")
    suite = json.loads((options.data / "betsy.json").read_text(encoding="utf-8"))
    tests = [each for each in suite["tests"] if options.match in each["name"]]
    every = [each for each in suite["constraints"] if options.match in each["name"]]
    constraints = [each for each in every if each["constraint"] not in UNSEEN]
    run, failed_runs = _passed(feature, options.data, tests, "feature")
    refused, accepted = _passed(constraint, options.data, constraints, "constraint")
    unseen = [each for each in every if each["constraint"] in UNSEEN]
    of_unseen, accepted_unseen = _passed(constraint, options.data, unseen, "constraint of no effect")
    for each in accepted_unseen:
        each["reason"] += f"; {UNSEEN[each['reason'].partition(':')[0]]}"
    figures = [
        Figure(
            name="conformance.features", value=float(run), unit="tests", better="higher", goal=float(len(tests)),
            conditions=f"of {len(tests)}; a test passes when each of its cases writes the lines it should",
        ),
        Figure(
            name="conformance.constraints", value=round(refused / len(constraints), 4) if constraints else None,
            unit="share", better="higher", goal=0.95,
            baselines={"of all": round((refused + of_unseen) / len(every), 4)} if every else {},
            conditions=f"{refused} of {len(constraints)} models that break a rule an engine can see, of {len(every)}",
        ),
    ]  # fmt: skip
    show(figures, as_json=options.json, failed=[*failed_runs, *accepted, *accepted_unseen])


if __name__ == "__main__":
    main()
