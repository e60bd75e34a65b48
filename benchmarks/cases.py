"""Cases from public reports: models with the behaviour that was right, and contexts with what must come out.

python -m benchmarks.cases --data DIR [--json] [--match TEXT]

DIR holds `cases.json` (a list of cases, each with `id`, `file`, `inputs`, `expected`) and the models it names.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.case_contexts import check_context
from benchmarks.case_run import check_model
from benchmarks.figures import Figure, show
from benchmarks.isolation import isolated

_SECONDS: Final = 60.0
_MEMORY_MB: Final = 1_500


def check(folder: Path, case: Mapping[str, Any]) -> str | None:
    """What is wrong with a case; None: nothing."""
    return check_context(case) if case["file"] is None else check_model(folder, case)


def checked(folder: Path, case: Mapping[str, Any]) -> str | None:
    """The same in a process of its own, within the limits of the case."""
    inputs = case["inputs"]
    limits = {"seconds": inputs.get("limit_s", _SECONDS), "memory_mb": inputs.get("limit_mb", _MEMORY_MB)}
    ended = isolated(lambda: check(folder, case), **limits)
    reason: str | None = ended.value if ended.how == "done" else f"{ended.how}: {ended.reason}"
    return reason


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.cases", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--match", default="", help="only cases whose id contains this")
    options = parser.parse_args(arguments)
    if not (options.data / "cases.json").is_file():
        parser.error(f"--data: there is no cases.json in {options.data}")
    every = json.loads((options.data / "cases.json").read_text(encoding="utf-8"))
    cases = [each for each in every if options.match in each["id"]]
    results = {case["id"]: checked(options.data, case) for case in cases}
    failed = [{"id": id, "reason": reason} for id, reason in results.items() if reason is not None]
    value = round((len(cases) - len(failed)) / len(cases), 4) if cases else None
    figure = Figure(
        name="cases.passed_share", value=value, unit="share", better="higher", goal=1.0,
        conditions=f"{len(cases) - len(failed)} of {len(cases)} cases",
    )  # fmt: skip
    show([figure], as_json=options.json, failed=failed)


if __name__ == "__main__":
    main()
