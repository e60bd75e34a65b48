"""What has failed is listed, of all instances and of one, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.activities.work import Outcome, Work
from tests.engine.models import edges, end, gateway, instances, model, service, start, sub, user
from tests.engine.operating.office import Office


@pytest.fixture(params=["sqlite", "postgresql"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Office:
    file = str(tmp_path / "governor.db")
    return Office(file if request.param == "sqlite" else request.getfixturevalue("postgres_url"))


def broken(work: Work) -> Outcome:
    raise RuntimeError(f"{work.element.id} is broken")


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
    office.do(lambda g: g.skip(one.instance, "a", by="olga"))
    office.do(lambda g: g.cancel(three, by="olga"))
    assert office.do(lambda g: [each.element for each in g.incidents()]) == ["b"]
