"""Clients of a server in this process. Tests take the web framework from here, so that without it they are skipped."""

from __future__ import annotations

import pytest

for library, extra in (("fastapi", "server"), ("uvicorn", "server"), ("httpx", "checks")):
    pytest.importorskip(library, reason=f"{library} is not installed (pip install -e '.[{extra}]')")

from fastapi.testclient import TestClient  # noqa: E402

from engine.server.app import create_app  # noqa: E402
from engine.server.identity.local import LocalIdentity  # noqa: E402

__all__ = ["LocalIdentity", "TestClient", "create_app"]
