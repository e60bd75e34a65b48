"""Expressions and scripts: their text, their declared language, and the line on which the text begins."""

from __future__ import annotations

import textwrap

from bpmn.definition import Expression, Script
from bpmn.namespaces import ZEEBE
from bpmn.reader.extensions import extension
from bpmn.reader.vendors import family_attribute
from bpmn.reader.xml import Xml, attribute

_DEFAULT_LANGUAGES = frozenset({"http://www.w3.org/1999/XPath", "http://www.w3.org/TR/XPath"})


def declared_language(root: Xml) -> str | None:
    """The language `definitions` declares for all expressions.

    XPath is what BPMN says when nothing is said, and modelers write it out without asking: it tells nothing.
    """
    language = attribute(root, "expressionLanguage")
    return None if language in _DEFAULT_LANGUAGES else language


def read_expression(node: Xml | None, language: str | None) -> Expression | None:
    """An expression element's text; `language` counts where it declares none. None where there is no text."""
    if node is None:
        return None
    text = "".join(node.itertext())
    if not text.strip():
        return None
    return Expression(text=text.strip(), language=attribute(node, "language") or language, line=_first_line(node, text))


def read_script(task: Xml, node: Xml | None) -> Script | None:
    """A script task's script, in whatever form a dialect writes it; None where there is no text."""
    own = extension(task, ZEEBE, "script")
    if own is not None and attribute(own, "expression"):
        return Script(
            text=attribute(own, "expression") or "",
            language="feel",
            line=own.sourceline,
            result=attribute(own, "resultVariable"),
        )
    result = family_attribute(task, "resultVariable", "resultVariableName")
    return None if node is None else script_of(node, attribute(task, "scriptFormat"), result)


def script_of(node: Xml, language: str | None, result: str | None = None) -> Script | None:
    """An element's text as a script, not indented; None where there is none."""
    text = "".join(node.itertext())
    if not text.strip():
        return None
    lines = text.rstrip().splitlines()
    while not lines[0].strip():
        del lines[0]
    return Script(
        text=textwrap.dedent("\n".join(lines)), language=language, line=_first_line(node, text), result=result
    )


def _first_line(node: Xml, text: str) -> int | None:
    blank = text[: len(text) - len(text.lstrip())]
    return None if node.sourceline is None else node.sourceline + blank.count("\n")
