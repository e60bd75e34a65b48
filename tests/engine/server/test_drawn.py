"""Sections of pages are drawn once for each state of an instance, whoever asks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from bpmn.load import load
from engine.embedding import open_governor
from engine.server.views.instance import Drawn
from engine.store.advance import InstanceRecord
from tests.bpmn.files import chain


@pytest.fixture
def record(tmp_path: Path) -> InstanceRecord:
    with open_governor(str(tmp_path / "governor.db")) as governor:
        begun = governor.start(load(chain('<userTask id="u"/>'), file="a.bpmn"), {})
        return governor.store.instance(begun.instance)


def test_many_who_ask_at_once_get_one_drawing(record: InstanceRecord) -> None:
    kept, begun, may_end, drawings = Drawn(), Event(), Event(), list[str]()

    def draw() -> str:
        drawings.append("a page")
        begun.set()
        assert may_end.wait(20)
        return drawings[-1]

    with ThreadPoolExecutor(4) as readers:
        asked = [readers.submit(kept.get, record, "en", draw) for _ in range(4)]
        assert begun.wait(20)
        may_end.set()
        assert [each.result(20) for each in asked] == ["a page"] * 4
    assert drawings == ["a page"]


def test_each_state_and_each_language_is_drawn_anew(record: InstanceRecord) -> None:
    kept = Drawn()
    later = replace(record, version=record.version + 1)
    for number, (of, language) in enumerate([(record, "en"), (record, "zh-CN"), (later, "en")]):
        assert kept.get(of, language, lambda number=number: str(number)) == str(number)  # type: ignore[misc]
    assert kept.get(record, "en", lambda: "again") == "0"


def test_what_could_not_be_drawn_is_drawn_when_it_is_asked_for_again(record: InstanceRecord) -> None:
    def fail() -> str:
        raise ValueError("nothing to draw on")

    kept = Drawn()
    empty = str(vars(kept))
    with pytest.raises(ValueError, match="nothing to draw on"):
        kept.get(record, "en", fail)
    assert str(vars(kept)) == empty
    assert kept.get(record, "en", lambda: "a page") == "a page"
