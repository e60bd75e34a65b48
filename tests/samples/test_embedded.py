"""The samples that embed the engine do what their pages say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from tests.engine.cli.command import environment
from tests.project.tree import ROOT

SERVICE, SCRIPT = ROOT / "samples/embedded_service", ROOT / "samples/embedded_script"


def test_the_script_runs_an_order_to_its_end(tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT / "script.py"), str(tmp_path / "orders.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:2] == ["  work_item_created: approve", "  activity_completed: approve"]
    assert "completed with" in done.stdout
    assert "'reservation': 'R-1'" in done.stdout


@pytest.fixture
def module() -> ModuleType:
    if find_spec("fastapi") is None:
        pytest.skip("fastapi is not installed: pip install 'bpmn-governor[server]'")
    spec = spec_from_file_location("embedded_service", SERVICE / "service.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # FastAPI looks the annotations of the routes up there
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def client(module: ModuleType, tmp_path: Path) -> Iterator[Any]:
    pytest.importorskip("httpx", reason="httpx is not installed: pip install 'bpmn-governor[checks]'")
    from fastapi.testclient import TestClient

    with TestClient(module.create_app(str(tmp_path / "orders.db"))) as opened:
        yield opened


def test_a_small_order_is_done_at_once(client: Any) -> None:
    assert client.post("/orders", json={"amount": 20, "customer": "ines"}).json() == {"order": 1, "status": "completed"}
    assert client.get("/orders/1").json()["variables"]["reservation"] == "R-1"
    assert client.get("/orders/2").status_code == 404


def test_a_large_order_waits_for_one_consent(client: Any) -> None:
    assert client.post("/orders", json={"amount": 2500, "customer": "ines"}).json()["status"] == "waiting"
    assert client.post("/orders/1/consent", json={"by": "maria", "consent": True}).json()["status"] == "completed"
    assert client.post("/orders/1/consent", json={"by": "li", "consent": False}).status_code == 409


def test_an_order_that_cannot_be_kept_leaves_no_instance(
    client: Any, module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = module.ORDERS.update().where(text("no_such_column = 1"))
    monkeypatch.setattr(module.ORDERS, "update", lambda: broken, raising=False)
    with pytest.raises(Exception, match="no_such_column"):
        client.post("/orders", json={"amount": 20, "customer": "ines"})
    engine = create_engine(f"sqlite:///{tmp_path / 'orders.db'}")
    with engine.connect() as connection:
        found = [connection.execute(text(f"SELECT count(*) FROM {name}")) for name in ("orders", "gov_instance")]
        counts = [each.scalar() for each in found]
    engine.dispose()
    assert counts == [0, 0]
