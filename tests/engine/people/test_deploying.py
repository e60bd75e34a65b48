"""Two deploy the same process at once: each is compared with what stands when theirs is kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import Loaded, load
from bpmn.writer.policy import with_policy
from engine.embedding import open_governor
from engine.people.agreement import Agreement, NotAgreed
from tests.bpmn.files import chain

FIRST = chain('<task id="t" gov:jobType="j"/>')
MAY = Agreement(by="dora", may_approve=True)


class Overtaken:
    """A clock; when it is first asked, which is when a version is about to be kept, somebody else does something."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act: Callable[[], Any] | None = act

    def now(self) -> datetime:
        act, self._act = self._act, None
        if act is not None:
            act()
        return datetime(2026, 1, 1, tzinfo=UTC)


def with_name(name: str) -> Loaded:
    return load(FIRST.replace(b'id="t"', f'id="t" name="{name}"'.encode()), file="a.bpmn")


def test_who_is_overtaken_comes_next_where_nothing_has_to_be_looked_at(tmp_path: Path) -> None:
    path = str(tmp_path / "governor.db")
    with open_governor(path) as other:
        clock = Overtaken(lambda: other.deploy(with_name("theirs"), by="bob"))
        with open_governor(path, clock=clock) as governor:
            kept = governor.deploy_as_agreed(with_name("ours"), MAY)
            assert (kept.version, kept.by) == (2, "dora")
            assert [each.by for each in governor.versions("p")] == ["dora", "bob"]


def test_who_is_overtaken_by_other_policies_has_to_look_at_them(tmp_path: Path) -> None:
    path = str(tmp_path / "governor.db")
    stricter = load(with_policy(FIRST, "a.bpmn", "t", {"interactionLevel": "EXPLICIT_APPROVAL"}), file="a.bpmn")
    with open_governor(path) as other:
        clock = Overtaken(lambda: other.deploy(stricter, by="bob"))
        with open_governor(path, clock=clock) as governor:
            with pytest.raises(NotAgreed) as refused:
                governor.deploy_as_agreed(with_name("ours"), MAY)
            assert [each["field"] for each in refused.value.compared["changes"]] == ["interactionLevel"]
            assert [each.by for each in governor.versions("p")] == ["bob"]
