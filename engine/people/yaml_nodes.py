"""YAML that people write, read as JSON values, with the line of each part.

Only what JSON has is read specially: `no` and `2026-01-01` are text, and so is `0123`, as in YAML 1.2. Aliases are
refused: a few lines of them can stand for gigabytes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import yaml

from engine.errors import EngineError

_PREFIX: Final = "tag:yaml.org,2002:"
_SCALARS: Final = {
    "null": r"~|null|Null|NULL|",
    "bool": r"true|True|TRUE|false|False|FALSE",
    "int": r"[-+]?(?:0|[1-9][0-9]*)",
    "float": r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?",
}
_KINDS: Final = {yaml.SequenceNode: "a list", yaml.MappingNode: "an object", yaml.ScalarNode: "a single value"}


class BadYaml(EngineError):
    """A file that is not the YAML that was expected. `line` is None where the whole file is meant."""

    def __init__(self, file: str, line: int | None, reason: str) -> None:
        self.file, self.line, self.reason = file, line, reason
        super().__init__(f"{file if line is None else f'{file}:{line}'}: {reason}")


class _Loader(yaml.SafeLoader):
    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012  # the base class has it so

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="aliases (*name) are not read", problem_mark=mark)
        return super().compose_node(parent, index)


for _tag, _pattern in _SCALARS.items():
    _Loader.add_implicit_resolver(_PREFIX + _tag, re.compile(f"^(?:{_pattern})$"), None)


class YamlFile:
    """One document; `root` is None if it is empty. Raises BadYaml for a file that cannot be read.

    With a `text`, that is read, and the path is only what errors call it.
    """

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.name = str(path)
        try:
            self._loader = _Loader(path.read_text(encoding="utf-8") if text is None else text)
            self.root: yaml.Node | None = self._loader.get_single_node()
        except OSError as error:
            raise BadYaml(self.name, None, f"cannot be read: {error.strerror or error}") from error
        except UnicodeDecodeError as error:
            raise BadYaml(self.name, None, "is not UTF-8 text") from error
        except yaml.MarkedYAMLError as error:
            line = None if error.problem_mark is None else error.problem_mark.line + 1
            raise BadYaml(self.name, line, f"not YAML: {error.problem}") from error
        except (yaml.YAMLError, RecursionError) as error:
            raise BadYaml(self.name, None, f"not YAML: {str(error).partition(chr(10))[0]}") from error

    def items(self, node: yaml.Node | None) -> list[yaml.Node]:
        """The parts of a list."""
        if not isinstance(node, yaml.SequenceNode) or node.tag != f"{_PREFIX}seq":
            raise self.error(node, f"a list is expected, found {_kind(node)}")
        return list(node.value)

    def fields(self, node: yaml.Node | None) -> dict[str, yaml.Node]:
        """The parts of an object, by name."""
        if not isinstance(node, yaml.MappingNode) or node.tag != f"{_PREFIX}map":
            raise self.error(node, f"an object (name: value) is expected, found {_kind(node)}")
        found: dict[str, yaml.Node] = {}
        for key, part in node.value:
            name = self.value(key)
            if not isinstance(name, str):
                raise self.error(key, f"a name must be text, found {name!r}; put it in quotes")
            if name in found:
                raise self.error(key, f"{name} stands here twice")
            found[name] = part
        return found

    def value(self, node: yaml.Node) -> Any:
        """A part as a JSON value."""
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item) for item in self.items(node)]
        if isinstance(node, yaml.MappingNode):
            return {name: self.value(part) for name, part in self.fields(node).items()}
        assert isinstance(node, yaml.ScalarNode)
        tag = node.tag.removeprefix(_PREFIX)
        try:
            return _joined(node.value) if tag == "str" else _READ[tag](self._loader, node)
        except (KeyError, ValueError) as error:
            raise self.error(node, f"{node.value!r} with the tag {node.tag} is no JSON value") from error

    def error(self, node: yaml.Node | None, reason: str) -> BadYaml:
        """What to raise about a part; None: about the file."""
        return BadYaml(self.name, None if node is None else line_of(node), reason)


def line_of(node: yaml.Node) -> int:
    """The line a part begins at, from 1."""
    line: int = node.start_mark.line
    return line + 1


_READ: Final = {
    "null": _Loader.construct_yaml_null,
    "bool": _Loader.construct_yaml_bool,
    "int": _Loader.construct_yaml_int,
    "float": _Loader.construct_yaml_float,
}


def _kind(node: yaml.Node | None) -> str:
    if node is None:
        return "nothing"
    usual = node.tag.removeprefix(_PREFIX) in {*_READ, "str", "seq", "map"}
    return _KINDS[type(node)] + ("" if usual else f" with the tag {node.tag}")


def _joined(text: str) -> str:
    """Text in which two escapes that stand for one character, as JSON writes it, are that character."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16")
