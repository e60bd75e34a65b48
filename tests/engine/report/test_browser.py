"""The page in a real browser: nothing goes wrong, nothing is fetched, and it fits the screen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.governor import Governor
from engine.report.page import report_page, write_report
from engine.report.run import Run
from tests.engine.report.stories import long_run
from tests.engine.report.test_page import hostile_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no chromium on this machine (Debian: apt-get install chromium)", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")

SCREENS = [(1400, 900), (390, 844)]
SCHEMES = ["light", "dark"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


class Watched:
    """A page that keeps what it complained about and what it asked for."""

    def __init__(self, browser: Any, file: Path, size: tuple[int, int], scheme: str = "light") -> None:
        self.page = browser.new_page(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            has_touch=size[0] < 600,
            reduced_motion="reduce",
        )
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = file.as_uri()
        self.page.goto(self.address)

    def _dismiss(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def assert_fine(self) -> None:
        assert self.complaints == []
        assert {url.partition("#")[0] for url in self.requests if url != "data:,"} == {self.address}
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture(scope="module")
def demo_file(demo: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "demo.html"
    file.write_text(report_page(demo), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", SCREENS)
def test_the_demo_opens_without_complaint(browser: Any, demo_file: Path, size: tuple[int, int], scheme: str) -> None:
    watched = Watched(browser, demo_file, size, scheme)
    page = watched.page
    for section in page.query_selector_all("section"):
        section.scroll_into_view_if_needed()
    for details in page.query_selector_all("details"):
        details.evaluate("each => each.open = true")
    watched.assert_fine()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) < 200) == (scheme == "dark")
    page.close()


def test_a_card_tells_of_an_element(browser: Any, demo_file: Path) -> None:
    watched = Watched(browser, demo_file, SCREENS[0])
    page, card = watched.page, watched.page.locator("[data-card]")
    node = page.locator(".sheet .node", has=page.locator("title", has_text="Analyse network\n"))
    node.scroll_into_view_if_needed()
    node.hover()
    card.wait_for(state="visible")
    text = card.inner_text()
    assert "28,000 characters" in text
    assert "lane Agents" in text
    assert "Without governance" in text
    node.click()
    page.mouse.move(5, 5)
    assert card.is_visible()
    page.keyboard.press("Escape")
    assert card.is_hidden()
    watched.assert_fine()
    page.close()


def test_a_tap_tells_it_on_a_telephone(browser: Any, demo_file: Path) -> None:
    watched = Watched(browser, demo_file, SCREENS[1])
    page = watched.page
    page.locator(".sheet .node.activity").first.tap()
    card = page.locator("[data-card]")
    assert card.is_visible()
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    watched.assert_fine()
    page.close()


def test_the_diagram_can_be_made_larger_and_whole(browser: Any, demo_file: Path) -> None:
    watched = Watched(browser, demo_file, SCREENS[0])
    page = watched.page

    def width() -> float:
        return float(page.evaluate("document.querySelector('.sheet svg').getBoundingClientRect().width"))

    page.click("[data-zoom=full]")
    full = width()
    assert page.locator(".overview").is_visible()
    page.click("[data-zoom=whole]")
    assert width() <= page.evaluate("document.querySelector('.sheet').clientWidth") + 1 < full
    assert page.locator(".overview").is_hidden()
    page.click("[data-zoom=in]")
    assert width() > 1_000
    watched.assert_fine()
    page.close()


def test_the_log_is_filtered(browser: Any, demo_file: Path) -> None:
    watched = Watched(browser, demo_file, SCREENS[0])
    page = watched.page
    page.select_option("[data-filter] select", "D3")
    rows = page.locator(".log tbody tr:visible")
    assert rows.count() == 2
    page.select_option("[data-filter] select", "")
    page.fill("[data-filter] input", "POSTMORTEM")
    assert 0 < rows.count() < 20
    watched.assert_fine()
    page.close()


def test_only_decisions_can_be_shown(browser: Any, demo_file: Path) -> None:
    watched = Watched(browser, demo_file, SCREENS[0])
    page = watched.page
    page.check("#only-decisions")
    assert page.locator(".kind-activity:visible").count() == 0
    assert page.locator(".kind-d2:visible").count() == 2
    page.click("#timeline .kind-d1 summary >> nth=0")
    assert "usage 0.71" in page.locator("#timeline .kind-d1 dl >> nth=0").inner_text()
    watched.assert_fine()
    page.close()


def test_without_script_everything_is_there(browser: Any, demo_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(demo_file.as_uri())
    assert page.locator(".log tbody tr").count() > 50
    assert page.locator(".sheet .node").count() > 25
    assert page.locator(".tools").is_hidden()
    context.close()


@pytest.mark.parametrize("size", SCREENS)
def test_hostile_texts_do_nothing(browser: Any, governor: Governor, tmp_path: Path, size: tuple[int, int]) -> None:
    write_report(governor.store, hostile_run(governor), tmp_path / "page.html")
    watched = Watched(browser, tmp_path / "page.html", size)
    for node in watched.page.query_selector_all(".sheet .node")[:4]:
        node.hover()
    watched.page.fill("[data-filter] input", "<script>")
    watched.assert_fine()
    watched.page.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", SCREENS)
def test_five_hundred_activities_fit(browser: Any, governor: Governor, tmp_path: Path, size: tuple[int, int]) -> None:
    write_report(governor.store, long_run(governor, 500), tmp_path / "page.html")
    watched = Watched(browser, tmp_path / "page.html", size)
    assert watched.page.locator(".sheet .node.activity").count() == 500
    timeline = watched.page.locator("#timeline").bounding_box()
    assert timeline is not None
    assert timeline["height"] < 3 * size[1]
    watched.assert_fine()
    watched.page.close()
