"""Every page in a browser, wide and narrow, light and dark: nothing goes wrong, everybody can use it, it is light."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from bpmn.load import load
from tests.engine.report.stories import long_run, told_demo, told_story
from tests.engine.server.browsing import DESKTOP, PHONE, Person, Site, site_in
from tests.engine.server.stories import CLAIM

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")

HEAVIEST = 900_000
"""Bytes that a page may fetch when it is opened first."""
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, dict[str, str]]]:
    """A site where much has happened, and its pages by name."""
    with site_in(tmp_path_factory.mktemp("site")) as site:
        governor = site.governor
        version = governor.deploy(load(CLAIM, file="claim.bpmn"), by="ada")
        governor.knowledge.add("Compare the policy with the claim before anything is paid.", "sop", by="ada")
        claim = governor.start_version(version, {}, starter="ada", settings=site.server.app.state.services.settings)
        yield site, {
            "instances": "/",
            "demo": f"/instances/{told_demo(governor)}",
            "failed": f"/instances/{told_story(governor)}",
            "waiting": f"/instances/{claim.instance}",
            "long": f"/instances/{long_run(governor, 240)}",
            "inbox": "/inbox",
            "question": f"/inbox/{claim.waiting[0]['id']}",
            "processes": "/processes",
            "process": f"/processes/{version.process}",
            "knowledge": "/knowledge?which=all",
            "experience": "/experience?which=all",
            "access": "/access",
        }


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme", "locale"), [(DESKTOP, "light", "en"), (PHONE, "dark", "zh-CN")])
def test_pages_are_fine_and_for_everybody(browser: Any, told: Any, size: Any, scheme: str, locale: str) -> None:
    site, pages = told
    root = Person(browser, site, "root", "admin", size=size, color_scheme=scheme, locale=locale)
    for name, path in pages.items():
        page = root.go(path)
        page.wait_for_load_state("load")
        for details in page.query_selector_all("main details"):
            details.evaluate("each => each.open = true")
        if name != "long":
            found = axe.Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
            wrong = [(each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in SERIOUS]
            assert wrong == [], f"{name} {scheme}"
        root.assert_fine()
    assert page.evaluate("document.documentElement.lang") == ("zh-CN" if locale == "zh-CN" else "en")


@pytest.mark.slow
def test_a_page_is_light_when_it_is_opened_first(browser: Any, told: Any) -> None:
    site, pages = told
    for name, path in pages.items():
        root = Person(browser, site, "root", "admin")
        fresh = root.context.new_page()
        network = root.context.new_cdp_session(fresh)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        asked: list[Any] = []
        fresh.on("requestfinished", lambda request, asked=asked: asked.append(request))
        fresh.goto(site.address + path, wait_until="load")
        total = sum(each.sizes()["responseBodySize"] for each in asked if not each.url.endswith("/stream"))
        assert 10_000 < total < HEAVIEST, f"{name}: {total:,} bytes"
        root.context.close()


def test_older_events_are_fetched_when_they_are_asked_for(browser: Any, told: Any) -> None:
    site, pages = told
    root = Person(browser, site, "root", "admin")
    page = root.go(pages["long"])
    rows = page.locator("#log tbody tr")
    assert rows.count() == 200
    page.click("[data-older]")
    rows.nth(399).wait_for(state="attached")
    assert rows.count() == 400
    cells = "[...document.querySelectorAll('#log tbody tr')].map(each => Number(each.cells[0].textContent))"
    numbers = page.evaluate(cells)
    assert numbers == list(range(numbers[0], numbers[0] + 400))
    root.assert_fine()
