"""The reference is what the code says now, and what real instances come to."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

import pytest

from bpmn.check.catalogue import RULES
from docs.make import findings
from docs.make.events import fields
from docs.make.pages import DOCS, PAGES
from docs.make.results import PARTS, SOMETIMES, objects
from engine.events import EventType
from tests.docs.stories import Stories, stories
from tests.project.tree import ROOT, files

REPORTING = {"error", "warning", "_report"}
"""Functions that take a rule's code as their first argument."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Stories:
    return stories(tmp_path_factory.mktemp("stories"))


@pytest.mark.parametrize("path", PAGES)
def test_the_file_is_written_anew_after_a_change(path: str) -> None:
    assert (DOCS / path).read_text(encoding="utf-8") == PAGES[path](), "run: python -m docs.make"


def test_events_have_the_fields_that_are_told(told: Stories) -> None:
    found: dict[EventType, set[str]] = defaultdict(set)
    for event in told.events:
        found[event.type] |= set(event.data)
    assert found == {type: set(fields(type)) for type in found}
    assert set(EventType) - set(found) <= {EventType.ATTENTION}


@pytest.mark.parametrize("place", PARTS)
def test_results_have_the_fields_that_are_told(place: str, told: Stories) -> None:
    results = [result.to_json() for result in told.results]
    found = set(chain.from_iterable(chain.from_iterable(objects(result, place) for result in results)))
    assert found - {SOMETIMES.get(place)} == set(PARTS[place])


def codes() -> Iterator[str]:
    """Codes of findings other than rules: `reading.error("code", ...)`, `Finding(rule="code", ...)`."""
    for module in chain(files(ROOT / "bpmn", ".py"), [ROOT / "engine/cli/checking.py"]):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            given = [each.value for each in node.keywords if each.arg == "rule"]
            if isinstance(node.func, ast.Attribute) and node.func.attr in REPORTING:
                given += node.args[:1]
            texts = (str(each.value) for each in given if isinstance(each, ast.Constant))
            yield from (text for text in texts if " " not in text)


def test_every_finding_is_told() -> None:
    assert set(codes()) == set(findings.READING)


def test_every_rule_says_what_holds() -> None:
    assert [rule.code for rule in RULES if not findings.holds(rule).endswith((".", ")."))] == []
