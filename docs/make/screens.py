"""Takes the pictures of the console for pages: `python -m docs.make.screens`. It needs Chromium and Playwright."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from bpmn.load import load
from docs.make.pages import DOCS
from tests.engine.report.stories import told_demo
from tests.engine.server.browsing import Person, Site, chromium, site_in
from tests.engine.server.stories import CLAIM


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, site_in(Path(folder)) as site, chromium() as browser:
        question = _asked(site)
        person = Person(browser, site, "maria", "operator", "approver", size=(1280, 800))
        _keep(person.go(f"/instances/{told_demo(site.governor)}#diagram"), "console")
        _keep(person.go(f"/inbox/{question}"), "inbox")


def _asked(site: Site) -> str:
    """A proposed letter that waits for somebody; its id."""
    version = site.governor.deploy(load(CLAIM, file="claim.bpmn"), by="maria")
    settings = site.server.app.state.services.settings
    [asked] = site.governor.start_version(version, {}, starter="maria", settings=settings).waiting
    return str(asked["id"])


def _keep(page: Any, name: str) -> None:
    page.wait_for_timeout(300)
    page.screenshot(path=str(DOCS / "pictures" / f"{name}.png"))


if __name__ == "__main__":
    main()
