"""Asks for the outputs of a task, field by field, as their JSON Schema says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cli.asking.field import NotThat, hint, parse, spoken_default
from engine.cli.asking.prompter import Questions
from engine.cli.errors import BadOption
from engine.cli.screen.port import Style
from engine.cli.variables import read_pair
from engine.models.placeholders import resolved, type_of


class Form:
    """A form for an object's schema; None: whatever the person wants to give."""

    def __init__(self, questions: Questions, schema: Mapping[str, Any] | None) -> None:
        self._questions, self._schema = questions, schema

    def fill(self) -> dict[str, Any]:
        """The outputs. Raises EOFError where the person stops."""
        if self._schema is None:
            return self._free()
        return self._object(resolved(self._schema, self._schema), "")

    def _free(self) -> dict[str, Any]:
        """Names and values, since no outputs are declared."""
        outputs: dict[str, Any] = {}
        while line := self._questions.text("name=value, or Enter when it is done"):
            try:
                name, value = read_pair(line)
            except BadOption as error:
                self._complain(error.reason)
            else:
                outputs[name] = value
        return outputs

    def _object(self, part: Mapping[str, Any], path: str) -> dict[str, Any]:
        required = part.get("required", ())
        found = {}
        for name, schema in part.get("properties", {}).items():
            given, value = self._field(f"{path}{name}", schema, name in required)
            if given:
                found[name] = value
        return found

    def _field(self, path: str, schema: Any, required: bool) -> tuple[bool, Any]:
        """Whether a value was given, and which."""
        assert self._schema is not None
        part = resolved(schema, self._schema)
        if "const" in part:
            return True, part["const"]
        if type_of(part) == "object" and part.get("properties"):
            wanted = required or self._questions.choice(f"give {path}?", ("yes", "no")) == "yes"
            return wanted, self._object(part, f"{path}.") if wanted else None
        for told in (part.get("title"), part.get("description")):
            if told:
                self._questions.screen.line("  ", (str(told), Style.DIM))
        prompt = f"{path} ({hint(part)}{'' if required else ', optional'})"
        while True:
            text = self._questions.text(prompt, spoken_default(part))
            if not text and not required:
                return False, None
            problem, value = self._read(text, schema, part)
            if problem is None:
                return True, value
            self._complain(problem)

    def _read(self, text: str, schema: Any, part: Mapping[str, Any]) -> tuple[str | None, Any]:
        if not text:
            return "a value is needed", None
        try:
            value = parse(text, part)
        except NotThat as error:
            return str(error), None
        from jsonschema.validators import validator_for

        assert self._schema is not None
        validator = validator_for(self._schema)(self._schema).evolve(schema=schema)
        return next((error.message for error in validator.iter_errors(value)), None), value

    def _complain(self, problem: str) -> None:
        self._questions.screen.line("  ", (f"{problem}.", Style.WARN))
