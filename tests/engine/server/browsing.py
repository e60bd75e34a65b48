"""A real server on a port, and browsers that keep what they complain about and what they ask for."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no chromium on this machine (Debian: apt-get install chromium)", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")

from engine.embedding import open_governor  # noqa: E402
from engine.governor import Governor  # noqa: E402
from engine.server.serving import Stopping  # noqa: E402
from tests.engine.server.clients import PASSWORD, Server, served  # noqa: E402
from tests.engine.server.stories import RECORDED  # noqa: E402

DESKTOP, PHONE = (1400, 900), (390, 844)


class Site:
    """A server that listens, with who may use it."""

    def __init__(self, server: Server, address: str) -> None:
        self.server, self.address, self.governor = server, address, server.governor


@contextmanager
def listening(governor: Governor, folder: Path) -> Iterator[Site]:
    """Serve it until the `with` statement ends."""
    recorded = folder / "model.yaml"
    recorded.write_text(RECORDED, encoding="utf-8")
    server = served(governor, settings={"model": f"replay:{recorded}"})
    bound = socket.create_server(("127.0.0.1", 0))
    running = Stopping(server.app)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]})
    thread.start()
    try:
        yield Site(server, f"http://127.0.0.1:{bound.getsockname()[1]}")
    finally:
        running.should_exit = True
        thread.join(20)
        bound.close()


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, browser: Any, site: Site, name: str, *roles: str, **options: Any) -> None:
        size = options.pop("size", DESKTOP)
        self.site, self.complaints, self.outside = site, list[str](), list[str]()
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 600, reduced_motion="reduce", **options
        )
        self.page = self.context.new_page()
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._asked)
        if name not in {each.name for each in site.server.identity.users()}:
            site.server.identity.add_user(name, PASSWORD, roles)
        self.page.goto(f"{site.address}/sign-in")
        self.page.fill("[name=name]", name)
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("button.primary")
        self.page.wait_for_url(f"{site.address}/")

    def go(self, path: str) -> Any:
        """To a page of the site."""
        self.page.goto(self.site.address + path)
        return self.page

    def _heard(self, message: Any) -> None:
        # A refusal that a page tells of is no error of the page.
        if message.type in ("error", "warning") and "the server responded with a status of 4" not in message.text:
            self.complaints.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.site.address, "data:")):
            self.outside.append(request.url)

    def assert_fine(self) -> None:
        """Nothing was complained about, nothing fetched from elsewhere, and the page fits its screen."""
        assert self.complaints == []
        assert self.outside == []
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


class Late:
    """The first answer to a page's requests for some addresses: made at once, given when it is let go."""

    def __init__(self, page: Any, addresses: str) -> None:
        self._page, self._held = page, list[Any]()
        page.route(addresses, self._hold)

    def _hold(self, route: Any) -> None:
        if self._held:
            route.continue_()
        else:
            self._held.append((route, route.fetch()))

    def made(self) -> None:
        """Wait until the server has made it."""
        while not self._held:
            self._page.evaluate("0")

    def let_go(self) -> None:
        """Give it to the page, and wait until that has made of it what it makes."""
        [(route, answer)] = self._held
        with self._page.expect_event("requestfinished"):
            route.fulfill(response=answer)
        # What is fetched now comes after what the page has made of the early answer.
        self._page.evaluate("() => fetch(location.href).then((answer) => answer.text())")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser."""
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def site_in(folder: Path) -> Iterator[Site]:
    """A server on a new database in a folder."""
    governor = open_governor(str(folder / "runs.db"))
    try:
        with listening(governor, folder) as site:
            yield site
    finally:
        governor.close()
