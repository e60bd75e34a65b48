"""The prompt's templates: ours, and those of a host's folder in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpmn.findings import near_match
from engine.prompts.errors import BadTemplate

if TYPE_CHECKING:
    from jinja2 import Environment, Template

OURS: Final = Path(__file__).parent / "templates"
SUFFIX: Final = ".j2"

_TASK: Final = {
    "id": "triage",
    "name": "Triage",
    "process": "Incident response",
    "branch": "/fork@3:2.left",
    "focus": "Look at the network alone.",
    "path": "known -> no",
    "inputs": "report",
    "instructions": "Say how severe the incident is.",
    "feedback": "Look at the log again.",
    "schema": '{"type":"object"}',
    "learns": True,
    "again": True,
}
_OPTIONAL: Final = ("branch", "focus", "path", "inputs", "feedback", "schema")
_DATA: Final = "<data-0>\nname: 1\n</data-0>"

SAMPLES: Final[Mapping[str, Sequence[Mapping[str, Any]]]] = {
    "system": ({"system": "role: clerk", "process": "Orders"}, {"system": "", "process": ""}),
    "knowledge": ({"lasting": True, "entries": _DATA}, {"lasting": False, "entries": _DATA}),
    "history": ({"entries": _DATA},),
    "skills": ({"entries": _DATA},),
    "dead_ends": ({"entries": _DATA, "refused": True}, {"entries": _DATA, "refused": False}),
    "working": (
        {"entries": _DATA, "inputs": "report", "lasting": False},
        {"entries": _DATA, "inputs": "", "lasting": True},
    ),
    "task": (_TASK, {**_TASK, **dict.fromkeys(_OPTIONAL, ""), "learns": False, "again": False}),
    "correction": ({"problems": ["missing: x"], "schema": "{}"}, {"problems": ["missing: x"], "schema": ""}),
}
"""Every template by name, with values such as it is given; all of a template's variables are in each sample."""


class Templates:
    """Renders by name. A template is only ever a file: data is passed to it and never read as one.

    `folder` may hold replacements under our names, and files whose name begins with `_` for them to include. All are
    compiled and tried when this object is made. Raises BadTemplate.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None:
            _check_names(folder)
        self._folder = folder
        self._environment = _environment(folder)
        self._templates = {name: self._checked(name) for name in SAMPLES}

    def render(self, name: str, values: Mapping[str, Any]) -> str:
        """The template's text without blank lines around it."""
        return self._templates[name].render(values).strip()

    @cached_property
    def digest(self) -> str:
        """The first 64 bits of the SHA-256 of all of them, hexadecimal: which version a prompt was made with."""
        names = sorted({*(f"{name}{SUFFIX}" for name in SAMPLES), *(self._own())})
        text = "\0".join(f"{name}\0{Path(self._path(name)).read_text(encoding='utf-8')}" for name in names)
        return sha256(text.encode()).hexdigest()[:16]

    def _own(self) -> list[str]:
        """Names of a host's files."""
        return [] if self._folder is None else [file.name for file in self._folder.glob(f"*{SUFFIX}")]

    def _checked(self, name: str) -> Template:
        from jinja2 import TemplateError, TemplateSyntaxError

        file = name + SUFFIX
        try:
            template = self._environment.get_template(file)
            for sample in SAMPLES[name]:
                template.render(sample)
        except TemplateSyntaxError as error:
            raise BadTemplate(error.filename or file, error.message or "is no template", error.lineno) from error
        except TemplateError as error:
            allowed = sorted(SAMPLES[name][0])
            raise BadTemplate(self._path(file), error.message or str(error), allowed=allowed) from error
        except Exception as error:
            raise BadTemplate(self._path(file), f"{type(error).__name__}: {error}") from error
        return template

    def _path(self, file: str) -> str:
        """The file that stands behind a name."""
        if self._folder is not None and (self._folder / file).exists():
            return str(self._folder / file)
        return str(OURS / file)


def _environment(folder: Path | None) -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader([OURS] if folder is None else [folder, OURS]),
        undefined=StrictUndefined,
        # The result is a prompt, not HTML.
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _check_names(folder: Path) -> None:
    """A file that replaces nothing is a misspelling, which would go unnoticed."""
    if not folder.is_dir():
        raise BadTemplate(str(folder), "is no folder")
    for file in sorted(folder.glob(f"*{SUFFIX}")):
        name = file.name.removesuffix(SUFFIX)
        if name not in SAMPLES and not name.startswith("_"):
            near = near_match(name, SAMPLES)
            hint = f"; did you mean {near}{SUFFIX}?" if near else ""
            allowed = [f"{known}{SUFFIX}" for known in SAMPLES]
            raise BadTemplate(str(file), f"replaces no template{hint}", allowed=allowed)
