"""Links between pages lead somewhere, and every page of the documentation is linked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project.tree import ROOT, files

PAGES = list(files(ROOT, ".md"))
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (?P<text>.+)$", re.MULTILINE)


def links(page: Path) -> list[str]:
    """Targets inside the project."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    targets = [found["target"] for found in _LINK.finditer(text)]
    return [target for target in targets if "://" not in target]


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    plain = (re.sub(r"[^\w\- ]", "", found["text"].lower()) for found in _HEADING.finditer(text))
    return {each.strip().replace(" ", "-") for each in plain}


def is_broken(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return not target.exists() or bool(anchor and anchor not in anchors(target))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert [link for link in links(page) if is_broken(page, link)] == []


def test_every_page_is_linked_from_the_index() -> None:
    """Those of the rules from the page about what check finds."""
    index, findings = ROOT / "docs/index.md", ROOT / "docs/reference/findings.md"
    linked = {(page.parent / link.partition("#")[0]).resolve() for page in (index, findings) for link in links(page)}
    assert [str(page.relative_to(ROOT)) for page in files(ROOT / "docs", ".md") if page not in {*linked, index}] == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Some Words: here\n[a](page.md#some-words-here) [b](page.md#other) [c](gone.md) [d](https://x.org)\n")
    assert [link for link in links(page) if is_broken(page, link)] == ["page.md#other", "gone.md"]
