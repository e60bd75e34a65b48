"""What has failed is listed, of all instances and of one, on both databases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from engine.activities.work import Outcome, Work
from engine.governor import Governor
from engine.store.advance import OpenIncident
from engine.store.errors import UnknownInstance
from tests.engine.models import edges, end, gateway, instances, model, service, start, sub, user
from tests.engine.operating.office import Office
from tests.engine.store.statements import heard


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    file = str(tmp_path / "governor.db")
    return Office(file if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


def broken(work: Work) -> Outcome:
    raise RuntimeError(f"{work.element.id} is broken")


def paged(office: Office, size: int) -> list[OpenIncident]:
    """All of them, page by page."""
    found: list[OpenIncident] = []
    while True:
        last = (found[-1].instance, found[-1].task) if found else None
        page = office.do(lambda g, last=last: g.incidents(limit=size, after=last))  # type: ignore[misc]
        found += page
        if len(page) < size:
            return found


def test_what_failed_is_found_by_an_index_that_has_nothing_else(office: Office) -> None:
    office.doers.update(b=broken)
    office.start(model(start(), user("u"), end(), edges("s > u > e")))
    office.start(model(start(), service("b"), end(), edges("s > b > e")))

    def look(governor: Governor) -> tuple[str, list[int]]:
        database = governor.store.database  # type: ignore[attr-defined]
        said: list[tuple[str, Any]] = []
        with heard(database.connections, lambda statement, rows: said.append((statement, rows[0]))):
            governor.incidents(limit=5)
        ((listed, values),) = [each for each in said if "gov_live" in each[0]]
        is_sqlite = database.connections.dialect.name == "sqlite"
        with database.connections.begin() as connection:
            if not is_sqlite:
                connection.execute(text("SET LOCAL enable_seqscan = off"))
            explain = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "
            plan = "\n".join(str(row) for row in connection.exec_driver_sql(explain + listed, values))
            return plan, list(connection.execute(text("SELECT incident FROM gov_live ORDER BY incident")).scalars())

    plan, marks = office.do(look)
    assert "gov_live_by_incident" in plan
    assert (sum(marks), len(marks) > 3) == (1, True)


def test_a_page_after_an_instance_that_is_no_more_is_refused(office: Office) -> None:
    office.start(model(start(), user("u"), end(), edges("s > u > e")))
    with pytest.raises(UnknownInstance, match="gone"):
        office.do(lambda g: g.incidents(after=("gone", "t1")))


def test_a_variable_that_says_so_is_no_incident(office: Office) -> None:
    office.start(model(start(), user("u"), end(), edges("s > u > e")), {"x": {"phase": "incident"}})
    assert office.do(lambda g: g.incidents()) == []


def test_what_failed_is_known_where_an_instance_was_taken_in(office: Office, tmp_path: Path) -> None:
    office.doers.update(b=broken)
    instance = office.start(model(start(), service("b"), end(), edges("s > b > e"))).instance
    office.do(lambda g: g.store.export(instance, tmp_path / "archive"))
    other = Office(str(tmp_path / "other.db"))
    other.do(lambda g: g.store.take_in(tmp_path / "archive"))
    assert [each.element for each in other.do(lambda g: g.incidents())] == ["b"]


def test_what_failed_is_listed_until_it_is_mended(office: Office) -> None:
    several = service("a", inside=instances(collection="xs"))
    inner = sub("o", start("s1"), service("b"), end("e1"), edges("s1 > b > e1"))
    source = model(start(), gateway("g"), several, inner, user("u"), gateway("j"), end(),
                   edges("s > g > a > j > e", "g > o > j", "g > u > j"))  # fmt: skip
    office.doers.update(a=broken, b=broken)
    one = office.start(source, {"xs": [1, 2]})
    told = '"phase":"incident"'  # a variable that says so is no incident
    two = office.start(model(start(), user("u"), end(), edges("s > u > e")), {"x": told}).instance
    three = office.start(model(start(), service("b"), end(), edges("s > b > e"))).instance
    assert one.status == "waiting"
    found = office.do(lambda g: g.incidents())
    assert [(each.instance, each.element, each.error) for each in found] == [
        (one.instance, "a", "a is broken"), (one.instance, "a", "a is broken"), (one.instance, "b", "b is broken"),
        (three, "b", "b is broken"),
    ]  # fmt: skip
    last = found[-1]
    assert (last.process, last.status, last.kind, last.branch) == ("p", "failed", "RuntimeError", "")
    assert office.do(lambda g: [each.element for each in g.incidents(one.instance, limit=2)]) == ["a", "a"]
    assert office.do(lambda g: g.incidents(two)) == []
    for size in (1, 2, 3):
        assert paged(office, size) == found
    office.do(lambda g: g.skip(one.instance, "a", by="olga"))
    office.do(lambda g: g.cancel(three, by="olga"))
    assert office.do(lambda g: [each.element for each in g.incidents()]) == ["b"]
