"""Normalised arguments and states: what is compared when attempts are (Design: CDA, dead ends)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

from governance.cda.dead_ends.model import Attempt, Signature
from governance.snapshots.canonical import canonical, digest

_LONGEST_TEXT: Final = 2_000
"""Longer arguments are compared by their hash alone: two long texts can be alike and differ where it matters."""


def signature_of(attempt: Attempt) -> Signature:
    """Raises NotJson for arguments that are none."""
    arguments = digest(canonical(normalised(attempt.arguments)))
    return Signature(action=attempt.action, arguments=arguments, state=attempt.state, hidden=_hidden(attempt))


def normalised(value: Any) -> Any:
    """Arguments without what makes no difference: case, width and spaces of text, fields that are null.

    Numbers, booleans and texts stay different values; the order of lists counts, that of fields does not.
    """
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, Mapping):
        return {str(name): normalised(each) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [normalised(each) for each in value]
    return value


def text_of(attempt: Attempt) -> str:
    """The public arguments as one line, `name: value` each; "" if there are none, or more than can be compared."""
    if not attempt.public:
        return ""
    text = "; ".join(f"{name}: {_spoken(each)}" for name, each in sorted(attempt.public.items()) if each is not None)
    return text if len(text) <= _LONGEST_TEXT else ""


def state_of(*, reads: Mapping[str, str], writes: int, version: str = "", within: str = "") -> str:
    """The state an attempt meets: what it reads as value hashes by name, how many calls with a write effect were
    made before it, the version of the tool. `within` binds it to one session."""
    return digest(canonical([sorted(reads.items()), writes, version, within]))


def dead_end_id(scope: str, signature: Signature) -> str:
    """The same for the same failure, whoever registers it; 16 hex characters."""
    return digest(canonical([scope, signature.action, signature.arguments, signature.state]))[:16]


def _hidden(attempt: Attempt) -> str:
    if not isinstance(attempt.arguments, Mapping):
        return "" if attempt.public else digest(canonical(normalised(attempt.arguments)))
    hidden = {name: value for name, value in attempt.arguments.items() if name not in (attempt.public or {})}
    return digest(canonical(normalised(hidden))) if hidden else ""


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _spoken(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ", ".join(_leaves(value))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, each in sorted(value.items()):
            yield f"{name} {_spoken(each)}"
    elif isinstance(value, list | tuple):
        yield from map(_spoken, value)
    elif value is not None:
        yield canonical(value).decode()
