"""Other people's files are what the manifest says, and all of them are told of."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
VENDOR = ROOT / "engine" / "server" / "vendor"


def packages() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VENDOR / "manifest.json").read_text())["packages"]
    return found


def test_each_file_has_its_checksum() -> None:
    told = {file["as"]: file["sha256"] for package in packages() for file in package["files"].values()}
    found = {
        str(path.relative_to(VENDOR)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in VENDOR.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }
    assert found == told


def test_each_package_is_named_with_its_licence() -> None:
    notice = (ROOT / "NOTICE").read_text()
    for package in packages():
        assert package["name"] in notice
        assert any(file["as"].startswith("licences/") for file in package["files"].values()), package["name"]
