"""The JSON form of definitions."""

from __future__ import annotations

import json
from dataclasses import replace
from threading import Thread
from typing import Any, get_type_hints

import orjson
import pytest
from hypothesis import HealthCheck, given, settings

from bpmn import codec
from bpmn.codec import definition_hash, from_json, to_json
from bpmn.definition import Definition
from bpmn.errors import CorruptDefinition
from governance.policy import Policy
from tests.bpmn.definitions import DEFINITIONS
from tests.bpmn.files import chain, definition, loaded


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None, max_examples=60)
@given(DEFINITIONS)
def test_a_definition_comes_back_as_it_was(any_definition: Definition) -> None:
    written = json.loads(json.dumps(to_json(any_definition)))
    back = from_json(written)
    assert back == any_definition
    assert to_json(back) == to_json(any_definition)
    assert definition_hash(back) == definition_hash(any_definition)
    for identifier, process in any_definition.processes.items():
        assert list(back.processes[identifier].scope.elements) == list(process.scope.elements)


def test_the_order_of_elements_does_not_rest_on_the_order_of_keys() -> None:
    """Some stores sort the keys of JSON objects."""
    found = definition(chain('<task id="z"/>', '<task id="a"/>'))
    back = from_json(orjson.loads(orjson.dumps(to_json(found), option=orjson.OPT_SORT_KEYS)))
    assert list(back.processes["p"].scope.elements) == list(found.processes["p"].scope.elements)
    assert list(back.processes["p"].scope.flows) == list(found.processes["p"].scope.flows)


def test_policies_are_written_once() -> None:
    data = chain('<task id="a" gov:workingThreshold="5"/>', *(f'<task id="t{n}"/>' for n in range(20)))
    assert len(to_json(definition(data))["policies"]) == 2


def test_what_is_at_its_default_is_not_written() -> None:
    written = to_json(definition(chain('<task id="a"/>')))["processes"][0]["scope"]["elements"][1]
    assert written == {
        "id": "a",
        "kind": "task",
        "line": 4,
        "incoming": ["f0"],
        "outgoing": ["f1"],
        "resolved": 0,
    }


def test_the_hash_is_that_of_the_content() -> None:
    data = chain('<task id="a"/>')
    found = definition(data)
    assert definition_hash(found) == definition_hash(replace(found, file="elsewhere/b.bpmn"))
    assert len(definition_hash(found)) == 64
    changed = [
        chain('<task id="a" name="x"/>'),
        chain('<userTask id="a"/>'),
        chain('<task id="a" gov:windowTokens="5"/>'),
    ]
    assert len({definition_hash(definition(one)) for one in [data, *changed]}) == 4
    loose = loaded(data, settings=Policy(working_threshold=5)).definition
    assert definition_hash(loose) != definition_hash(found)


def test_scopes_nested_as_deep_as_is_read_come_back() -> None:
    inner = ""
    for level in range(50):
        inner = f'<subProcess id="n{level}"><startEvent id="s{level}"/>{inner}</subProcess>'
    deep = loaded(chain('<task id="a"/>').replace(b"</process>", inner.encode() + b"</process>")).definition
    assert from_json(orjson.loads(orjson.dumps(to_json(deep)))) == deep
    assert len(definition_hash(deep)) == 64


def broken(**changes: Any) -> dict[str, Any]:
    """The JSON of a definition with some fields replaced."""
    return {**to_json(definition(chain('<task id="a"/>'))), **changes}


@pytest.mark.parametrize(
    "data",
    [
        {},
        broken(version=2),
        broken(version=None),
        broken(policies=[]),
        broken(policies=[{"policy": {"working_threshold": 0}}]),
        broken(processes=[{}]),
        broken(processes=[{"id": "p", "moon": 1}]),
        broken(processes=5),
        broken(processes=[{"id": "p", "scope": {"elements": [{"id": "a", "kind": "task", "resolved": -1}]}}]),
        broken(processes=[{"id": "p", "scope": {"elements": [{"id": "a", "kind": "task", "resolved": "x"}]}}]),
        broken(unknown=1),
    ],
)
def test_json_of_another_form_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(CorruptDefinition):
        from_json(data)


def test_one_thread_reads_while_another_reads_the_first_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    found = definition(chain('<task id="a"/>'))
    written, back = to_json(found), list[Definition]()

    class Overtaken(dict[str, Any]):
        """Types of fields; while they are read, another thread reads a definition to its end."""

        def items(self) -> Any:
            for number, item in enumerate(super().items()):
                if number == 1 and not back:
                    back.append(found)  # Only the first time: that thread comes here, too.
                    other = Thread(target=lambda: back.append(from_json(written)))
                    other.start()
                    other.join(20)
                yield item

    codec._decoder.cache_clear()
    monkeypatch.setattr(codec, "get_type_hints", lambda kind: Overtaken(get_type_hints(kind)))
    assert from_json(written) == found
    assert back == [found, found]
    codec._decoder.cache_clear()
