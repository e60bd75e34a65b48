"""Whatever the text: a result or an ExpressionError with its place."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpmn.expressions.compiler import compile_condition, compile_script
from bpmn.expressions.errors import ExpressionError
from bpmn.expressions.limits import Limits
from tests.bpmn.expressions.support import WHERE, spelled

TOKENS = st.sampled_from([
    *"abxy()[]{}:,.=+-*/%<>!@&|^~\n\t'\"#;\\1 é\ud800\0\r\f\u2028",
    "f'", "{a", "}'", "'''", "for ", " in ", "if ", "else", "not ", "is ", "and ", "lambda ", "del ", "while ", "pass",
    "break", "None", "True", "1e9", "0x1f", "**", "//", "<<", "+=", ":=", "==", ".append(", ".pop(", ".get(",
    ".format(", ".join(", "len(", "sorted(", "range(", "sum(", "max(", "\n  ", "\n    ", "[0]", ".k", "__class__",
    "yield ", "await ", "async ", "import ",
])  # fmt: skip
LIMITS = Limits(steps=2000, text=500, items=50, result=2000)
VARIABLES: dict[str, Any] = {"a": [1, {"k": [2]}], "b": {"k": [1]}, "x": "text", "y": 3}


@settings(max_examples=500)
@given(text=st.lists(TOKENS, max_size=14).map("".join))
@pytest.mark.parametrize("compile_text", [compile_condition, compile_script])
def test_any_text(compile_text: Any, text: str) -> None:
    variables = deepcopy(VARIABLES)
    failed: ExpressionError | None = None
    try:
        program = compile_text(text, where=WHERE)
        spelled(program.evaluate(variables, LIMITS))
        spelled(program.execute(variables, LIMITS).set)
    except ExpressionError as error:
        failed = error
    assert failed is None or str(failed).startswith("claims.bpmn:")
    assert variables == VARIABLES
