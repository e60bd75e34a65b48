"""Small files, functions seen whole, empty `__init__.py`."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

import pytest

from tests.project.tree import PACKAGES, ROOT, files, modules

FILE_MEDIAN = 150
FILE_CAP = 500
FUNCTION_CAP = 40

type_of_function = (ast.FunctionDef, ast.AsyncFunctionDef)


def function_lengths(source: str) -> dict[str, int]:
    """Lines of each function from `def` to its end, without decorators and docstring, by `name:line`."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, type_of_function)]
    return {f"{node.name}:{node.lineno}": _span(node) - _docstring_lines(node) for node in functions}


def _span(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def _docstring_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return _span(node.body[0]) if ast.get_docstring(node, clean=False) is not None else 0


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def long_functions(paths: list[Path]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}: {name} has {length} lines"
        for path in paths
        for name, length in function_lengths(path.read_text(encoding="utf-8")).items()
        if length > FUNCTION_CAP
    ]


def test_functions_are_seen_whole() -> None:
    assert long_functions(modules()) == []


def test_no_file_is_over_the_cap() -> None:
    too_long = {str(path.relative_to(ROOT)): line_count(path) for path in modules() if line_count(path) > FILE_CAP}
    assert too_long == {}


@pytest.mark.parametrize("package", PACKAGES)
def test_the_median_file_is_small(package: str) -> None:
    lengths = [line_count(path) for path in files(ROOT / package, ".py") if path.name != "__init__.py"]
    assert median(lengths or [0]) < FILE_MEDIAN


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_every_folder_of_modules_has_an_empty_init(package: str) -> None:
    folders = {path.parent for path in files(ROOT / package, ".py")}
    inits = {folder / "__init__.py" for folder in folders}
    assert [str(path.relative_to(ROOT)) for path in sorted(inits) if not path.is_file()] == []
    assert [str(path.relative_to(ROOT)) for path in sorted(inits) if path.read_bytes()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_types_are_announced(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_a_function_is_counted_without_docstring_and_decorators() -> None:
    source = '@cached\n@checked\ndef f(\n    a: int,\n) -> int:\n    """One.\n\n    Two.\n    """\n    return a\n'
    assert function_lengths(source) == {"f:3": 4}


def test_a_nested_function_is_counted_too() -> None:
    source = "class A:\n    async def f(self):\n        def g():\n            pass\n        return g\n"
    assert function_lengths(source) == {"f:2": 4, "g:3": 2}
