"""Which handler does which job type."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from bpmn.findings import near_match
from engine.activities.errors import BadHandlers
from engine.activities.job import ServiceHandler
from engine.activities.loading import load_handlers

GROUP: Final = "bpmn_governor.handlers"
"""Entry-point group through which other distributions offer handlers: name = job type, value = `module:callable`."""

Offers = Callable[[], Mapping[str, Callable[[], Any]]]
"""What installed distributions offer: by job type, how to load its handler."""


class HandlerRegistry:
    """Handlers by job type: those registered here, then those of installed distributions.

    The latter are looked up only when a job type is not known otherwise, and loaded when they are used.
    """

    def __init__(self, handlers: Mapping[str, ServiceHandler] | None = None, offers: Offers | None = None) -> None:
        self._handlers: dict[str, ServiceHandler] = dict(handlers or {})
        self._offers = offers or _installed
        self._offered: Mapping[str, Callable[[], Any]] | None = None

    @classmethod
    def of_modules(cls, sources: Iterable[str], folder: Path | None = None) -> HandlerRegistry:
        """Handlers of modules, each an import path or a `.py` file, looked for from `folder` on.

        Raises BadHandlers, also for a clash.
        """
        registry = cls()
        for source in sources:
            for job_type, function in load_handlers(source, folder).items():
                if job_type in registry._handlers:
                    raise BadHandlers(source, f"another module has a handler for the job type {job_type} too")
                registry.register(job_type, function)
        return registry

    def register(self, job_type: str, function: ServiceHandler) -> None:
        """Let `function` do a job type, in place of what did it before."""
        self._handlers[job_type] = function

    def find(self, job_type: str) -> ServiceHandler | None:
        """The handler of a job type. Raises BadHandlers for an installed one that cannot be loaded."""
        known = self._handlers.get(job_type)
        if known is None and job_type in self._offers_once():
            known = self._handlers[job_type] = self._load(job_type)
        return known

    def __contains__(self, job_type: object) -> bool:
        return job_type in self._handlers or job_type in self._offers_once()

    def job_types(self) -> list[str]:
        """All that is registered or offered, sorted."""
        return sorted({*self._handlers, *self._offers_once()})

    def near(self, job_type: str) -> str | None:
        """The registered job type that `job_type` is probably a misspelling of."""
        return near_match(job_type, self.job_types())

    def _offers_once(self) -> Mapping[str, Callable[[], Any]]:
        if self._offered is None:
            self._offered = self._offers()
        return self._offered

    def _load(self, job_type: str) -> ServiceHandler:
        source = f"entry point {job_type} in {GROUP}"
        try:
            function = self._offers_once()[job_type]()
        except Exception as error:
            raise BadHandlers(source, f"{type(error).__name__}: {error}") from error
        if not callable(function):
            raise BadHandlers(source, f"{function!r} cannot be called")
        loaded: ServiceHandler = function
        return loaded


def _installed() -> dict[str, Callable[[], Any]]:
    # Imported here: it costs as much as everything else a small run does before its first activity.
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=GROUP)}
