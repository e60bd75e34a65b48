"""The words of betsy's models, in ours: keywords of scripts and Java conditions become what a modeler would write.

Each test's models are neutral: `SCRIPT_task1` stands for code that writes this line to a log. Here the log is written
by who watches the run, so that no variable of the process holds it and no branch meets another one there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree

from bpmn.namespaces import BPMN, GOV, qualified

_EXPRESSIONS: Final = tuple(
    qualified(BPMN, name)
    for name in (
        "conditionExpression", "condition", "loopCondition", "loopCardinality", "completionCondition",
        "activationCondition",
    )
)  # fmt: skip
_WORDS: Final[Mapping[str, str]] = {"true": "True", "false": "False"}
_CONTAINS: Final = re.compile(r'(!?)\s*(\w+)\.contains\(\s*("[^"]*"|\'[^\']*\')\s*\)')
VALUE: Final = "String"
"""What SET_STRING_DATA writes."""
BY_HANDLER: Final = re.compile(r"THROW_ERROR|CREATE_TIMESTAMP_LOG_\d+|WAIT_TEN_SECONDS")
"""Scripts that do what no script may do here: a handler does them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model that can be run: its source, and by id of each script task the keyword it stands for."""

    source: bytes
    keywords: Mapping[str, str]
    variable: str
    """The variable that SET_STRING_DATA and LOG_DATA are about."""
    error: str
    """The code of the error that THROW_ERROR throws."""


def translated(source: bytes) -> Model:
    """A model of betsy's with our scripts and conditions in it."""
    root = etree.fromstring(source, etree.XMLParser(resolve_entities=False, no_network=True))
    variable, error = _variable(root), _error(root)
    keywords: dict[str, str] = {}
    for task in root.iter(qualified(BPMN, "scriptTask"), qualified(BPMN, "globalScriptTask")):
        script = task.find(qualified(BPMN, "script"))
        keyword = (script.text or "").strip() if script is not None else ""
        if script is None or not _is_keyword(keyword):
            continue
        keywords[task.get("id", "")] = keyword
        if BY_HANDLER.fullmatch(keyword) and task.tag == qualified(BPMN, "scriptTask"):
            task.remove(script)
            task.tag = qualified(BPMN, "serviceTask")
            task.set(qualified(GOV, "jobType"), keyword)
        else:
            script.text = _script(keyword, variable)
    for expression in root.iter(*_EXPRESSIONS):
        if expression.text and expression.text.strip():
            expression.text = condition(expression.text.strip())
    return Model(source=etree.tostring(root), keywords=keywords, variable=variable, error=error)


def condition(text: str) -> str:
    """A Java condition as the Python subset writes it; behind that of one model stands a `>` that belongs to none."""
    text = text.removesuffix(">").rstrip()
    text = re.sub(r"^\$\{(.*)\}$", r"\1", text)
    text = _CONTAINS.sub(lambda match: f"{match[3]} {'not in' if match[1] else 'in'} {match[2]}", text)
    return _WORDS.get(text, text)


def _is_keyword(text: str) -> bool:
    return bool(re.fullmatch(r"[A-Z]+(_[A-Za-z0-9]+)+", text))


def _script(keyword: str, variable: str) -> str:
    if keyword.startswith("INCREMENT_INTEGER_VARIABLE"):
        return "integerVariable = integerVariable + 1"
    return f"{variable} = {VALUE!r}" if keyword == "SET_STRING_DATA" else "pass"


def _variable(root: Any) -> str:
    for name in ("dataObject", "property"):
        for node in root.iter(qualified(BPMN, name)):
            return str(node.get("name") or node.get("id"))
    return "data"


def _error(root: Any) -> str:
    codes = (node.get("errorCode") for node in root.iter(qualified(BPMN, "error")))
    return next((code for code in codes if code), "ERR-1")
