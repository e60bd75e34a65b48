"""What an evidence archive of an instance holds, file by file, as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final

import orjson

from bpmn.codec import from_json
from bpmn.definition import Element, Scope
from engine.replay.cause import Kind
from engine.replay.effects import done_outside
from engine.startup import DISTRIBUTION
from engine.store.port import InstanceStore
from governance.snapshots.canonical import canonical, decode, digest
from governance.snapshots.commits import dump_commit
from governance.snapshots.graph import SnapshotGraph

PRIVATE_SETTINGS: Final = frozenset({"folder"})
"""Settings of an instance that say where it was run, and nothing of what it did."""


def contents(store: InstanceStore, graph: SnapshotGraph, instance: str) -> dict[str, Any]:
    """By name of the file; bytes are as they are, the rest is JSON. Raises StoreError."""
    record = store.instance(instance)
    body = orjson.loads(store.definition(record.definition))
    commits = [graph.get(id) for id in store.snapshots(instance)]
    decisions, shown = _decisions(store, instance)
    hashes = {value for commit in commits for value in _values_in(commit)}
    values = {hash: decode(raw) for hash, raw in store.values_of(sorted(hashes)).items()}
    about = {
        name: getattr(record, name)
        for name in ("id", "definition", "process", "status", "reason", "starter", "head", "version",
                     "created_at", "updated_at")
    }  # fmt: skip
    settings = {name: value for name, value in record.settings.items() if name not in PRIVATE_SETTINGS}
    if "handlers" in settings:
        settings["handlers"] = [str(each).rpartition("/")[2] for each in settings["handlers"]]
    return {
        "instance.json": {**about, "settings": settings},
        "definition.json": body,
        "source.bpmn": store.definition_source(record.definition),
        "policies.json": _policies(body),
        "events.json": _events(store, instance),
        "snapshots.json": {commit.id: orjson.loads(dump_commit(commit)) for commit in commits},
        "values.json": values,
        "decisions.json": decisions,
        "shown.json": shown,
        "masked.json": {},
        "versions.json": _versions(store, instance),
        "outside.json": [
            {"at": each.at, "element": each.element, "what": each.what, "effect": each.effect.value, "key": each.key}
            for each in done_outside(instance, store.causes(instance), store.events(instance))
        ],
    }


def _events(store: InstanceStore, instance: str) -> list[dict[str, Any]]:
    """Events with their links and salts; those from before there were chains without."""
    linked = {seq: seal for seal in store.log.seals(instance) for seq in range(seal.first, seal.first + seal.length)}
    found = []
    for event in store.log.events(instance):
        row = {**event._asdict(), "data": event.data}
        seal = linked.get(event.seq)
        if seal is not None:
            row["link"] = seal.link(event.seq).hex()
            row["salt"] = "" if event.erased else seal.salt(event.seq).hex()
        found.append(row)
    return found


def _decisions(store: InstanceStore, instance: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Every decision with who and why, and what was shown, by hash."""
    shown: dict[str, Any] = {}
    found: list[dict[str, Any]] = []
    for asked in store.interventions(instance=instance, status=None):
        row = asked.model_dump(mode="json")
        shown[asked.shown_hash] = row.pop("shown")
        found.append({"kind_of_decision": "intervention", **row})
    for item in store.work_items(instance=instance, status=None):
        row = {name: getattr(item, name) for name in item.__dataclass_fields__ if name != "shown"}
        row["shown_hash"] = digest(canonical(item.shown))
        shown[row["shown_hash"]] = item.shown
        found.append({"kind_of_decision": "work_item", **row})
    return found, shown


def _versions(store: InstanceStore, instance: str) -> dict[str, Any]:
    """Which models, prompt templates, doers and engine took part; the engine is the one that writes this."""
    calls = [event.data for event in store.events(instance, types=["model_call"])]
    doers = {
        (told["element"], str(told["version"]))
        for kept in store.causes(instance)
        if kept.cause.kind is Kind.WORKED
        for _, told in kept.cause.data["results"]
        if "element" in told
    }
    return {
        "engine": version(DISTRIBUTION),
        "models": dict(Counter(str(call.get("model")) for call in calls)),
        "templates": dict(Counter(str(call["templates"]) for call in calls if "templates" in call)),
        "doers": [{"element": element, "version": each} for element, each in sorted(doers)],
    }


def _policies(body: Mapping[str, Any]) -> dict[str, Any]:
    """The resolved policy of each process and element, by the hash of its content."""
    definition = from_json(dict(body))
    by_hash: dict[str, Any] = {}
    elements: dict[str, str] = {}

    def put(id: str, policy: Any) -> None:
        dumped = policy.model_dump(mode="json")
        hash = digest(canonical(dumped))
        by_hash[hash], elements[id] = dumped, hash

    for process in definition.processes.values():
        put(process.id, process.policy)
        for element in _elements(process.scope):
            put(element.id, element.resolved)
    return {"policies": by_hash, "elements": elements}


def _elements(scope: Scope) -> Iterable[Element]:
    for element in scope.elements.values():
        yield element
        if element.scope is not None:
            yield from _elements(element.scope)


def _values_in(commit: Any) -> Sequence[str]:
    found = [hash for writes in (commit.writes, commit.carry) for write in writes.values()
             for hash in (write.meta, write.value) if hash is not None]  # fmt: skip
    return [*found, *(each.text for each in commit.shown.values() if each is not None and each.text is not None)]


