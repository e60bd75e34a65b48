"""The page itself: no complaint, nothing from outside, light, fit for every screen and for screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.server.designer.file_desk import FileDesk
from tests.engine.server.designer.harness import DESKTOP, PHONE, Opened, served
from tests.engine.server.designer.models import model

pytest.importorskip("axe_playwright_python", reason="axe is not installed (pip install -e '.[checks]')")

from axe_playwright_python.sync_playwright import Axe

axe = Axe()
HEAVIEST = 900_000
SERIOUS = {"serious", "critical"}
THEIRS = [[".djs-container"]]
"""What bpmn-js draws is not ours to change."""


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    path = tmp_path / "model.bpmn"
    path.write_bytes(model("governed already"))
    with served(FileDesk(path)) as link:
        yield link


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(DESKTOP, "light", "en"), (DESKTOP, "dark", "zh-CN"), (PHONE, "dark", "en"), (PHONE, "light", "zh-CN")],
)
def test_every_view_is_fine(browser: Any, link: str, size: tuple[int, int], scheme: str, language: str) -> None:
    opened = Opened(browser, link, size, color_scheme=scheme, locale=language)
    page = opened.page
    assert page.get_attribute("html", "lang") == language[:2]
    check(opened)
    opened.reveal("a")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    check(opened)
    opened.do("d.view('matrix')")
    check(opened, drawn=False)
    opened.do("d.view('diagram'); await d.keeping.review()")
    page.wait_for_selector("dialog[open]")
    check(opened, drawn=False)
    opened.assert_fine()
    opened.close()


def check(opened: Opened, *, drawn: bool = True) -> None:
    page = opened.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if drawn:
        assert_mark_is_free(page)
    found = axe.run(page, context={"exclude": THEIRS}).response["violations"]
    serious = (each for each in found if each["impact"] in SERIOUS)
    assert [(each["id"], [node["html"][:160] for node in each["nodes"]]) for each in serious] == []


def assert_mark_is_free(page: Any) -> None:
    """bpmn.io's mark is on top at each of its corners and in its middle."""
    page.locator(".bjs-powered-by").scroll_into_view_if_needed()
    covered = page.evaluate("""() => {
        const mark = document.querySelector('.bjs-powered-by');
        const { left, top, right, bottom } = mark.getBoundingClientRect();
        const shown = getComputedStyle(mark);
        if (shown.visibility !== 'visible' || shown.opacity !== '1' || right - left < 20) return 'hidden';
        const points = [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2],
            [(left + right) / 2, (top + bottom) / 2]];
        return points.filter(([x, y]) => !mark.contains(document.elementFromPoint(x, y))).length;
    }""")
    assert covered == 0


def test_the_first_load_is_light(browser: Any, link: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    bodies: list[int] = []
    page.on("response", lambda each: bodies.append(0 if each.status == 303 else len(each.body())))
    page.goto(link)
    page.wait_for_selector("html[data-looked]")
    assert sum(bodies) < HEAVIEST
    context.close()


def test_the_link_works_once(browser: Any, link: str) -> None:
    Opened(browser, link).close()
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    assert page.locator("#designer").count() == 0
    assert "link" in page.inner_text("h1")
    context.close()


def test_where_the_drawing_ends_the_badges_do_not_cover_the_mark(browser: Any, link: str) -> None:
    opened = Opened(browser, link)
    opened.do("""
        const { width, height } = d.canvas.getSize();
        const element = d.registry.get('a');
        d.canvas.viewbox({ x: element.x + element.width - width + 20, y: element.y - height + 30, width, height });
    """)
    assert_mark_is_free(opened.page)
    opened.close()
