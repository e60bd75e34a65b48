"""An error as JSON: its facts by name. What a command prints with --json, and what a server answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from pydantic import BaseModel


def facts_of(error: BaseException) -> dict[str, Any]:
    """The public fields of an error of ours, as JSON values."""
    return {name: _plain(value) for name, value in vars(error).items() if not name.startswith("_")}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence | set | frozenset):
        return [_plain(part) for part in value]
    return str(value)
