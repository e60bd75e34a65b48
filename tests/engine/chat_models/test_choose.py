"""From a specification to a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.models.choose import Models, model_from
from engine.models.errors import BadRecording, UnknownModel


def recorded(folder: Path) -> str:
    (folder / "turns.yaml").write_text("turns: [{activity: a, answer: {text: hello}}]")
    return "replay:turns.yaml"


def test_offline_is_the_model_without_a_model() -> None:
    assert model_from("offline").name == "offline"


def test_a_recording_is_looked_for_in_the_folder(tmp_path: Path) -> None:
    assert model_from(recorded(tmp_path), tmp_path).name == "replay:turns.yaml"


@pytest.mark.parametrize("spec", ["ofline", "offline:x", "replay:", "replay", "opnai:gpt", ""])
def test_an_unknown_model_is_refused_and_the_known_ones_told(spec: str) -> None:
    with pytest.raises(UnknownModel, match=r"allowed: offline, replay:FILE"):
        model_from(spec)


def test_a_recording_that_is_not_there_is_told_by_its_path(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match=r"none\.yaml: cannot be read: No such file or directory"):
        model_from("replay:none.yaml", tmp_path)


def test_models_are_made_once_and_the_default_stands_for_none(tmp_path: Path) -> None:
    models = Models(recorded(tmp_path), tmp_path)
    assert models(None) is models(None)
    assert models(None) is models("replay:turns.yaml")
    assert models("offline").name == "offline"
