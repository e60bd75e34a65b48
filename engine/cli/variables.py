"""The variables a run starts with, from the command line and from a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from engine.cli.errors import BadOption
from engine.json_text import parse


def read_variables(pairs: Iterable[str], file: str | None) -> dict[str, Any]:
    """What `--vars FILE` has, then `--var name=value`, which win. Raises BadOption, BadYaml."""
    return {**(read_file(Path(file)) if file else {}), **dict(map(read_pair, pairs))}


def read_pair(pair: str) -> tuple[str, Any]:
    """`name=value` as name and value: JSON where it is JSON, else text. Raises BadOption."""
    name, equals, text = pair.partition("=")
    if not equals:
        raise BadOption("--var", pair, "there is no '='; write --var name=value")
    if not name.strip():
        raise BadOption("--var", pair, "there is no name before the '='; write --var name=value")
    return name.strip(), json_or_text(text)


def json_or_text(text: str) -> Any:
    """The JSON value that `text` is, else the text itself."""
    try:
        return parse(text)
    except json.JSONDecodeError:
        return text


def read_duration(option: str, text: str) -> timedelta:
    """How long `text` lasts, ISO 8601 without calendar months. Raises BadOption."""
    from bpmn.timers import DURATION_FORMS, parse_duration

    try:
        duration = parse_duration(text)
    except ValueError as error:
        raise BadOption(option, text, f"{error}; write it as {' or '.join(DURATION_FORMS)}") from error
    if duration.months:
        raise BadOption(option, text, "months differ in length; say it in days")
    return duration.rest


def json_object(option: str, text: str) -> Mapping[str, Any]:
    """The JSON object given for an option. Raises BadOption."""
    try:
        value = parse(text)
    except json.JSONDecodeError as error:
        raise BadOption(option, text, f"not JSON: {error.msg} at character {error.pos}") from error
    if not isinstance(value, dict):
        raise BadOption(option, text, 'a JSON object is expected, such as {"approved": true}')
    return value


def read_file(path: Path) -> dict[str, Any]:
    """The object in a JSON or YAML file. Raises BadOption, BadYaml."""
    if path.suffix.lower() != ".json":
        from engine.people.yaml_nodes import YamlFile

        file = YamlFile(path)
        return {} if file.root is None else {name: file.value(node) for name, node in file.fields(file.root).items()}
    try:
        value = parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadOption("--vars", str(path), f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadOption("--vars", str(path), f"not UTF-8: byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise BadOption("--vars", str(path), f"not JSON: line {error.lineno}: {error.msg}") from error
    if not isinstance(value, dict):
        raise BadOption("--vars", str(path), "an object with the variables is expected")
    return value
