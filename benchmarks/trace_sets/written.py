"""Conversations written for this project, with questions in other words than their answers.

A file of `talks/` is short to write: `# A & B` names the two, `@ date` begins a session, a line that begins with the
first letter of a name is a turn of that person, and after `?` a line is a question with the turns that answer it, as
`session:turn`. It becomes a sample in LoCoMo's shape. The numbers of the memory were chosen on
`harbour` and `station`; `museum` was written after that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TALKS = Path(__file__).with_name("talks")


def talks() -> list[dict[str, Any]]:
    """All of them, by the names of their files."""
    return [_sample(file.stem, file.read_text(encoding="utf-8").splitlines()) for file in sorted(_TALKS.glob("*.txt"))]


def _sample(name: str, lines: list[str]) -> dict[str, Any]:
    first, second = lines[0].removeprefix("# ").split(" & ")
    people = {first[0]: first, second[0]: second}
    at = lines.index("?")
    talk: dict[str, Any] = {"speaker_a": first, "speaker_b": second}
    turns: list[dict[str, str]] = []
    number = 0
    for line in filter(None, lines[1:at]):
        if line.startswith("@ "):
            number, turns = number + 1, []
            talk[f"session_{number}_date_time"], talk[f"session_{number}"] = line[2:], turns
        else:
            turns.append({"speaker": people[line[0]], "dia_id": f"D{number}:{len(turns) + 1}", "text": line[3:]})
    return {"sample_id": name, "conversation": talk, "qa": list(_questions(lines[at + 1 :]))}


def _questions(lines: list[str]) -> Iterator[dict[str, Any]]:
    for line in filter(None, lines):
        question, _, places = line.rpartition("|")
        yield {"question": question, "answer": "", "evidence": [f"D{place}" for place in places.split(",")]}
