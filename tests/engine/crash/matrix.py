"""kill -9 at every point where something is committed, for every kind of element, on each database.

`python -m tests.engine.crash.matrix [--db sqlite|postgresql] [KIND …]` goes through all of it, and says what it found.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.store.database import Database
from tests.engine.crash.kinds import KINDS
from tests.engine.crash.lives import Place, live
from tests.engine.postgres import Fresh, cluster, programs

Choice = Callable[[int], bool]


def whole(place: Place, kind: str) -> Place:
    """The run that nobody kills."""
    live(place, kind, 0)
    _alive(place)
    return place


def killed(place: Place, kind: str, point: int) -> Place:
    """One that is killed at a point, and goes on in another program."""
    live(place, kind, point)
    live(place, kind, 0)
    _alive(place)
    return place


def differences(before: Place, after: Place) -> list[str]:
    """What the run that was killed came to otherwise than the one that was not; effects are counted by their keys."""
    found = []
    if next(each for each in after.log if each[0] == "ended") != ("ended", str(-signal.SIGKILL)):
        found.append("it was not killed")
    if len(before.outcome["instances"]) != len(after.outcome["instances"]):
        found.append("there are other instances")
    for one, other in zip(before.outcome["instances"], after.outcome["instances"], strict=False):
        found += [f"{one['id']}: {name}: {one[name]} became {other[name]}" for name in one if one[name] != other[name]]
    for what, durable in (("job", {"committed"}), ("model", {"journaled", "committed"})):
        found += _effects(before, after, what, durable)
    return found


def _effects(before: Place, after: Place, what: str, durable: set[str]) -> list[str]:
    """Each effect happened, under the same key; twice only those whose result was not durable when it was killed."""
    expected = {name for kind, name in before.log if kind == what}
    happened = Counter(name for kind, name in after.log if kind == what)
    found = [f"{what} {name} was lost" for name in sorted(expected - happened.keys())]
    found += [f"{what} {name} is new" for name in sorted(happened.keys() - expected)]
    first = after.log[: next(number for number, (kind, _) in enumerate(after.log) if kind == "ended")]
    last = max((number for number, (kind, _) in enumerate(first) if kind in durable), default=-1)
    open = {name for kind, name in first[last + 1 :] if kind == what}
    twice = {name for name, times in happened.items() if times > 1}
    return found + [f"{what} {name} was done again" for name in sorted(twice - open)]


def _alive(place: Place) -> None:
    error = place.folder / "error"
    assert not error.exists(), error.read_text()


class Places:
    """A new database each time."""

    def __init__(self, folder: Path, new: Callable[[str], str]) -> None:
        self._folder, self._new, self._made = folder, new, 0

    def new(self) -> Place:
        self._made += 1
        folder = self._folder / str(self._made)
        folder.mkdir()
        return Place(folder, self._new(str(folder / "governor.db")))


@contextmanager
def places(db: str, folder: Path) -> Iterator[Places]:
    if db == "sqlite":
        yield Places(folder, lambda path: path)
        return
    if programs() is None:
        sys.exit("no PostgreSQL is here")
    with cluster() as made:
        template = made.new_database()
        Database(made.url(template)).close()
        fresh = Fresh(made, template)
        yield Places(folder, lambda _: fresh.url())


def main(db: str, kinds: list[str]) -> int:
    lives = wrong = 0
    with tempfile.TemporaryDirectory() as folder, places(db, Path(folder)) as made:
        for kind in kinds or KINDS:
            before = whole(made.new(), kind)
            points = before.outcome["points"]
            for point in range(1, points + 1):
                found = differences(before, killed(made.new(), kind, point))
                lives, wrong = lives + 1, wrong + bool(found)
                for each in found:
                    print(f"{db}, {kind}, point {point}: {each}")
            print(f"{db}: {kind}: killed at {points} points", flush=True)
    print(f"{db}: {lives} runs killed, {wrong} came to something else")
    return wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    given = parser.parse_args()
    sys.exit(1 if main(given.db, given.kinds) else 0)
