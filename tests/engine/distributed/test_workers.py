"""Who lives, who is dead, and how often models may be called: as the database tells all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.models.base import ModelAnswer, ModelRequest
from engine.models.rates import BadRate, Pace, Rate, rate_of
from engine.store.database import Database
from engine.store.model_rates import ModelRates
from engine.store.workers import WorkerRecord, WorkerTable


@pytest.fixture
def database(postgres_url: str) -> Iterator[Database]:
    database = Database(postgres_url)
    yield database
    database.close()


def worker(id: str, slots: int = 4, protocol: int = 1) -> WorkerRecord:
    return WorkerRecord(id=id, host="h", pid=1, protocol=protocol, slots=slots, started_at="2026")


def test_a_worker_without_a_heartbeat_is_buried_once_and_cannot_beat_again(database: Database) -> None:
    table = WorkerTable(database)
    for each in ("dead", "living"):
        table.join(worker(each))
    table.abandon("dead")
    with table.burying(30, by="dead") as burial:
        assert burial is not None
        assert burial.dead == ()
    with table.burying(30) as burial:
        assert burial is not None
        assert (burial.dead, burial.living) == (("dead",), frozenset({"living"}))
        other = WorkerTable(Database(database.url.render_as_string(hide_password=False)))
        with other.burying(30) as second:
            assert second is None
        other._database.close()
    assert not table.beat("dead")
    assert table.beat("living")
    assert [each.id for each in table.all()] == ["living"]
    with table.burying(30) as burial:
        assert burial is not None
        assert burial.dead == ()


def test_who_fails_to_take_over_leaves_it_to_the_next(database: Database) -> None:
    table = WorkerTable(database)
    table.join(worker("dead"))
    table.abandon("dead")
    with pytest.raises(RuntimeError), table.burying(30):
        raise RuntimeError("killed")
    with table.burying(30) as burial:
        assert burial is not None
        assert burial.dead == ("dead",)


def test_slots_are_those_of_workers_that_take_new_work(database: Database) -> None:
    table = WorkerTable(database)
    for each in (worker("a", 4), worker("b", 8), worker("c", 99), worker("d", 50, protocol=2)):
        table.join(each)
    table.drain("c")
    assert table.slots(1) == (12, 8)


def test_calls_of_a_model_are_spread_evenly_over_all_that_call_it(database: Database) -> None:
    rates = ModelRates(database), ModelRates(database)
    waits = [rates[number % 2].take("m", 10.0, 1) for number in range(4)]
    for number, wait in enumerate(waits):
        assert 10.0 * number - 2.0 < wait <= 10.0 * number + 0.001
    assert rates[0].take("other", 10.0, 1) == 0.0


def test_after_a_pause_some_may_come_at_once(database: Database) -> None:
    rates = ModelRates(database)
    waits = [rates.take("m", 10.0, 3) for _ in range(4)]
    assert waits[:3] == [0.0, 0.0, 0.0]
    assert 8.0 < waits[3] <= 10.0


class Model:
    name = "m-1"

    def answer(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer(text="said")


def test_a_model_with_a_rate_waits_for_its_time_and_others_do_not(database: Database) -> None:
    waited: list[float] = []
    pace = Pace([rate_of("slow=6/min")], ModelRates(database), waited.append)
    slow, model = pace.of("slow", Model()), Model()
    assert pace.of("fast", model) is model
    request = ModelRequest(activity="a", messages=())
    heard: list[str] = []
    assert slow.answer(request).text == "said"
    assert slow.stream(request, heard.append).text == "said"  # type: ignore[attr-defined]
    assert heard == ["said"]
    assert len(waited) == 1
    assert 8.0 < waited[0] <= 10.0


@pytest.mark.parametrize(
    ("text", "rate"),
    [("m=60/min", Rate("m", 60, 60.0)), ("openai:x=5/s", Rate("openai:x", 5, 1.0)), ("a=b=1/h", Rate("a=b", 1, 3600))],
)
def test_rates_are_written_so(text: str, rate: Rate) -> None:
    assert rate_of(text) == rate


@pytest.mark.parametrize("text", ["m", "m=0/s", "m=5", "m=5/day", "=5/s", "m=-1/s", "m=5/s "])
def test_others_are_refused_in_a_line(text: str) -> None:
    with pytest.raises(BadRate, match="write MODEL=CALLS/UNIT"):
        rate_of(text)
