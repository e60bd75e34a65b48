"""Conversations of a usual length, staged from written scenes: for what small sets cannot show.

Two people talk for some twenty sessions. Each scene of `scenes/scenes.txt` is told by one of them or, with other names
and places, by both, so that who is asked about decides; its turns stand among small talk that mentions the same things.
Questions ask in other words than the scenes tell, for one turn or, after `&`, for turns of several scenes, some of them
by the date alone. Made without a look at what the memory finds; no number of it was chosen here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, Final

_FOLDER: Final = Path(__file__).with_name("scenes")
_SHARE_OF_BOTH: Final = 0.4
_PICTURED: Final = " ["
_PEOPLE: Final = (("Ingrid", "Mateo"), ("Yusuf", "Clara"), ("Bea", "Laszlo"), ("Noor", "Desmond"))
_SLOTS: Final[Mapping[str, Sequence[str]]] = {
    "street": ("Elm Street", "Mill Lane", "Cook Square", "Harbour Road"),
    "day": ("Monday", "Tuesday", "Thursday", "Friday"),
    "pet": ("Comet", "Pickle", "Admiral", "Olive"),
    "goods": ("candles", "leather bags", "wooden toys", "herbal soap"),
    "city": ("Ghent", "Porto", "Leeds", "Krakow", "Valencia", "Turin"),
    "brother": ("Rafael", "Owen", "Jonas", "Emil"),
    "piece": ("Moonlight Sonata", "Goldberg aria", "Maple Leaf Rag", "Clair de Lune"),
    "language": ("Welsh", "Greek", "Hungarian", "Basque"),
    "food": ("sesame", "crab", "strawberries", "hazelnuts"),
    "ordinal": ("ninth", "fourth", "twelfth", "twentieth"),
    "month": ("March", "April", "September", "November"),
    "mate": ("Silas", "Hugo", "Anton", "Felix"),
    "friend": ("Paula", "Renata", "Ines", "Greta"),
    "beach": ("Gull Bay", "Sandy Point", "Amber Cove", "Seal Rocks"),
    "film": ("The Long Tide", "Paper Moons", "Winter Orchard", "Station Nine"),
    "kid": ("Mia", "Lotte", "Zoe", "Ruby"),
    "car": ("Volvo", "Fiat", "Skoda", "Toyota"),
}
_BEFORE: Final = ("", "", "Oh, ", "Honestly, ", "Well, ", "You know, ", "Haha, ", "Hmm, ", "Okay, ")
_AFTER: Final = (
    "",
    "",
    " Anyway!",
    " What about you?",
    " How are you feeling?",
    " Life, right?",
    " I mean it.",
    " Wow.",
)


@dataclass(slots=True)
class _Scene:
    name: str
    lines: list[str] = field(default_factory=list)
    questions: list[tuple[str, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Told:
    """A scene as somebody told it: where its lines stand, and in which words."""

    teller: str
    listener: str
    words: Mapping[str, str]
    ids: Sequence[str]
    at: datetime


def staged(count: int = 4, sessions: int = 22, turns: int = 22, seed: int = 11) -> list[dict[str, Any]]:
    """Samples in LoCoMo's shape; the same for the same arguments. `turns` is about the length of a session."""
    return [_sample(number % len(_PEOPLE), sessions, turns, Random(f"{seed}:{number}")) for number in range(count)]


def _sample(number: int, sessions: int, turns: int, random: Random) -> dict[str, Any]:
    scenes, groups = _read()
    people = _PEOPLE[number]
    due = [(scene, teller) for scene in scenes for teller in _tellers(random)]
    random.shuffle(due)
    talk: dict[str, Any] = {"speaker_a": people[0], "speaker_b": people[1]}
    told: dict[tuple[str, int], _Told] = {}
    when = datetime(2023, 1, 9, 13, 5) + timedelta(days=random.randrange(40))
    for session in range(1, sessions + 1):
        spoken: list[dict[str, Any]] = []
        share = -(-len(due) // (sessions - session + 1))
        for scene, teller in due[:share]:
            _chat(spoken, people, session, random, max(0, turns - 4 * share) // (2 * share + 2))
            told[scene.name, teller] = _tell(scene, spoken, session, when, (people[teller], people[1 - teller]), random)
        del due[:share]
        _chat(spoken, people, session, random, max(0, turns - len(spoken)) // 2)
        talk[f"session_{session}"], talk[f"session_{session}_date_time"] = spoken, _written(when)
        when += timedelta(days=random.randrange(4, 19), minutes=random.randrange(600))
    questions = [*_single(scenes, told), *_several(groups, told)]
    return {"sample_id": f"staged-{number}", "conversation": talk, "qa": questions}


def _tellers(random: Random) -> Sequence[int]:
    return (0, 1) if random.random() < _SHARE_OF_BOTH else (random.randrange(2),)


def _tell(
    scene: _Scene, spoken: list[dict[str, Any]], session: int, when: datetime, who: tuple[str, str], random: Random
) -> _Told:
    words = {name: random.choice(each) for name, each in _SLOTS.items()} | {"T": who[0], "L": who[1]}
    ids = []
    for line in scene.lines:
        ids.append(_say(spoken, session, words[line[0]], line[3:].format_map(words)))
    return _Told(who[0], who[1], words, ids, when)


def _chat(spoken: list[dict[str, Any]], people: Sequence[str], session: int, random: Random, pairs: int) -> None:
    lines = (_FOLDER / "chatter.txt").read_text(encoding="utf-8").splitlines()
    for _ in range(pairs):
        at = 2 * random.randrange(len(lines) // 2)
        words = {name: random.choice(each) for name, each in _SLOTS.items()}
        first = random.randrange(2)
        words |= {"A": people[first], "B": people[1 - first]}
        for line in lines[at : at + 2]:
            text = line[3:].format_map(words)
            text = text if "[" in text else f"{random.choice(_BEFORE)}{text}{random.choice(_AFTER)}"
            _say(spoken, session, words[line[0]], text)


def _say(spoken: list[dict[str, Any]], session: int, speaker: str, text: str) -> str:
    id = f"D{session}:{len(spoken) + 1}"
    said, _, picture = text.removesuffix("]").partition(_PICTURED)
    spoken.append({"speaker": speaker, "dia_id": id, "text": said} | ({"blip_caption": picture} if picture else {}))
    return id


def _single(scenes: Sequence[_Scene], told: Mapping[tuple[str, int], _Told]) -> Iterator[dict[str, Any]]:
    for scene in scenes:
        for teller in (0, 1):
            one = told.get((scene.name, teller))
            for question, line in scene.questions if one else ():
                assert one is not None
                yield {"question": question.format_map(one.words), "evidence": [one.ids[line - 1]], "category": 4}


def _several(groups: Sequence[tuple[str, str]], told: Mapping[tuple[str, int], _Told]) -> Iterator[dict[str, Any]]:
    for question, places in groups:
        for teller in (0, 1):
            parts = [place.split(".") for place in places.split(",")]
            found = [(told[name, teller], int(line)) for name, line in parts if (name, teller) in told]
            if found:
                dates = {name: _day(one.at) for (name, of), one in told.items() if of == teller}
                months = {
                    f"{name} month": f"{one.at:%B} {one.at.year}" for (name, of), one in told.items() if of == teller
                }
                text = question.format_map({**dates, **months, "T": found[0][0].teller, "L": found[0][0].listener})
                ids = "; ".join(one.ids[line - 1] for one, line in found)
                yield {"question": text, "evidence": [ids], "category": 1 if len(found) > 1 else 4}


def _read() -> tuple[list[_Scene], list[tuple[str, str]]]:
    """The scenes, and the questions for several of them with the places of their evidence."""
    lines = (_FOLDER / "scenes.txt").read_text(encoding="utf-8").splitlines()
    at = lines.index("&")
    scenes: list[_Scene] = []
    for line in lines[:at]:
        if line.startswith("= "):
            scenes.append(_Scene(line[2:]))
        elif line.startswith("? "):
            question, _, place = line[2:].rpartition("|")
            scenes[-1].questions.append((question, int(place)))
        else:
            scenes[-1].lines.append(line)
    return scenes, [(question, places) for question, _, places in (line.rpartition("|") for line in lines[at + 1 :])]


def _day(when: datetime) -> str:
    return f"{when.day} {when:%B}, {when.year}"


def _written(when: datetime) -> str:
    return f"{when.hour % 12 or 12}:{when.minute:02} {'am' if when.hour < 12 else 'pm'} on {_day(when)}"
