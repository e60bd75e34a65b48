"""Handlers from a module that a host names: by import path, or a `.py` file."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Final

from engine.activities.errors import BadHandlers
from engine.activities.job import ServiceHandler, marked_types

TABLE: Final = "HANDLERS"
_FILE: Final = ".py"


def load_handlers(source: str, folder: Path | None = None) -> dict[str, ServiceHandler]:
    """Handlers by job type of the module `source`: its dictionary `HANDLERS`, and functions marked by `@handler`.

    Files and modules are looked for from `folder` on (default: the current one); of modules, those that can be
    imported anyway come first. The module's code runs. Raises BadHandlers.
    """
    module = _module(source, folder or Path())
    table = getattr(module, TABLE, {})
    if not isinstance(table, Mapping):
        raise BadHandlers(source, f"{TABLE} is {type(table).__name__}; allowed: a dictionary from job type to function")
    found: dict[str, ServiceHandler] = {}
    marked = [(type_, value) for value in vars(module).values() if callable(value) for type_ in marked_types(value)]
    for job_type, function in [*table.items(), *marked]:
        if not isinstance(job_type, str) or not callable(function):
            raise BadHandlers(source, f"{job_type!r} has {function!r}; allowed: a job type's name and a function")
        if found.get(job_type, function) is not function:
            raise BadHandlers(source, f"two handlers for the job type {job_type}")
        found[job_type] = function
    if not found:
        raise BadHandlers(source, f"no handlers in it; allowed: a dictionary {TABLE}, functions with @handler(...)")
    return found


def _module(source: str, folder: Path) -> ModuleType:
    try:
        return _from_file(folder / source) if source.endswith(_FILE) else _from_name(source, folder)
    except BadHandlers:
        raise
    except Exception as error:
        raise BadHandlers(source, _told(error)) from error


def _from_name(name: str, folder: Path) -> ModuleType:
    _make_importable(folder)
    return importlib.import_module(name)


def _from_file(file: Path) -> ModuleType:
    if not file.is_file():
        raise BadHandlers(str(file), "there is no such file")
    _make_importable(file.parent)
    name = f"governor_handlers_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickling look their module up by name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _make_importable(folder: Path) -> None:
    """Let modules of the folder be imported, behind all others: they hide nothing."""
    path = str(folder.resolve())
    if path not in sys.path:
        sys.path.append(path)


def _told(error: Exception) -> str:
    """What went wrong, and in which line of what was loaded."""
    trace = error.__traceback__
    place = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith("<") and "importlib" not in file and file != __file__:
            place = f" (line {trace.tb_lineno} of {Path(file).name})"
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.lineno is not None:
        place = f" (line {error.lineno} of {Path(error.filename or '').name})"
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}{place}"
