"""JSON form of a definition: plain, deterministic, the same for a value read back.

A mapping of things that have an `id` is written as a list, since JSON stores need not keep the order of keys; fields
at their default are left out; resolved policies, which many elements share, are written once in a table.
"""

from __future__ import annotations

import dataclasses
import hashlib
import types
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import orjson
from pydantic import BaseModel, ValidationError

from bpmn.definition import Definition
from bpmn.errors import CorruptDefinition
from governance.policy import ResolvedPolicy

VERSION = 1

Json = Any
_Policies = list[ResolvedPolicy]
_Decoder = Callable[[Json, _Policies], Any]


def to_json(definition: Definition) -> dict[str, Json]:
    """The definition as JSON values; `from_json` gives an equal one back."""
    encoder = _Encoder()
    body = encoder.encode(definition)
    return {"version": VERSION, "policies": encoder.table, **body}


def from_json(data: Mapping[str, Json]) -> Definition:
    """The definition that `to_json` wrote.

    Raises `CorruptDefinition` when the data has another form or version.
    """
    file = str(data.get("file", "definition"))
    if data.get("version") != VERSION:
        raise CorruptDefinition("form of definition", file=file, found=repr(data.get("version")), allowed=str(VERSION))
    try:
        policies = [ResolvedPolicy.model_validate(policy) for policy in data["policies"]]
        body = {key: value for key, value in data.items() if key not in ("version", "policies")}
        return cast(Definition, _decoder(Definition)(body, policies))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ValidationError) as error:
        raise CorruptDefinition("not the form of a definition", file=file, found=str(error)) from error


def definition_hash(definition: Definition) -> str:
    """SHA-256, hex, of the JSON form. The file's name is left out: the same content is the same definition."""
    body = {key: value for key, value in to_json(definition).items() if key != "file"}
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


class _Encoder:
    """Writes dataclasses as JSON and gathers the policies they share."""

    def __init__(self) -> None:
        self.table: list[Json] = []
        self._seen: dict[int, int] = {}
        self._by_text: dict[bytes, int] = {}

    def encode(self, value: Any) -> Json:
        if isinstance(value, str | int | float | None):
            return value
        if isinstance(value, tuple | list):
            return [self.encode(item) for item in value]
        if isinstance(value, ResolvedPolicy):
            return self._policy(value)
        if isinstance(value, BaseModel):
            return value.model_dump(mode="json", exclude_unset=True)
        if isinstance(value, Mapping):
            if value and all(hasattr(item, "id") for item in value.values()):
                return [self.encode(item) for item in value.values()]
            return {key: self.encode(item) for key, item in value.items()}
        return self._fields(value)

    def _fields(self, value: Any) -> dict[str, Json]:
        fields = ((name, getattr(value, name), default) for name, default in _defaults(cast(Hashable, type(value))))
        return {
            name: self.encode(item)
            for name, item, default in fields
            if isinstance(item, ResolvedPolicy) or item != default or type(item) is not type(default)
        }

    def _policy(self, policy: ResolvedPolicy) -> int:
        index = self._seen.get(id(policy))
        if index is None:
            dumped = policy.model_dump(mode="json")
            text = orjson.dumps(dumped, option=orjson.OPT_SORT_KEYS)
            index = self._by_text.setdefault(text, len(self.table))
            if index == len(self.table):
                self.table.append(dumped)
            self._seen[id(policy)] = index
        return index


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    def default(field: dataclasses.Field[Any]) -> Any:
        return field.default_factory() if callable(field.default_factory) else field.default

    return tuple((field.name, default(field)) for field in dataclasses.fields(kind))


@cache
def _decoder(hint: Any) -> _Decoder:
    if hint is ResolvedPolicy:
        return lambda value, policies: policies[_index(value)]
    if dataclasses.is_dataclass(hint):
        return _fields_decoder(cast(type, hint))
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return lambda value, _: hint.model_validate(value)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = _decoder(next(argument for argument in arguments if argument is not type(None)))
        return lambda value, policies: None if value is None else inner(value, policies)
    if origin is tuple:
        item = _decoder(arguments[0])
        return lambda value, policies: tuple(item(one, policies) for one in value)
    if origin is Mapping:
        return _mapping_decoder(_decoder(arguments[1]))
    return lambda value, _: value


def _mapping_decoder(item: _Decoder) -> _Decoder:
    def decode(value: Json, policies: _Policies) -> dict[str, Any]:
        if isinstance(value, list):
            decoded = (item(one, policies) for one in value)
            return {one.id: one for one in decoded}
        return {key: item(one, policies) for key, one in value.items()}

    return decode


def _fields_decoder(kind: type) -> _Decoder:
    @cache
    def decoders() -> Mapping[str, _Decoder]:
        # Only when they are needed, since a type may hold itself; whole or not at all, since threads share them.
        return {name: _decoder(hint) for name, hint in get_type_hints(kind).items()}

    def decode(value: Json, policies: _Policies) -> Any:
        of = decoders()
        return kind(**{name: of[name](item, policies) for name, item in value.items()})

    return decode


def _index(value: Json) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no index of a policy")
    return value
