"""Chinese has a text for all that the designer says, and nothing that it does not say."""

from __future__ import annotations

import json
import re
from pathlib import Path

from bpmn.designer.vocabulary import offered

DESIGNER = Path(__file__).parents[4] / "engine" / "server" / "designer"
SAID = re.compile(r"""\bt\((?:[^'"()]*\? )?(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")(?: : '([^']*)')?""")
LABELS = re.compile(r"""\b(?:label|add): '([^']*)'|^  \w+: \['([^']*)', (?:'([^']*)'|"([^"]*)")\]""", re.MULTILINE)
LEVELS = re.compile(r"^  [A-Z_]+: '([^']*)'", re.MULTILINE)
HOLES = re.compile(r"\{\w+\}")


def said() -> set[str]:
    found: set[str] = set()
    for file in (DESIGNER / "static" / "designer").glob("*.js"):
        text = file.read_text(encoding="utf-8")
        for pattern in (SAID, LABELS, LEVELS):
            found.update(part for match in pattern.finditer(text) for part in match.groups() if part)
    return found


def chinese() -> dict[str, str]:
    words: dict[str, str] = json.loads((DESIGNER / "words" / "zh.json").read_text(encoding="utf-8"))
    return words


def test_all_that_the_page_says_has_a_chinese_text() -> None:
    assert len(said()) > 100
    assert said() - chinese().keys() == set()


def test_all_fields_have_a_chinese_name_and_meaning() -> None:
    told = {text for field in offered() for text in (field.label, field.description)}
    assert told - chinese().keys() == set()


def test_a_translation_has_the_same_values() -> None:
    for english, words in chinese().items():
        assert sorted(HOLES.findall(english)) == sorted(HOLES.findall(words)), english
