"""What pages say, in English and in Chinese: the English text is the key, or a word where that would be ambiguous."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson

ENGLISH: Final = "en"
CHINESE: Final = "zh"
LANGUAGES: Final[Mapping[str, str]] = {ENGLISH: "English", CHINESE: "中文"}
"""Each by its own name."""

Translate = Callable[..., str]
"""`t("{count} left", count=3)`: the text in the reader's language, with values put in."""


@cache
def messages(language: str) -> Mapping[str, str]:
    """The catalogue of a language by English text; that of English has what is no text yet."""
    found: Mapping[str, str] = orjson.loads((Path(__file__).parent / f"{language}.json").read_bytes())
    return found


@cache
def translator(language: str) -> Translate:
    """What is not in the catalogue is told in English."""
    catalogue = messages(language)

    def translate(text: str, **values: Any) -> str:
        told = catalogue.get(text, text)
        return told.format(**values) if values else told

    return translate


def choose(asked: str, accepted: str) -> str:
    """The language of a page: the one that was asked for, else the first that the browser accepts and we have."""
    if asked in LANGUAGES:
        return asked
    for part in accepted.split(","):
        language = part.partition(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return ENGLISH
