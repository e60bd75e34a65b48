"""A scope that has ended leaves nothing behind, also where the activity that opened it still stands before a join."""

from __future__ import annotations

import pytest

from tests.engine.models import edges, end, gateway, model, start, sub, user
from tests.engine.running import Run

CALLED = f'<process id="q" isExecutable="true">{start("qs")}{user("a")}{end("qe")}{edges("qs > a > qe")}</process>'
EMBEDDED = sub("sp", start("s2"), user("a"), end("e2"), edges("s2 > a > e2"))


@pytest.mark.parametrize(
    ("activity", "beside"), [('<callActivity id="sp" calledElement="q"/>', CALLED), (EMBEDDED, "")], ids=["call", "sub"]
)
def test_an_instance_is_restored_after_one_branchs_scope_has_ended(activity: str, beside: str) -> None:
    source = model(
        start(), gateway("g"), activity, user("b"), gateway("j"), end(), edges("s > g > sp > j > e", "g > b > j"),
        beside=beside,
    )  # fmt: skip
    run = Run(source, process="p")
    run.do("a")
    assert not [key for key in run.memory.rows if key[0] == "s"]
    run.reload().do("b")
    assert run.status == "completed"
