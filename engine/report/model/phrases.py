"""Parts of what there is to say of an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.context_names import short
from engine.report.words import percent
from engine.told import Told, recorded, told


def measure(found: Mapping[str, Any]) -> str:
    return told(
        "{pressure} of the working layer's room ({chars:,} characters), "
        "{usage} of the model's window ({tokens:,} tokens)",
        pressure=percent(found["pressure"]),
        chars=found["chars"],
        usage=percent(found["usage"]),
        tokens=found["tokens"],
    )


def fall(change: Mapping[str, Any]) -> str:
    before, after = change["chars_before"], change["chars_after"]
    form = "{high} → {low}, {before:,} → {after:,} characters"
    return told(form, high=told(change["from"]), low=told(change["to"]), before=before, after=after)


def as_is(name: str) -> Told:
    """What an author called something, which no catalogue is to know."""
    return told("{name}", name=name)


def learned(step: Mapping[str, Any]) -> str:
    moved = f"{step['before']:.2f} → {step['after']:.2f}"
    return told("{moved}: {why}", moved=moved, why=recorded(step["why"]))


def trigger(data: Mapping[str, Any]) -> Told:
    return told(data["trigger"].lower().replace("_", " "))


def snapshot(id: str) -> Told:
    return told("snapshot {id}", id=short(id))


def snapshots(ids: Sequence[str]) -> Told:
    return told("snapshots {ids}", ids=", ".join(map(short, ids)))
