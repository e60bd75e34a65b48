"""Under GOVERNOR_CI=1 a skip is a failure, however it is asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT

SKIPPING = {
    "mark": "import pytest\n@pytest.mark.skip(reason='no database')\ndef test_it(): pass\n",
    "call": "import pytest\ndef test_it(): pytest.skip('no database')\n",
    "fixture": "import pytest\n@pytest.fixture\ndef db(): pytest.skip('no database')\ndef test_it(db): pass\n",
    "module": "import pytest\npytest.skip('no database', allow_module_level=True)\ndef test_it(): pass\n",
    "import": "import pytest\npytest.importorskip('no_database')\ndef test_it(): pass\n",
}


def run(folder: Path, code: str, ci: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(ROOT / "tests/conftest.py", folder)
    (folder / "test_one.py").write_text(code)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_one.py"]
    environment = {**os.environ, "GOVERNOR_CI": ci}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("way", SKIPPING)
def test_a_skip_fails_in_ci(tmp_path: Path, way: str) -> None:
    result = run(tmp_path, SKIPPING[way], ci="1")
    assert result.returncode not in (0, 5)
    assert "skipped under GOVERNOR_CI=1" in result.stdout
    assert "no_database" in result.stdout or "no database" in result.stdout


def test_a_skip_is_a_skip_elsewhere(tmp_path: Path) -> None:
    result = run(tmp_path, SKIPPING["mark"], ci="")
    assert (result.returncode, "1 skipped" in result.stdout) == (0, True)


def test_what_is_missing_is_told_once_however_many_need_it(tmp_path: Path) -> None:
    many = "".join(f"def test_{n}(): pytest.skip('no database')\n" for n in range(5))
    result = run(tmp_path, f"import pytest\n{many}def test_other(): pytest.skip('no browser')\n", ci="")
    assert result.stdout.splitlines()[-3:-1] == ["1 skipped: no browser", "5 skipped: no database"]


def test_an_expected_failure_passes_in_ci(tmp_path: Path) -> None:
    code = "import pytest\n@pytest.mark.xfail(strict=True)\ndef test_it(): assert False\n"
    assert run(tmp_path, code, ci="1").returncode == 0
