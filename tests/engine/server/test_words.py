"""The catalogue is whole: whatever a page says can be said in every language."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from bpmn.check.catalogue import RULES
from docs.make.findings import READING
from engine.report.environment import TEMPLATES
from engine.report.model import contexts, headline, learning, operations, people, policies, telling
from engine.report.model.attention import DIMENSIONS
from engine.server.identity.roles import Role
from engine.server.views.heat import SCALES
from engine.status import Status
from engine.told import joined, recorded, told
from engine.words.catalogue import CHINESE, ENGLISH, messages, rules, sentences, translator
from engine.words.forms import Forms
from governance.attention.report import Health
from governance.flywheel.item import SourceKind, Standing
from tests.engine.server.chinese import is_latin
from tests.engine.server.clients import create_app

SERVER = Path(create_app.__code__.co_filename).parent
ROOT = SERVER.parents[1]
_SAID = re.compile(r"""\bt\((?:"((?:[^"\\]|\\.)*)"|'([^']*)')(?=[,)])""")
_OWN = re.compile(r"\s*[|:;.,()]\s*")
_COMPOSED = re.compile(
    r"wants to |suspended by$|(?:and|branches) add to$|(?:attention raises|what is kept alone is) pressure$"
)
"""Words that come together only when a sentence is made."""
_PLACE = re.compile(r"\{(\w+)[^}]*\}")


def said() -> Iterator[str]:
    """Every text that a template or a module hands to its translation."""
    for folder in (TEMPLATES, SERVER / "templates"):
        for file in folder.rglob("*.j2"):
            for found in _SAID.finditer(file.read_text(encoding="utf-8")):
                yield (found[1] or found[2]).replace('\\"', '"')
    for file in chain(TEMPLATES.parent.rglob("*.py"), (SERVER / "views").rglob("*.py"), [ROOT / "engine" / "names.py"]):
        yield from told_in(ast.parse(file.read_text(encoding="utf-8")))
    yield from Status
    yield from Role
    yield from Health
    yield from (f"heat {scale}" for scale in SCALES)
    yield from (f"knowledge {word}" for word in (*SourceKind, *Standing))
    yield from (word for pair in DIMENSIONS.values() for word in pair)
    yield from (text for pair in policies.FIELDS.values() for text in pair)
    tables: list[Mapping[Any, str]] = [headline._STATES, people._LEVELS, people._DECISIONS, operations._ENDS]
    for table in (*tables, operations._INFORMED, contexts._SEES, telling._DOERS, learning._DEAD_ENDS):
        yield from table.values()


def told_in(module: ast.AST) -> Iterator[str]:
    """Texts in calls of `told` and `_said`, and those kept as a `form` for one."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("told", "_said"):
            yield from _texts(node.args[0])
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "form":
            yield from _texts(node.value)


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from chain(_texts(node.body), _texts(node.orelse))
    elif isinstance(node, ast.Constant) and node.value:
        yield str(node.value)


def test_everything_is_said_in_chinese() -> None:
    assert len(set(said())) > 400
    assert sorted({text for text in said() if text not in messages(CHINESE)}) == []


def test_what_a_check_asks_for_is_said_in_chinese() -> None:
    codes = {*(rule.code for rule in RULES), *READING}
    assert codes ^ rules(CHINESE).keys() == set()
    names = ("incoming", "outgoing", "Java", "Python", "gov:agent", "gov:", ".dmn")
    assert [text for text in rules(CHINESE).values() if is_latin(text, *names)] == []
    assert rules(ENGLISH) == {}


@pytest.mark.parametrize("known", [messages(ENGLISH), messages(CHINESE), sentences(CHINESE)])
def test_a_translation_keeps_the_places_for_values(known: dict[str, str]) -> None:
    for text, other in known.items():
        assert set(_PLACE.findall(other)) == set(_PLACE.findall(text)), text


def test_sentences_are_those_that_the_engine_writes() -> None:
    """Whoever changes one changes its form, too: its own words stand somewhere in the code."""
    folders = (ROOT / name for name in ("engine", "governance"))
    code = "\n".join(file.read_text(encoding="utf-8") for folder in folders for file in folder.rglob("*.py"))
    flat = re.sub(r"\"\s*f?\"", "", code)
    parts = {form: _OWN.split(_PLACE.sub("|", form)) for form in sentences(CHINESE)}
    gone = {form: part for form, found in parts.items() for part in found if len(part) > 8 and part not in flat}
    gone = {form: part for form, part in gone.items() if not _COMPOSED.match(part)}
    assert gone == {}


def test_text_is_told_in_another_language_with_all_in_it() -> None:
    t = translator(CHINESE)
    text = told("{by} answers: {decision}", by="ann", decision=told("approve"))
    assert text == "ann answers: approve"
    assert t(text) == "ann答复\uff1a批准"
    assert t(joined([told("open"), "open"])) == "待处理、open"
    assert joined([told("open"), "open"]) == "open, open"
    assert translator(ENGLISH)(text) == text
    assert t(recorded("skipped by ann: no {need}")) == "由 ann 跳过\uff1ano {need}"
    assert translator(ENGLISH)(recorded("skipped by ann")) == "skipped by ann"
    assert t(recorded("what ann wrote")) == "what ann wrote"


def test_a_form_is_no_pattern_and_costs_no_more_than_the_text() -> None:
    forms = Forms({"{a} of {b} in {c}.": "{c}: {b}, {a}", "so it stands: {why*}": "so {why}", ".*": "any"})
    assert forms.translated("1 of 2 in 3.", str) == "3: 2, 1"
    assert forms.translated("so it stands: 1 of 2 in 3.", str) == "so 3: 2, 1"
    assert forms.translated("so it stands: it is", str) == "so it is"
    assert forms.translated("1 of 2 in .", str) is None
    assert forms.translated("1 of 2 in 3.; so it stands: it is", str) == "3: 2, 1; so it is"
    assert forms.translated("anything", str) is None
    assert forms.translated(" of " * 500, str) is None


def test_sentences_within_each_other_are_looked_at_once() -> None:
    forms, asked = Forms({"so it stands: {why*}": "so {why}"}), list[str]()

    def other(text: str) -> str:
        asked.append(text)
        return text

    assert forms.translated("so it stands: " * 5 + "it is", other) == "so so so so so it is"
    assert asked == ["it is"]
    told = forms.translated("so it stands: " * 100 + "it is", other) or ""
    assert told.startswith("so so ")
    assert told.endswith("so it stands: it is")
    assert len(asked) == 2
