"""Methods of text. Those that can make much of little are checked before they work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bpmn.expressions.errors import TypeMismatch
from bpmn.expressions.library.functions import Function
from bpmn.expressions.operations.containers import collect
from bpmn.expressions.operations.rendering import fill
from bpmn.expressions.operations.weight import TEXT_SHIFT, pay_items, pay_search, pay_text
from bpmn.expressions.run import Run
from bpmn.expressions.values import WHOLE


def _plain(method: Callable[..., Any]) -> Function:
    """A method whose time is that of one pass, and whose result is a few times its text at most."""

    def call(run: Run, text: str, /, *arguments: Any) -> Any:
        run.charge(len(text) >> TEXT_SHIFT)
        result = method(text, *arguments)
        if type(result) is str:
            pay_text(run, len(result))
        return result

    return call


def _searching(method: Callable[..., Any]) -> Function:
    """A method that at worst compares its argument at every place of the text."""

    def call(run: Run, text: str, wanted: Any = None, /, *arguments: Any) -> Any:
        if wanted is not None and type(wanted) is not str:
            raise TypeMismatch("the text to look for", wanted, operand=1)
        pay_search(run, len(text), len(wanted or ""))
        given = () if wanted is None and not arguments else (wanted, *arguments)
        return plain(run, text, *given)

    plain = _plain(method)
    return call


def _splitting(method: Callable[..., Any]) -> Function:
    def call(run: Run, text: str, sep: Any = None, maxsplit: Any = -1) -> list[str]:
        if type(sep) is str:
            pay_search(run, len(text), len(sep))
            pay_items(run, text.count(sep) if sep and maxsplit == -1 else 0)
        run.charge(len(text) >> TEXT_SHIFT)
        parts: list[str] = method(text, sep, maxsplit)
        pay_items(run, len(parts))
        return parts

    return call


def _padding(method: Callable[..., str]) -> Function:
    def call(run: Run, text: str, width: Any, /, *fill_character: Any) -> str:
        if type(width) not in WHOLE:
            raise TypeMismatch("the width is a whole number", width, operand=1)
        pay_text(run, max(width, len(text)))
        return method(text, width, *fill_character)

    return call


def _splitlines(run: Run, text: str, keepends: Any = False) -> list[str]:
    run.charge(len(text) >> TEXT_SHIFT)
    lines = text.splitlines(keepends=bool(keepends))
    pay_items(run, len(lines))
    return lines


def _join(run: Run, text: str, values: Any, /) -> str:
    parts = collect(run, values)
    length = len(text) * max(len(parts) - 1, 0)
    for part in parts:
        if type(part) is not str:
            raise TypeMismatch("join joins texts; str(...) makes text", part)
        length += len(part)
    pay_text(run, length)
    return text.join(parts)


def _replace(run: Run, text: str, old: Any, new: Any, count: Any = -1, /) -> str:
    for part in (old, new):
        if type(part) is not str:
            raise TypeMismatch("replace takes two texts", part)
    if type(count) not in WHOLE:
        raise TypeMismatch("the number of replacements is a whole number", count)
    run.charge(len(text) >> TEXT_SHIFT)
    times = text.count(old) if count < 0 else min(count, text.count(old))
    pay_text(run, len(text) + times * (len(new) - len(old)))
    return text.replace(old, new, count)


def _format(run: Run, text: str, /, *positional: Any, **named: Any) -> str:
    return fill(run, text, positional, named)


_PLAIN = (
    "capitalize", "casefold", "count", "endswith", "find", "index", "isalnum", "isalpha", "isdecimal", "isdigit",
    "islower", "isnumeric", "isspace", "istitle", "isupper", "lower", "partition", "removeprefix", "removesuffix",
    "startswith", "swapcase", "title", "upper",
)  # fmt: skip
_SEARCHING = ("lstrip", "rfind", "rindex", "rpartition", "rstrip", "strip")

TEXT_METHODS: Mapping[str, Function] = MappingProxyType({
    **{name: _plain(getattr(str, name)) for name in _PLAIN},
    **{name: _searching(getattr(str, name)) for name in _SEARCHING},
    **{name: _splitting(getattr(str, name)) for name in ("split", "rsplit")},
    **{name: _padding(getattr(str, name)) for name in ("center", "ljust", "rjust", "zfill")},
    "format": _format,
    "join": _join,
    "replace": _replace,
    "splitlines": _splitlines,
})
