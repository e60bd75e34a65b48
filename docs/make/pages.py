"""All that is made: by its path below `docs`, the function that writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs.make import (
    answers,
    commands,
    elements,
    events,
    expressions,
    feel,
    findings,
    human_loop,
    injection,
    policies,
    recordings,
    rest,
    results,
    rules,
)
from docs.make.pictures import context

DOCS: Final = Path(__file__).parents[1]

PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "reference/answers.md": answers.write,
    "reference/cli.md": commands.write,
    "reference/elements.md": elements.write,
    "reference/events.md": events.write,
    "reference/expressions.md": expressions.write,
    "reference/feel.md": feel.write,
    "reference/findings.md": findings.write,
    "reference/human-loop.md": human_loop.write,
    "reference/injection.md": injection.write,
    "reference/policy.md": policies.write,
    "reference/recordings.md": recordings.write,
    "reference/rest.md": rest.write,
    "reference/result.md": results.write,
    **rules.pages(),
    "pictures/context.svg": context.draw,
}
