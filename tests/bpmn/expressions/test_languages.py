"""Which language a text is in, and that only known ones are compiled."""

from __future__ import annotations

import pytest

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.errors import UnsupportedLanguage
from bpmn.expressions.languages import FRONT_ENDS, language_of
from tests.bpmn.expressions.support import WHERE


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("a > 1", None, "python"),
        ("a == 1", None, "python"),
        ("= a > 1", None, "feel"),
        ("  =a", "", "feel"),
        ("${a > 1}", None, "juel"),
        ("#{a}", None, "juel"),
        ("n-${a}", None, "juel"),
        ("a", "python", "python"),
        ("a", "text/x-Python3", "python"),
        ("a", "feel", "feel"),
        ("a = 1", "http://www.omg.org/spec/DMN/20180521/FEEL/", "feel"),
        ("a = 1", "https://www.omg.org/spec/DMN/20191111/FEEL/", "feel"),
        ("a", "juel", "juel"),
        ("a", "http://www.w4.eu/spec/EL/20110701", "juel"),
        ("a", "http://www.w3.org/1999/XPath", "python"),
        ("${a}", "http://www.w3.org/1999/XPath", "http://www.w3.org/1999/XPath"),
        ("a", "groovy", "groovy"),
        ("a", "JavaScript", "JavaScript"),
        ("a", "http://groovy.codehaus.org/", "http://groovy.codehaus.org/"),
    ],
)
def test_language(text: str, declared: str | None, language: str) -> None:
    assert language_of(text, declared) == language


@pytest.mark.parametrize(
    ("text", "declared", "language"), [("a", "groovy", "groovy"), ("a", "XQuery", "XQuery")]
)
def test_a_language_without_a_front_end_is_named(text: str, declared: str | None, language: str) -> None:
    for compile_text in (compile_condition, compile_script):
        with pytest.raises(UnsupportedLanguage) as caught:
            compile_text(text, where=WHERE, language=declared)
        assert (caught.value.language, caught.value.supported) == (language, tuple(sorted(FRONT_ENDS)))
        assert str(caught.value).startswith("claims.bpmn:42: flow_3: ")


def test_a_program_knows_its_language() -> None:
    assert compile_condition("a", where=WHERE, language="Python").language == "python"
    assert compile_condition("= a", where=WHERE).language == "feel"
    assert compile_condition("a", where=WHERE, language="http://www.omg.org/spec/FEEL/20140401").language == "feel"
    assert compile_script("a = 1", where=WHERE, language="python").language == "python"
