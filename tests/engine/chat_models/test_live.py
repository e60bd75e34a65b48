"""Tests marked `live` call what GOVERNOR_LIVE_MODEL names: here the strict server stands in the provider's place."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.conftest import LIVE
from tests.engine.chat_models.strict_server.server import KEY, serving
from tests.engine.chat_models.test_conversation import clerk
from tests.project.tree import ROOT

_TESTS = "tests/engine/chat_models/test_conversation.py"


def pytest_run(*options: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    plain = {name: value for name, value in os.environ.items() if name != LIVE}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, _TESTS]
    return subprocess.run(
        command, cwd=ROOT, env={**plain, **environment}, capture_output=True, text=True, check=False, timeout=240
    )


def test_every_test_of_a_conversation_is_made_both_ways() -> None:
    told = pytest_run("--collect-only", "-q", environment={LIVE: "openai:strict-1"})
    found = re.findall(r"::(\w+)\[(\w+)\]", told.stdout)
    strict, live = ({name for name, each in found if each == way} for way in ("strict", "live"))
    assert strict == live
    assert len(live) >= 6


def test_they_call_the_endpoint_that_is_named() -> None:
    with serving(clerk) as server:
        environment = {LIVE: "openai:strict-1", "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": KEY}
        told = pytest_run("-q", "-m", "live", environment=environment)
        assert told.returncode == 0, told.stdout
        assert len(server.asked) >= 6
        assert len(server.refusals) == 1, "the one that sends a result without its call"
