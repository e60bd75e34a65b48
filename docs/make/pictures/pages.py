"""Takes pictures of pages in a browser: `python -m docs.make.pictures.pages`. Needs the extras server and browser."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import uvicorn
from playwright.sync_api import sync_playwright

from docs.make.pages import DOCS
from engine.server.designer.file_desk import FileDesk
from engine.server.designer.one_file import OneTime, create_designer
from engine.server.designer.serving import listen

_SIZE: Final = {"width": 1240, "height": 800}
_PICTURES: Final = DOCS / "pictures"
_SELECT: Final = "governorDesigner.reveal('write_letter')"
_MATRIX: Final = """() => {
    governorDesigner.view("matrix");
    governorDesigner.matrix.go(1, 0, false);
    governorDesigner.matrix.go(3, 1, true);
}"""


def main() -> None:
    """The designer with a gateway selected, and its matrix with a block selected."""
    with tempfile.TemporaryDirectory() as folder, _served(_copied(Path(folder))) as link, sync_playwright() as driver:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_context(viewport=_SIZE, color_scheme="light", locale="en").new_page()
        page.goto(link)
        page.wait_for_selector("html[data-looked]")
        for name, script in (("designer", _SELECT), ("designer-matrix", _MATRIX)):
            page.evaluate(script)
            page.screenshot(path=_PICTURES / f"{name}.png")
        browser.close()


def _copied(folder: Path) -> Path:
    return Path(shutil.copy(DOCS / "tour" / "claim.bpmn", folder / "claim.bpmn"))


@contextmanager
def _served(path: Path) -> Iterator[str]:
    listening = listen(0)
    port = listening.getsockname()[1]
    one_time = OneTime(port)
    app: Any = create_designer(FileDesk(path), one_time)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}/?secret={one_time.link}"
    finally:
        server.should_exit = True
        thread.join()


if __name__ == "__main__":
    main()
