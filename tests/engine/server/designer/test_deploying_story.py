"""A process drawn, deployed, loosened and approved in the browser."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.server.clients import Server
from tests.engine.server.designer.harness import Opened, listen, running


@pytest.mark.slow
def test_a_new_process_is_deployed_and_what_loosens_it_approved(browser: Any, server: Server) -> None:
    key = server.user("ann", "designer", "approver")
    with running(server.app, listen(0)) as address:
        headers = {"authorization": f"Bearer {key}"}
        opened = Opened(browser, f"{address}/design/~new", extra_http_headers=headers)
        page = opened.page
        page.click(".identity summary")
        opened.fill("#element-id", "weighing")
        opened.reveal("first")
        page.check("#agent")
        page.select_option("#field-interactionLevel", "EXPLICIT_APPROVAL")
        page.click(".bar .main")
        page.wait_for_url("**/design/weighing")
        page.wait_for_selector("html[data-looked]")
        opened.reveal("first")
        page.select_option("#field-interactionLevel", "AUTO_ALLOW")
        page.click(".bar .main")
        page.wait_for_selector("dialog[open]")
        assert "EXPLICIT_APPROVAL" in page.inner_text("dialog .level")
        assert "interactionLevel EXPLICIT_APPROVAL -> AUTO_ALLOW" in page.inner_text("dialog .reasons")
        page.fill("#reason", "nobody ever said no")
        page.click("text=I have seen it: deploy")
        page.wait_for_selector("dialog", state="hidden")
        page.wait_for_selector(".dirty", state="hidden")
        [complaint] = opened.complaints
        assert "409" in complaint
        opened.complaints.clear()
        page.goto(f"{address}/processes/weighing")
        assert "nobody ever said no" in page.inner_text("main")
        opened.assert_fine()
        opened.close()
    newer, older = server.governor.versions("weighing")
    assert (older.version, newer.version, newer.by, newer.reason) == (1, 2, "ann", "nobody ever said no")
