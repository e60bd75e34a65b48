"""`governor tool`: the four tools from the command line, the same as agents call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.cli.wiring import open_governor
from governance.tools.errors import ToolRefused
from tests.bpmn.files import policy
from tests.engine.cli.command import governor
from tests.engine.models import edges, end, gateway, model, script, start, user

LONG = "The pump in hall four stopped at noon, and nobody was hurt. " * 20
WAITING = model(start(), user("ask"), end(), edges("s > ask > e"))
DISPUTE = model(
    start(), gateway("g"), script("l", "x = 1"), script("r", "x = 2"), gateway("j"), user("ask"), end(),
    edges("s > g > l > j > ask > e", "g > r > j"),
)  # fmt: skip


class Instance:
    """A live instance in a database of its own."""

    def __init__(self, folder: Path, source: bytes, **variables: Any) -> None:
        self._db = f"sqlite:///{folder / 'runs.db'}"
        (folder / "p.bpmn").write_bytes(source)
        self._folder = folder
        given = [part for name, value in variables.items() for part in ("--var", f"{name}={json.dumps(value)}")]
        told = governor("run", str(folder / "p.bpmn"), *given, "--json", "--db", self._db)
        self.id = json.loads(told.out)["instance"]

    def tool(self, name: str, **arguments: Any) -> Any:
        return governor("tool", name, self.id, "--args", json.dumps(arguments), "--db", self._db)

    def gives(self, name: str, **arguments: Any) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.tool(name, **arguments).out)
        return told

    def show(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(governor("show", self.id, "--json", "--db", self._db).out)
        return told


def test_a_context_is_looked_at(tmp_path: Path) -> None:
    instance = Instance(tmp_path, WAITING, x="hello")
    told = instance.gives("context_inspect", layer="WORKING")
    assert told["entries"] == {"WORKING/x": '"hello"'}


def test_a_context_is_compressed_and_put_back(tmp_path: Path) -> None:
    instance = Instance(tmp_path, WAITING, x=LONG)
    fell = instance.gives("context_compress", mode="compress", layer="WORKING", strategy="ARCHIVE")
    assert [change["to"] for change in fell["changes"]] == ["ARCHIVED"]
    counts = instance.gives("context_inspect", layer="WORKING", summary_only=True)["layers"]["WORKING"]
    assert counts["archived_names"] == ["x"]
    back = instance.gives("context_compress", mode="decompress", layer="WORKING", retain_keys=["x"])
    assert back["put_back"] == ["x"]


def test_what_waits_for_an_approval_is_not_compressed(tmp_path: Path) -> None:
    """Nobody approves something else than is shown: what the question is about stays as it is until the answer."""
    level = policy('<gov:policy interactionLevel="EXPLICIT_APPROVAL"/>')
    held = model(start(), script("a", "x = 'other'", level), end(), edges("s > a > e"))
    instance = Instance(tmp_path, held, x=LONG, z=LONG)
    fell = instance.gives("context_compress", mode="compress", layer="WORKING", strategy="ARCHIVE")
    assert [change["key"] for change in fell["changes"]] == ["WORKING/z"]


def test_a_branch_and_people_are_told_of(tmp_path: Path) -> None:
    instance = Instance(tmp_path, WAITING)
    assert instance.gives("context_branch", mode="snapshot")["branch"] == ""
    tell = {"trigger_type": "RUNTIME", "interaction_level": "MICRO_SUGGESTION", "message": "Look here."}
    assert instance.gives("human_confirm", **tell) == {"told": True}


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("context_inspect", {"layer": "HEAP"}, "layer: Input should be"),
        ("context_lookup", {}, "there is no such tool; there are context_inspect"),
        ("context_branch", {"mode": "snapshot", "branch_id": "/g@1:1.x"}, "acts on its own branch alone"),
        (
            "human_confirm",
            {"trigger_type": "RUNTIME", "interaction_level": "EXPLICIT_APPROVAL", "message": "Yes?"},
            "nobody waits here",
        ),
    ],
)
def test_a_bad_call_is_one_line_and_exit_code_2(
    tmp_path: Path, name: str, arguments: dict[str, Any], told: str
) -> None:
    result = Instance(tmp_path, WAITING).tool(name, **arguments)
    assert result.code == 2
    assert told in result.err
    assert len(result.err.splitlines()) == 1


def test_arguments_are_a_json_object(tmp_path: Path) -> None:
    instance = Instance(tmp_path, WAITING)
    result = governor("tool", "context_inspect", instance.id, "--args", "[", "--db", instance._db)
    assert (result.code, "the arguments are not JSON" in result.err) == (2, True)


def test_conflicts_of_a_join_are_evaluated_and_settled(tmp_path: Path) -> None:
    dispute = DISPUTE.replace(
        b'<parallelGateway id="j"/>',
        b'<parallelGateway id="j"><extensionElements><gov:policy><gov:branchStrategy merge="HUMAN"/></gov:policy>'
        b"</extensionElements></parallelGateway>",
    )
    instance = Instance(tmp_path, dispute)
    (conflict,) = instance.gives("context_branch", mode="evaluate")["conflicts"]
    assert conflict["id"] == "WORKING/x"
    settled = instance.gives("context_branch", mode="resolve_conflict", resolution_strategy="LAST_WRITE")
    assert settled["settled"]["WORKING/x"]["take"].endswith(".r")
    assert instance.show()["variables"] == {"x": 2}


def test_the_same_from_python(tmp_path: Path) -> None:
    instance = Instance(tmp_path, WAITING, x=1)
    host = open_governor(instance._db)
    try:
        assert host.tool(instance.id, "context_inspect", {}, by="ann")["entries"]["WORKING/x"] == "1"
        with pytest.raises(ToolRefused, match="there is no entry y"):
            host.tool(instance.id, "context_inspect", {"keys": ["y"]}, by="ann")
        told = [event.data for event in host.store.events(instance.id) if event.type == "tool_call"]
        assert [each["by"] for each in told] == ["ann", "ann"]
        assert ["failed" in each for each in told] == [False, True]
    finally:
        host.close()


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("context_inspect", {"layer": "HEAP"}, "layer: Input should be"),
        ("context_compress", {"mode": "compress", "layer": "SYSTEM"}, "layer: Input should be"),
        ("context_branch", {"mode": "snapshot", "branch_id": "/g@1:1.x"}, "acts on its own branch alone"),
        ("human_confirm", {"trigger_type": "RUNTIME", "interaction_level": "AUTO_DENY", "message": "Yes?"}, ""),
        ("write_system", {}, "there is no such tool"),
    ],
)
def test_a_call_that_is_refused_is_an_event_moves_nothing_and_can_be_made_again(
    tmp_path: Path, name: str, arguments: dict[str, Any], why: str
) -> None:
    instance = Instance(tmp_path, WAITING, x=1)
    before = instance.show()
    assert instance.tool(name, **arguments).code == 2
    host = open_governor(instance._db)
    try:
        (told,) = [event for event in host.store.events(instance.id) if event.type == "tool_call"]
    finally:
        host.close()
    assert (told.element, told.data["tool"], told.data["by"]) == ("ask", name, "maria")
    assert why in told.data["failed"]
    after = instance.show()
    assert [after[each] for each in ("variables", "status", "waiting")] == [
        before[each] for each in ("variables", "status", "waiting")
    ]
    replayed = governor("replay", instance.id, "--db", instance._db)
    assert replayed.code == 0, replayed.out + replayed.err
