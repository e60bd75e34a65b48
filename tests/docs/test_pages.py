"""What README and docs show is what happens: every command, program and file of a page, in its order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.following import PAGES, follow
from tests.docs.session import Session
from tests.project.tree import ROOT


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_is_true(page: Path, tmp_path: Path) -> None:
    assert [str(difference) for difference in follow(page, Session(tmp_path))] == []
