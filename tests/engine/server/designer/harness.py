"""The designer of one file, served by a thread, in a real browser."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

for library, extra in (("fastapi", "server"), ("uvicorn", "server")):
    pytest.importorskip(library, reason=f"{library} is not installed (pip install -e '.[{extra}]')")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if CHROMIUM is None:
    pytest.skip("no chromium on this machine (Debian: apt-get install chromium)", allow_module_level=True)
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (pip install playwright)")

import uvicorn  # noqa: E402

from engine.server.designer.desk import Desk  # noqa: E402
from engine.server.designer.one_file import OneTime, create_designer  # noqa: E402
from engine.server.designer.serving import listen  # noqa: E402

DESKTOP, PHONE = (1400, 900), (390, 844)


@contextmanager
def started_browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@contextmanager
def served(desk: Desk) -> Iterator[str]:
    """The link that opens the designer once."""
    listening = listen(0)
    one_time = OneTime(listening.getsockname()[1])
    with running(create_designer(desk, one_time), listening) as address:
        yield f"{address}/?secret={one_time.link}"


@contextmanager
def running(app: Any, listening: Any) -> Iterator[str]:
    """The address of an application that a thread serves."""
    config = uvicorn.Config(app, log_level="error", access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class Opened:
    """A page of the designer that keeps what it complained about, what it asked for, and how much that was."""

    def __init__(self, browser: Any, link: str, size: tuple[int, int] = DESKTOP, **more: Any) -> None:
        viewport = {"width": size[0], "height": size[1]}
        self.context = browser.new_context(viewport=viewport, has_touch=size[0] < 600, reduced_motion="reduce", **more)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.origin = "/".join(link.split("/")[:3])
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(link)
        self.page.wait_for_selector("html[data-looked]")

    def close(self) -> None:
        self.context.close()

    def looked(self) -> None:
        """Wait until the server has told of the drawing as it is now."""
        self.page.evaluate("governorDesigner.look()")

    def do(self, script: str, argument: Any = None) -> Any:
        """Run a script with the designer at hand as `d`."""
        return self.page.evaluate(f"async (argument) => {{ const d = governorDesigner; {script} }}", argument)

    def reveal(self, id: str) -> None:
        self.do("d.reveal(argument)", id)

    def fill(self, selector: str, text: str) -> None:
        self.page.fill(selector, text)
        self.page.dispatch_event(selector, "change")

    def xml(self) -> str:
        text: str = self.do("return (await d.modeler.saveXML({ format: true })).xml")
        return text

    def written(self, id: str) -> dict[str, str]:
        """The fields that are written on an element of the drawing, as the page reads them."""
        found: dict[str, str] = self.do(READ, id)
        return found

    def save(self) -> None:
        self.page.keyboard.press("Control+s")
        self.page.wait_for_selector(".dirty", state="hidden")

    def assert_fine(self) -> None:
        assert self.complaints == []
        assert [url for url in self.requests if not url.startswith((self.origin, "data:", "blob:"))] == []


READ = """
const { read } = await import('/static/designer/governance.js');
const bo = d.registry.get(argument).businessObject;
return Object.fromEntries([...d.fields.keys()].map((name) => [name, read(bo, name)]).filter(([, text]) => text));
"""
