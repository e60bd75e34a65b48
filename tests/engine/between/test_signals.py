"""Signals reach all instances that wait for them, and start processes of the same file."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.moving import Mover
from engine.post import Post
from tests.engine.between.city import City, pools
from tests.engine.models import catch, edges, end, script, signal, start, throw

BESIDE = '<signal id="sig" name="Sig"/>'
THROWS = f"{start('ps')}{throw('t', signal())}{script('a', 'pass')}{end('pe')}{edges('ps > t > a > pe')}"
WAITS = f"{start('qs')}{catch('c', signal())}{script('b', 'pass')}{end('qe')}{edges('qs > c > b > qe')}"
BEGINS = f"{start('rs', signal())}{script('d', 'pass')}{end('re')}{edges('rs > d > re')}"
FILE = pools({"p": THROWS, "q": WAITS, "r": BEGINS}, {}, BESIDE)


@pytest.fixture
def city(tmp_path: Path) -> City:
    return City(tmp_path / "runs.db")


def test_a_signal_reaches_all_that_wait_and_starts_what_begins_with_it(city: City) -> None:
    for process in ("q", "q", "p"):
        city.start(FILE, process)
    assert city.done == ["a", "b", "b", "d"]
    assert city.status() == {"i1 q": "completed", "i2 q": "completed", "i3 p": "completed", "i4 r": "completed"}
    assert city.posts() == 0


def test_a_signal_from_outside_reaches_all_that_wait(city: City) -> None:
    for _ in range(2):
        city.start(FILE, "q")
    assert city.do(lambda governor: governor.signal("Sig", {"x": 1})) == ["i1", "i2"]
    assert city.done == ["b", "b"]
    assert city.do(lambda governor: governor.signal("Sig")) == []


def test_a_signal_that_was_thrown_before_somebody_waits_is_gone(city: City) -> None:
    city.start(FILE, "p")
    city.start(FILE, "q")
    assert city.status()["i3 q"] == "waiting"


class Died(Exception):
    pass


@pytest.mark.parametrize("deliveries", [0, 1])
def test_a_program_that_dies_in_between_loses_nothing_and_delivers_nothing_twice(
    city: City, deliveries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        city.start(FILE, "q")
    load, left = Mover.load_session, [deliveries]

    def dies(self: Mover, instance: str) -> object:
        if not left[0]:
            raise Died
        left[0] -= 1
        return load(self, instance)

    with monkeypatch.context() as patched:
        patched.setattr(Mover, "load_session", dies)
        with pytest.raises(Died):
            city.start(FILE, "p")
    assert city.done == ["a"] + ["b"] * deliveries
    for instance in ("i1", "i2", "i3"):
        city.do(lambda governor, instance=instance: governor.resume(instance))
    assert sorted(city.done) == ["a", "b", "b", "d"]
    assert city.posts() == 0


def test_posts_come_back_as_they_were(city: City) -> None:
    post = Post(id="x", kind="message", name="m", topics=(("element", "f:c"), ("message", "m")), recipient="i9",
                payload={"x": [1, {"y": None}]}, key=7, until="2030-01-01T00:00:00.000000Z")  # fmt: skip
    city.do(lambda governor: governor.store.posts.add(post))
    assert city.do(lambda governor: governor.store.posts.for_instance("i9", [])) == [post]
