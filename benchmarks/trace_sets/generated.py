"""Small sets of our own, in the formats that are read: for tests, and where no data is at hand.

A conversation in LoCoMo's shape: two people, sessions of small talk in which facts are told once, in other words than
they are asked for; questions of one turn and of several.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

_PEOPLE = ("Nadia", "Tomas")
_TALK = (
    "Hey {other}! How have you been lately?",
    "Pretty good, thanks! Busy week though, as always.",
    "I know what you mean. Some days just fly by.",
    "Ha, true. Anything fun planned for the weekend?",
    "Not really, maybe just rest and catch up on some reading.",
    "Sounds lovely. I should do that more often too.",
    "By the way, the weather here has been terrible, rain every single day.",
    "Oh no! Here it is the opposite, we could use a few drops.",
    "Thanks for listening, it always helps to talk to you.",
    "Any time, {other}. That is what friends are for!",
)
_FACTS = (
    ("I finally signed up for that {0} class downtown, first lesson was yesterday!", "What class did {me} join?"),
    ("We adopted a {0} from the shelter and the kids named it {1}.", "What pet did {me}'s family get?"),
    ("My sister is moving to {0} in the autumn because of her new job at a {1}.", "Where will {me}'s sister live?"),
    ("The doctor told me to stop eating {0}, apparently I am allergic.", "Which food must {me} avoid?"),
    ("I sold my old {0} last month and used the money for a trip to {1}.", "What did {me} sell?"),
    ("Grandma gave me her {0} when I turned eighteen, I still keep it in my desk.", "What did {me} get from grandma?"),
    ("Our team won the {0} tournament, and I scored in the last minute!", "Which tournament did {me}'s team win?"),
    ("I broke my {0} while hiking near {1}, six weeks of rest now.", "How was {me} injured?"),
)
_FILLERS = (
    ("pottery", "clay"), ("beagle", "Biscuit"), ("Lisbon", "bakery"), ("walnuts", "nuts"), ("motorbike", "Iceland"),
    ("compass", "brass"), ("handball", "cup"), ("ankle", "Zermatt"), ("calligraphy", "ink"), ("parrot", "Kiwi"),
    ("Tallinn", "hospital"), ("shellfish", "prawns"), ("cello", "Oslo"), ("locket", "silver"), ("chess", "rook"),
    ("wrist", "Chamonix"),
)  # fmt: skip
_HOBBIES = (
    "Went climbing again this morning, my arms are sore.",
    "I spent the afternoon painting the lake from memory.",
    "Choir practice ran late, but we sound so much better now.",
    "I have been growing tomatoes on the balcony, the first ones are red!",
)


def conversations(count: int = 3, sessions: int = 12, turns: int = 24, seed: int = 7) -> list[dict[str, Any]]:
    """Samples in LoCoMo's format; the same for the same arguments."""
    return [_sample(number, sessions, turns, Random(f"{seed}:{number}")) for number in range(count)]


def _sample(number: int, sessions: int, turns: int, random: Random) -> dict[str, Any]:
    talk: dict[str, Any] = {"speaker_a": _PEOPLE[0], "speaker_b": _PEOPLE[1]}
    planted = list(_planted())
    random.shuffle(planted)
    asked: dict[str, dict[str, Any]] = {}
    summaries = {}
    for session in range(1, sessions + 1):
        due = [planted.pop() for _ in range(min(len(planted), -(-len(planted) // (sessions - session + 1))))]
        places = dict(zip(sorted(random.sample(range(turns), len(due))), due, strict=True))
        spoken = []
        for turn in range(turns):
            speaker = turn % 2
            text, question, answer = places.get(turn, (random.choice(_TALK), "", ""))
            me, other = _PEOPLE[speaker], _PEOPLE[1 - speaker]
            id = f"D{session}:{turn + 1}"
            spoken.append({"speaker": me, "dia_id": id, "text": text.format(me=me, other=other)})
            if question:
                row = asked.setdefault(
                    question.format(me=me), {"answer": answer, "evidence": [], "category": 4}
                )
                row["evidence"].append(id)
        talk[f"session_{session}"], talk[f"session_{session}_date_time"] = spoken, f"{session} May 2024"
        told = [turn["text"] for at, turn in enumerate(spoken) if at in places]
        summaries[f"session_{session}_summary"] = f"They caught up. {' '.join(told[:1])[:60]}"
    questions = [{"question": question, **row} for question, row in asked.items()]
    return {"sample_id": f"made-{number}", "conversation": talk, "qa": questions, "session_summary": summaries}


def _planted() -> Iterator[tuple[str, str, str]]:
    """What is told once, with its question and answer; hobbies are asked for together."""
    fillers = list(_FILLERS)
    for at, (told, question) in enumerate(_FACTS * 2):
        first, second = fillers[at % len(fillers)]
        yield told.replace("{0}", first).replace("{1}", second), question, first
    for hobby in _HOBBIES:
        yield hobby, "What does {me} do in spare time?", hobby
