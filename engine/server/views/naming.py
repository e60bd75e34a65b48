"""What processes and elements of instances are called: neither ever changes, so each is read once."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.governor import Governor
from engine.names import Names
from engine.store.advance import InstanceRecord

_INSTANCES: Final = 8_192
_DEFINITIONS: Final = 256


class Naming:
    """Names of one Governor's instances."""

    def __init__(self, governor: Governor) -> None:
        self._governor = governor
        self._place = lru_cache(_INSTANCES)(self._read_place)
        self._names = lru_cache(_DEFINITIONS)(self._read_names)

    def of(self, instance: str) -> tuple[Names, str]:
        """The names of its definition, and what its process is called. Raises UnknownInstance."""
        definition, process = self._place(instance)
        names = self._names(definition)
        return names, names.process(process)

    def called(self, record: InstanceRecord) -> str:
        """What its process is called."""
        return self._names(record.definition).process(record.process)

    def _read_place(self, instance: str) -> tuple[str, str]:
        record = self._governor.store.instance(instance)
        return record.definition, record.process

    def _read_names(self, definition: str) -> Names:
        return Names(self._governor.definition(definition))
