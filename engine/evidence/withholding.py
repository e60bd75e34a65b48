"""Evidence without what is personal: what is withheld leaves its hash, and, beside it, what is left of it masked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.evidence.chain import data_digest, erased
from engine.personal.masking import Masker


def withheld(contents: Mapping[str, Any], masker: Masker) -> dict[str, Any]:
    """The contents of an archive, in which chain and hashes hold as before.

    An event's data become their digest, without the salt; a value or something shown becomes its hash. Decisions, and
    why the instance stands so, which no hash is of, are masked where they stand.
    """
    about = contents["instance.json"]
    masked: dict[str, Any] = {"events": {}, "values": {}, "shown": {}}
    events = []
    for row in contents["events.json"]:
        found = masker.json(row["data"])
        if found != row["data"] and "salt" in row:
            masked["events"][str(row["seq"])] = found
            digest = data_digest(bytes.fromhex(row["salt"]), row["data"])
            row = {**row, "data": erased(digest), "salt": ""}
        events.append(row)
    values = {hash: _kept(hash, value, masker.value(hash, value), masked["values"])
              for hash, value in contents["values.json"].items()}  # fmt: skip
    shown = {hash: _kept(hash, value, masker.json(value), masked["shown"])
             for hash, value in contents["shown.json"].items()}  # fmt: skip
    return {
        **contents,
        "instance.json": {**about, "reason": masker.json(about["reason"])},
        "events.json": events,
        "values.json": values,
        "shown.json": shown,
        "decisions.json": [_decision(row, masker) for row in contents["decisions.json"]],
        "masked.json": masked,
    }


def _kept(hash: str, value: Any, found: Any, masked: dict[str, Any]) -> Any:
    if found == value:
        return value
    masked[hash] = found
    return erased(bytes.fromhex(hash))


def _decision(row: Mapping[str, Any], masker: Masker) -> dict[str, Any]:
    """Who and what stay; texts and values are masked."""
    found = dict(row)
    for name in ("message", "outputs"):
        if name in found:
            found[name] = masker.json(found[name])
    if found.get("answer"):
        answer = found["answer"]
        found["answer"] = {**answer, "reason": masker.json(answer["reason"]), "values": masker.json(answer["values"])}
    return found
