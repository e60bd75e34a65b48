"""The catalogue is whole: whatever a page says can be said in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.report.environment import TEMPLATES
from engine.report.model.attention import DIMENSIONS
from engine.server.identity.roles import Role
from engine.server.views.heat import SCALES
from engine.server.words.catalogue import CHINESE, ENGLISH, messages
from engine.status import Status
from tests.engine.server.clients import create_app

SERVER = Path(create_app.__code__.co_filename).parent
_SAID = re.compile(r"""\bt\((?:"((?:[^"\\]|\\.)*)"|'([^']*)')(?=[,)])""")
_PLACE = re.compile(r"\{(\w+)\}")


def said() -> Iterator[str]:
    """Every text that a template hands to its translation."""
    for folder in (TEMPLATES, SERVER / "templates"):
        for file in folder.rglob("*.j2"):
            for found in _SAID.finditer(file.read_text(encoding="utf-8")):
                yield (found[1] or found[2]).replace('\\"', '"')
    yield from Status
    yield from Role
    yield from (f"heat {scale}" for scale in SCALES)
    yield from (word for pair in DIMENSIONS.values() for word in pair)


def test_everything_is_said_in_chinese() -> None:
    assert len(set(said())) > 200
    assert sorted({text for text in said() if text not in messages(CHINESE)}) == []


@pytest.mark.parametrize("language", [ENGLISH, CHINESE])
def test_a_translation_keeps_the_places_for_values(language: str) -> None:
    for text, told in messages(language).items():
        assert set(_PLACE.findall(told)) == set(_PLACE.findall(text)), text
