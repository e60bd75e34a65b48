"""What every benchmark gives: figures with their goals, and the machine they were measured on.

As JSON: {"figures": [{"name", "value", "unit", "goal", "better": "higher" | "lower", "baselines": {what: number},
"conditions"}], "machine": {...}}. A value or a goal that there is none of is null. Benchmarks that go through a set of
things add "failed": one object, with a reason, for each that did not pass.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

_PACKAGES = ("bpmn-governor", "SpiffWorkflow", "immutables", "orjson", "pydantic", "SQLAlchemy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One number. `baselines` are the same quantity of something else, `conditions` how it was measured."""

    name: str
    value: float | None
    unit: str
    better: Literal["higher", "lower"]
    goal: float | None = None
    baselines: Mapping[str, float] = field(default_factory=dict)
    conditions: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without a goal, or without a value."""
        if self.goal is None or self.value is None:
            return None
        return self.value >= self.goal if self.better == "higher" else self.value <= self.goal


def machine() -> dict[str, Any]:
    """Where and when: processor, cores, load, versions, date."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: found for name in _PACKAGES if (found := _version(name))},
        "date": datetime.now(UTC).date().isoformat(),
    }


def document(figures: Iterable[Figure], failed: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """The shape that all benchmarks print; those that go through a set of things list the ones that `failed`."""
    listed = {} if failed is None else {"failed": list(failed)}
    return {"figures": [asdict(each) for each in figures], "machine": machine(), **listed}


def figures_in(found: Mapping[str, Any]) -> list[Figure]:
    """The figures of a document."""
    return [Figure(**each) for each in found["figures"]]


def lines(figures: Iterable[Figure]) -> list[str]:
    """A Markdown table of figures."""
    cells = (
        (f"`{each.name}`", number(each.value), each.unit, _goal(each), _baselines(each), each.conditions)
        for each in figures
    )
    rows = [f"| {' | '.join(each)} |" for each in cells]
    return ["| figure | value | unit | goal | beside it | conditions |", "|---|--:|---|---|---|---|", *rows]


def number(value: float | None) -> str:
    """Three significant digits or more, thousands apart."""
    if value is None:
        return "not measured"
    if abs(value) >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _goal(figure: Figure) -> str:
    if figure.goal is None:
        return ""
    sign = "≥" if figure.better == "higher" else "≤"
    mark = {True: " ✓", False: " ✗", None: ""}[figure.reached]
    return f"{sign} {number(figure.goal)}{mark}"


def _baselines(figure: Figure) -> str:
    return "; ".join(f"{name} {number(value)}" for name, value in figure.baselines.items())


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name"))
    return next(names, platform.processor())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def show(
    figures: list[Figure], *, as_json: bool, failed: Sequence[Mapping[str, Any]] | None = None
) -> None:
    """Print figures: as one JSON object, or a line each, after what failed."""
    if as_json:
        print(json.dumps(document(figures, failed), indent=2))
        return
    for each in failed or ():
        print(" ".join(f"{name}={value}" for name, value in each.items()))
    for figure in figures:
        name, value = figure.name, number(figure.value)
        print(f"{name:45} {value:>10} {figure.unit:17} {_goal(figure):12} {_baselines(figure)} {figure.conditions}")
