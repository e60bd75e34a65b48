"""What a host may rely on. A change here is a change of the public interface: tell it in CHANGELOG.md."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from engine.async_governor import AsyncGovernor
from engine.embedding import open_governor
from engine.governor import Governor

PINNED = Path(__file__).with_name("surface.txt")


def surface() -> str:
    lines = [f"open_governor{_signature(open_governor)}"]
    for kind in (Governor, AsyncGovernor):
        names = sorted(name for name in dir(kind) if not name.startswith("_") or name == "__init__")
        lines += [f"{kind.__name__}.{name}{_signature(getattr(kind, name))}" for name in names]
    return "\n".join(lines) + "\n"


def _signature(call: object) -> str:
    assert callable(call)
    return " ".join(str(inspect.signature(call)).split())


def test_the_public_surface_is_as_it_was() -> None:
    assert surface() == PINNED.read_text(encoding="utf-8"), (
        "if this is meant: .venv/bin/python -m tests.engine.library.test_surface"
    )


@pytest.mark.parametrize("kind", [Governor, AsyncGovernor])
def test_everything_public_is_typed_and_documented(kind: type) -> None:
    for name in dir(kind):
        if name.startswith("_"):
            continue
        method = getattr(kind, name)
        signature = inspect.signature(method)
        assert signature.return_annotation is not inspect.Signature.empty, name
        untyped = [each for each in list(signature.parameters.values())[1:] if each.annotation is each.empty]
        assert untyped == [], name
        if name != "close":
            assert inspect.getdoc(method), name


if __name__ == "__main__":
    PINNED.write_text(surface(), encoding="utf-8")
