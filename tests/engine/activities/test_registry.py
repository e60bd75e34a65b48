"""Which handler a job type has."""

from __future__ import annotations

import os.path
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from engine.activities import registry as registry_module
from engine.activities.errors import BadHandlers
from engine.activities.job import Job
from engine.activities.registry import GROUP, HandlerRegistry


def send(job: Job) -> None: ...


def print_letter(job: Job) -> None: ...


class Offers:
    """What installed distributions offer, and how often it was looked up."""

    def __init__(self, **handlers: Any) -> None:
        self.looked_up = 0
        self._handlers = handlers

    def __call__(self) -> dict[str, Any]:
        self.looked_up += 1
        return {name: (lambda found=found: found) for name, found in self._handlers.items()}


def test_a_registered_handler_is_found_without_looking_at_installed_ones() -> None:
    offers = Offers()
    assert HandlerRegistry({"mail": send}, offers).find("mail") is send
    assert "mail" in HandlerRegistry({"mail": send}, offers)
    assert offers.looked_up == 0


def test_an_installed_handler_is_found_and_looked_up_once() -> None:
    offers = Offers(letter=print_letter)
    registry = HandlerRegistry({"mail": send}, offers)
    assert [registry.find(name) for name in ("letter", "letter", "fax")] == [print_letter, print_letter, None]
    assert offers.looked_up == 1


def test_a_registered_handler_comes_before_an_installed_one() -> None:
    assert HandlerRegistry({"mail": send}, Offers(mail=print_letter)).find("mail") is send


def test_all_job_types_are_told_sorted() -> None:
    assert HandlerRegistry({"mail": send}, Offers(letter=print_letter)).job_types() == ["letter", "mail"]


def test_a_misspelling_is_recognised() -> None:
    registry = HandlerRegistry({"send-mail": send}, Offers(print_letter=print_letter))
    assert registry.near("sendmail") == "send-mail"
    assert registry.near("print-letter") == "print_letter"
    assert registry.near("qqq") is None


def test_an_installed_handler_that_cannot_be_loaded_is_told_when_it_is_used() -> None:
    def broken() -> Any:
        raise ImportError("no module acme")

    registry = HandlerRegistry({}, lambda: {"mail": broken, "fax": lambda: 3})
    assert "mail" in registry
    with pytest.raises(BadHandlers, match=f"entry point mail in {GROUP}: ImportError: no module acme"):
        registry.find("mail")
    with pytest.raises(BadHandlers, match="3 cannot be called"):
        registry.find("fax")


def test_installed_handlers_are_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("join", "os.path:join", GROUP)

    def entry_points(*, group: str) -> list[EntryPoint]:
        assert group == "bpmn_governor.handlers"
        return [point]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    found: Any = HandlerRegistry().find("join")
    assert found is os.path.join


def test_handlers_come_from_several_modules(tmp_path: Path) -> None:
    for name, job in (("one", "a"), ("two", "b")):
        (tmp_path / f"{name}.py").write_text(f"HANDLERS = {{'{job}': print}}")
    registry = HandlerRegistry.of_modules(["one.py", "two.py"], tmp_path)
    assert "a" in registry
    assert "b" in registry


def test_two_modules_with_a_handler_for_the_same_job_type_are_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("HANDLERS = {'a': lambda job: None}")
    with pytest.raises(BadHandlers, match=r"two\.py: another module has a handler for the job type a too"):
        HandlerRegistry.of_modules(["one.py", "two.py"], tmp_path)


def test_the_registry_module_looks_nothing_up_when_it_is_imported() -> None:
    assert not hasattr(registry_module, "entry_points")
