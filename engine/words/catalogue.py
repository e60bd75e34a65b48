"""What pages say, in English and in Chinese: the English text is the key, or a word where that would be ambiguous."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson

from engine.told import Recorded, Told
from engine.words.forms import Forms

ENGLISH: Final = "en"
CHINESE: Final = "zh"
LANGUAGES: Final[Mapping[str, str]] = {ENGLISH: "English", CHINESE: "中文"}
"""Each by its own name."""
_HERE: Final = Path(__file__).parent

Translate = Callable[..., str]
"""`t("{count} left", count=3)`: the text in the reader's language, with values put in. It takes a `Told`, too."""


@cache
def messages(language: str) -> Mapping[str, str]:
    """The catalogue of a language by English text; that of English has what is no text yet."""
    return _read(f"{language}.json")


@cache
def sentences(language: str) -> Mapping[str, str]:
    """What the engine writes into events, questions and instances, by its English form; none for English."""
    return {} if language == ENGLISH else _read(f"{language}.sentences.json")


@cache
def rules(language: str) -> Mapping[str, str]:
    """What the check of a file asks for, by the code of the rule; none for English, which findings are told in."""
    return {} if language == ENGLISH else _read(f"{language}.rules.json")


@cache
def translator(language: str) -> Translate:
    """What is not in the catalogue is told in English."""
    catalogue, forms = messages(language), Forms(sentences(language))

    def translate(text: str, /, **values: Any) -> str:
        if isinstance(text, Recorded):
            return forms.translated(str(text), translate) or catalogue.get(text, str(text))
        if isinstance(text, Told):
            if text.english is not None and text.template not in catalogue:
                return text.english
            return translate(text.template, **text.values)
        known = catalogue.get(text, text)
        if not values:
            return known
        return known.format(**{name: in_language(value) for name, value in values.items()})

    def in_language(value: Any) -> Any:
        return translate(value) if isinstance(value, Told) else value

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


def _read(name: str) -> Mapping[str, str]:
    found: Mapping[str, str] = orjson.loads((_HERE / name).read_bytes())
    return found
