"""A host's transaction and ours are one: both are kept, or neither."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.orm import Session

from engine.activities.work import Outcome, Work
from engine.evidence.audit import Finding, audit
from engine.governor import Governor
from engine.people.answering import AlreadyDone, WrongOutputs
from engine.store.errors import OtherDatabase, UnknownInstance
from tests.engine.models import edges, end, gateway, model, script, service, start, user
from tests.engine.operating.office import Office, read

ONE = model(start(), script("c", "y = x + 1"), user("u"), end(), edges("s > c > u > e"))
DECLARED = user("u", '<ioSpecification><dataOutput id="n" name="n"/></ioSpecification>')

Transaction = Callable[[Engine], AbstractContextManager[Session | Connection]]


@contextmanager
def by_session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session, session.begin():
        yield session


@contextmanager
def by_connection(engine: Engine) -> Iterator[Connection]:
    with engine.begin() as connection:
        yield connection


both = pytest.mark.parametrize("transaction", [by_session, by_connection])


def ordered(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        return sorted(connection.execute(text("SELECT instance FROM orders")).scalars())


def order(host: Session | Connection, instance: str) -> None:
    host.execute(text("INSERT INTO orders (instance) VALUES (:instance)"), {"instance": instance})


def chained(governor: Governor, id: str) -> Finding | None:
    log: Any = governor.store.log
    return audit(id, log.seals(id), log.events(id), governor.store.instance(id).version).finding


@both
def test_what_the_host_commits_is_kept_with_what_it_wrote(
    office: Office, host: Engine, transaction: Transaction
) -> None:
    with office.governor() as governor, transaction(host) as mine:
        result = governor.within(mine).start(read(ONE), {"x": 1})
        order(mine, result.instance)
    assert ordered(host) == [result.instance]
    assert office.do(lambda g: dict(g.variables(result.instance))) == {"x": 1, "y": 2}
    assert office.do(lambda g: chained(g, result.instance)) is None


@both
def test_what_the_host_rolls_back_has_never_been(office: Office, host: Engine, transaction: Transaction) -> None:
    heard: list[str] = []
    with office.governor() as governor:
        governor.listen(lambda instance, event: heard.append(instance))
        begun: list[str] = []

        def order_that_fails() -> None:
            with transaction(host) as mine:
                within = governor.within(mine)
                result = within.start(read(ONE), {"x": 1})
                within.complete(result.waiting[0]["id"], {}, by="ann")
                order(mine, result.instance)
                assert within.result(result.instance).status == "completed"
                begun.append(result.instance)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            order_that_fails()
        with pytest.raises(UnknownInstance):
            governor.result(begun[0])
    assert (ordered(host), heard) == ([], [])


@both
def test_what_the_host_rolls_back_to_a_savepoint_has_never_been(
    office: Office, host: Engine, transaction: Transaction
) -> None:
    heard: list[str] = []
    source = model(start(), user("u"), service("a"), user("v"), end(), edges("s > u > a > v > e"))
    office.doers.update(a=lambda work: Outcome(outputs={"done": True}))
    begun = office.start(source, {})
    item = begun.waiting[0]["id"]
    with office.governor() as governor, office.governor() as other:
        governor.listen(lambda instance, event: heard.append(event.type.value))
        with transaction(host) as mine:
            within = governor.within(mine)
            order(mine, "kept")
            kept = within.start(read(ONE), {"x": 1}).instance
            savepoint = mine.begin_nested()
            assert within.complete(item, {}, by="ann").status == "waiting"
            savepoint.rollback()
            with mine.begin_nested():
                order(mine, "kept, too")
            assert heard == []
        assert heard.count("instance_started") == 1
        assert "work_item_completed" not in heard
        assert governor.result(kept).status == "waiting"
        assert ordered(host) == ["kept", "kept, too"]
        for each, who in ((other, "bob"), (governor, "cleo")):
            task = each.work_items(instance=begun.instance)[0].id
            each.complete(task, {}, by=who)
        assert governor.result(begun.instance).status == "completed"
        assert chained(governor, begun.instance) is None


@both
def test_work_that_the_host_rolled_back_to_a_savepoint_is_done_again(
    office: Office, host: Engine, transaction: Transaction
) -> None:
    office.doers.update(a=lambda work: Outcome(outputs={"done": True}))
    begun = office.start(model(start(), user("u"), service("a"), end(), edges("s > u > a > e")), {})
    with office.governor() as governor:
        with transaction(host) as mine:
            within = governor.within(mine)
            order(mine, "kept")
            savepoint = mine.begin_nested()
            within.complete(begun.waiting[0]["id"], {}, by="ann")
            savepoint.rollback()
        assert governor.complete(begun.waiting[0]["id"], {}, by="bob").status == "completed"


@both
def test_those_who_listen_hear_it_when_the_host_has_committed(
    office: Office, host: Engine, transaction: Transaction
) -> None:
    heard: list[str] = []
    with office.governor() as governor:
        governor.listen(lambda instance, event: heard.append(event.type.value))
        with transaction(host) as mine:
            governor.within(mine).start(read(ONE), {"x": 1})
            assert heard == []
        assert heard[0] == "instance_started"
        count = len(heard)
        governor.complete(governor.work_items()[0].id, {}, by="ann")
        assert heard[-1] == "instance_completed"
        assert count < len(heard)


@both
def test_a_step_that_is_refused_leaves_the_hosts_transaction_as_it_was(
    office: Office, host: Engine, transaction: Transaction
) -> None:
    begun = office.start(ONE, {"x": 1})
    item = begun.waiting[0]["id"]
    with office.governor() as governor, transaction(host) as mine:
        within = governor.within(mine)
        order(mine, "before")
        within.complete(item, {}, by="ann")
        with pytest.raises((AlreadyDone, WrongOutputs)):
            within.complete(item, {}, by="bob")
        order(mine, "after")
    assert ordered(host) == ["after", "before"]
    assert office.do(lambda g: g.store.work_item(item)).completed_by == "ann"


def test_work_on_several_threads_shares_one_connection(office: Office, host: Engine) -> None:
    source = model(start(), gateway("g"), *(service(f"a{n}") for n in range(4)), gateway("j"), end(),
                   edges("s > g", *(f"g > a{n} > j" for n in range(4)), "j > e"))  # fmt: skip

    def calling(work: Work) -> Outcome:
        answer = work.call_model("hash", lambda: {"n": work.element.id})
        return Outcome(outputs={f"by_{work.element.id}": answer["n"]})

    office.doers.update({f"a{n}": calling for n in range(4)})
    with office.governor() as governor, by_session(host) as mine:
        result = governor.within(mine).start(read(source), {})
        assert result.status == "completed"
    assert len(office.do(lambda g: g.variables(result.instance))) == 4


def test_another_kind_of_database_is_refused(office: Office, postgres_url: str) -> None:
    url, kind = (postgres_url, "postgresql") if "://" not in office.where else ("sqlite://", "sqlite")
    other = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    refused = pytest.raises(OtherDatabase, match=f"host's connection is to {kind}")
    with office.governor() as governor, other.connect() as connection, refused:
        governor.within(connection)
    other.dispose()


def test_two_governors_in_one_process_know_nothing_of_each_other(office: Office, tmp_path_factory: Any) -> None:
    other = Office(str(tmp_path_factory.mktemp("other") / "governor.db"))
    heard: dict[str, list[str]] = {"one": [], "two": []}

    def note(name: str) -> Callable[[Governor], Any]:
        return lambda g: g.listen(lambda instance, event: heard[name].append(instance))

    with office.governor() as one, other.governor() as two:
        note("one")(one)
        note("two")(two)
        first = one.start(read(ONE), {"x": 1})
        second = two.start(read(ONE), {"x": 2})
        third = two.start(read(ONE), {"x": 3})
        assert (first.variables["y"], second.variables["y"], third.variables["y"]) == (2, 3, 4)
        assert [each.id for each in one.instances()] == [first.instance]
        assert {*heard["one"]} == {first.instance}
        assert {*heard["two"]} == {second.instance, third.instance}
