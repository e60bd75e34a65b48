"""What a host does with definitions: keep them as versions, look at them, start instances of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from bpmn.codec import from_json
from bpmn.definition import Definition
from bpmn.load import Loaded
from engine.definitions import Definitions
from engine.moving import Mover
from engine.people import agreement
from engine.people.agreement import Agreement
from engine.result import RunResult
from engine.sessions import Sessions
from engine.store.deployments import Version
from engine.store.errors import UnknownProcessVersion, VersionOvertaken
from engine.store.port import InstanceStore
from governance.ports import Clock, timestamp


class DeployingDoor:
    """The part of a Governor that knows definitions beyond the instances that run on them."""

    store: InstanceStore
    _clock: Clock
    _definitions: Definitions
    _sessions: Sessions
    _mover: Mover

    def deploy(
        self, loaded: Loaded, *, by: str, reason: str | None = None, seen: str | None = None, after: int | None = None
    ) -> Version:
        """Keep what was read as the next version of its process; the last version again stays it.

        `reason` and `seen` go with it. With `after` only where that is the last version still (0: there is none).
        Raises NotDeployable, UnknownProcess, VersionOvertaken.
        """
        deployed = self._definitions.deploy(loaded)
        process = deployed.index.main
        return self.store.deployments.add(
            Version(
                process=process.id, version=0, definition=deployed.hash, name=process.name or process.id,
                file=loaded.definition.file, at=timestamp(self._clock.now()), by=by,
                reason=reason, seen=seen,
            ),
            after,
        )

    def compare(self, loaded: Loaded) -> dict[str, Any]:
        """What deploying what was read would change, and what design time asks for; see `agreement.compare`.

        Nothing is kept. What has errors in it can be looked at, too. Raises UnknownProcess.
        """
        return self._compared(loaded)[0]

    def deploy_as_agreed(self, loaded: Loaded, given: Agreement) -> Version:
        """Deploy what was read if what design time asks for was given: for who deploys for others.

        Where somebody else deploys meanwhile, it is compared with what they deployed. Raises NotAgreed, with what has
        to be looked at, NotDeployable and UnknownProcess.
        """
        while True:
            self._definitions.built(loaded)
            compared, last = self._compared(loaded)
            agreement.require_agreement(compared, given)
            try:
                return self.deploy(loaded, by=given.by, reason=given.reason, seen=given.seen, after=last)
            except VersionOvertaken:
                continue

    def _compared(self, loaded: Loaded) -> tuple[dict[str, Any], int]:
        """The comparison with the last version, and its number; 0: there is none."""
        process = loaded.definition.main if loaded.errors else self._definitions.built(loaded).index.main.id
        last = None if process is None else next(iter(self.store.deployments.of(process)), None)
        base = None if last is None else self.definition(last.definition)
        return agreement.compare(loaded, base), 0 if last is None else last.version

    def definitions(self) -> Sequence[Version]:
        """The last version of each process that was deployed."""
        return self.store.deployments.latest()

    def versions(self, process: str) -> Sequence[Version]:
        """All versions of a process, the newest first. Raises UnknownProcessVersion if there are none."""
        found = self.store.deployments.of(process)
        if not found:
            raise UnknownProcessVersion(process)
        return found

    def definition(self, hash: str) -> Definition:
        """A definition that was deployed, or that instances run on. Raises UnknownDefinition."""
        return from_json(orjson.loads(self.store.definition(hash)))

    def start_version(
        self,
        version: Version,
        variables: Mapping[str, Any],
        *,
        starter: str | None = None,
        settings: Mapping[str, Any] | None = None,
        id: str | None = None,
    ) -> RunResult:
        """Start an instance of a version, and run it as far as it goes. With `id` it is called so.

        Raises InstanceExists, MissingHandler, NotJson, UnknownDefinition.
        """
        deployed = self._definitions.of(version.definition, version.process)
        session = self._sessions.new(deployed, variables, starter, dict(settings or {}), id)
        return self._mover.run(session)
