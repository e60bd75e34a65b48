"""Deployed definitions: built once, shared by all instances."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import orjson

from bpmn.check.run import check
from bpmn.codec import definition_hash, from_json, to_json
from bpmn.definition import Definition
from bpmn.load import Loaded
from engine.errors import NotDeployable, UnknownProcess
from engine.launch import Deployed, deploy
from engine.store.port import InstanceStore

_MOST_WRITTEN: Final = 32


class Definitions:
    """What a store holds of definitions, ready to run."""

    def __init__(self, store: InstanceStore, like: Definitions | None = None) -> None:
        """`like`: definitions of the same store, whose builds are shared."""
        self._store = store
        self._deployed: dict[tuple[str, str], Deployed] = {} if like is None else like._deployed
        self._written: dict[int, _Written] = {} if like is None else like._written

    def deploy(self, loaded: Loaded) -> Deployed:
        """Keep what was read, with its file. Raises NotDeployable, UnknownProcess, NotRunnable, StoreError."""
        return self._keep(loaded.definition, _main(loaded), loaded.source)

    def built(self, loaded: Loaded) -> Deployed:
        """What was read, to look at. Raises NotDeployable, UnknownProcess, NotRunnable."""
        return deploy(loaded.definition, definition_hash(loaded.definition), _main(loaded))

    def of(self, hash: str, process: str) -> Deployed:
        """One that was deployed before. Raises UnknownDefinition."""
        if (hash, process) not in self._deployed:
            definition = from_json(orjson.loads(self._store.definition(hash)))
            self._deployed[hash, process] = deploy(definition, hash, process)
        return self._deployed[hash, process]

    def main(self, hash: str) -> Deployed:
        """The main process of one that was deployed before. Raises UnknownDefinition."""
        main = from_json(orjson.loads(self._store.definition(hash))).main
        assert main is not None, "what has no main process is not deployed"
        return self.of(hash, main)

    def sibling(self, deployed: Deployed, process: str) -> Deployed | None:
        """Another process of the same file, to be started by itself; None if it cannot be run."""
        definition = replace(deployed.index.definition, main=process)
        if any(finding.severity == "error" for finding in check(definition)):
            return None
        known = self._deployed.get((definition_hash(definition), process))
        return known or self._keep(definition, process, self._store.definition_source(deployed.hash))

    def _keep(self, definition: Definition, process: str, source: bytes) -> Deployed:
        written = self._as_written(definition)
        hash = written.hash
        deployed = self._deployed.get((hash, process)) or deploy(definition, hash, process)
        name = definition.processes[process].name or process
        self._store.deploy(written.text, hash, source, name, definition.file)
        self._deployed[hash, process] = deployed
        return deployed

    def _as_written(self, definition: Definition) -> _Written:
        """A definition as it is stored; of one that starts many instances, it is written once."""
        written = self._written.get(id(definition))
        if written is None:
            text = orjson.dumps(to_json(definition))
            written = self._written[id(definition)] = _Written(definition, definition_hash(definition), text)
            for oldest in list(self._written)[:-_MOST_WRITTEN]:
                self._written.pop(oldest, None)
        return written


class _Written(NamedTuple):
    """It holds the definition, so that no other one gets its id meanwhile."""

    definition: Definition
    hash: str
    text: bytes


def _main(loaded: Loaded) -> str:
    """The process that was chosen, of what can be run."""
    if loaded.errors:
        raise NotDeployable(loaded.definition.file, loaded.errors)
    if loaded.definition.main is None:
        raise UnknownProcess(loaded.definition.file, sorted(loaded.definition.processes))
    return loaded.definition.main
