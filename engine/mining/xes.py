"""Logs as XES (IEEE 1849-2016): a trace for each instance, an event for each step in the life of an activity run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import BinaryIO, Final
from xml.sax.saxutils import XMLGenerator
from xml.sax.xmlreader import AttributesImpl

from engine.clean_text import clean
from engine.mining.story import Step

_EXTENSIONS: Final = (
    ("Concept", "concept", "http://www.xes-standard.org/concept.xesext"),
    ("Lifecycle", "lifecycle", "http://www.xes-standard.org/lifecycle.xesext"),
    ("Organizational", "org", "http://www.xes-standard.org/org.xesext"),
    ("Time", "time", "http://www.xes-standard.org/time.xesext"),
    ("Identity", "identity", "http://www.xes-standard.org/identity.xesext"),
)
_GLOBALS: Final = {
    "trace": (("string", "concept:name", "unknown"),),
    "event": (
        ("string", "concept:name", "unknown"),
        ("string", "lifecycle:transition", "unknown"),
        ("date", "time:timestamp", "1970-01-01T00:00:00.000Z"),
    ),
}


class XesWriter:
    """Writes to a stream, trace by trace: nothing is held."""

    def __init__(self, out: BinaryIO) -> None:
        self._xml = XMLGenerator(out, "UTF-8", short_empty_elements=True)

    def begin(self) -> None:
        self._xml.startDocument()
        self._open("log", {"xes.version": "1849-2016", "xes.features": ""})
        for name, prefix, uri in _EXTENSIONS:
            self._empty("extension", {"name": name, "prefix": prefix, "uri": uri})
        for scope, attributes in _GLOBALS.items():
            self._open("global", {"scope": scope})
            for kind, key, value in attributes:
                self._empty(kind, {"key": key, "value": value})
            self._xml.endElement("global")
        self._empty("classifier", {"name": "Activity", "keys": "concept:name"})
        self._empty("classifier", {"name": "Activity and transition", "keys": "concept:name lifecycle:transition"})

    def trace(self, instance: str, about: Mapping[str, str | None], steps: Iterable[Step]) -> None:
        """An instance; `about` says more of it, under `gov:`."""
        self._open("trace", {})
        self._string("concept:name", instance)
        for name, value in about.items():
            self._string(f"gov:{name}", value)
        for step in steps:
            if step.transition is not None and step.run is not None:
                self._event(step)
        self._xml.endElement("trace")

    def end(self) -> None:
        self._xml.endElement("log")
        self._xml.endDocument()

    def _event(self, step: Step) -> None:
        event = step.event
        self._open("event", {})
        self._string("concept:name", step.name)
        self._string("concept:instance", step.run)
        self._string("lifecycle:transition", step.transition)
        self._empty("date", {"key": "time:timestamp", "value": event.at})
        self._string("org:resource", step.resource)
        self._string("gov:element", event.element)
        self._string("gov:branch", event.branch or None)
        self._string("gov:type", event.type.value)
        self._empty("int", {"key": "gov:seq", "value": str(event.seq)})
        self._xml.endElement("event")

    def _string(self, key: str, value: str | None) -> None:
        if value is not None:
            self._empty("string", {"key": key, "value": clean(value)})

    def _empty(self, name: str, attributes: Mapping[str, str]) -> None:
        self._open(name, attributes)
        self._xml.endElement(name)

    def _open(self, name: str, attributes: Mapping[str, str]) -> None:
        self._xml.startElement(name, AttributesImpl(dict(attributes)))
