"""How vendors' forms name the fields of a policy: `gov:windowTokens`, `gov.windowTokens`, `gov_windowTokens`.

After `gov_`, which stands where neither colon nor dot may, `_` is the dot inside a name: `gov_branchStrategy_merge`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Final

from bpmn.policies.setting import Setting
from bpmn.reader.xml import Xml

_NAME: Final = re.compile(r"gov([:._])(.+)", re.DOTALL)


def field_of(name: str | None) -> str | None:
    """The field that a vendor's name stands for; None: it is no setting of a policy."""
    match = _NAME.fullmatch((name or "").strip())
    if match is None:
        return None
    return match[2].replace("_", ".") if match[1] == "_" else match[2]


def settings(written: Iterable[tuple[str | None, str | None, Xml]], source: str) -> Iterator[Setting]:
    """The settings among names and values written in one form, each with its node; blank ones mean: inherit."""
    for name, value, node in written:
        field = field_of(name)
        if field is not None and value is not None and value.strip():
            yield Setting(name=field, value=value.strip(), source=source, line=node.sourceline)


def unquoted(text: str | None) -> str | None:
    """The text that a constant stands for where a form asks for an expression: `="SUMMARY"`, `'SUMMARY'`, `=8000`."""
    if text is None:
        return None
    inner = text.strip().removeprefix("=").strip()
    if len(inner) > 1 and inner[0] == inner[-1] and inner[0] in "\"'":
        try:
            value = ast.literal_eval(inner)
        except (ValueError, SyntaxError):
            return inner[1:-1]
        return str(value)
    return inner
