"""Whole stories in a browser: deploy, start, watch, approve in part, settle, show in full again, and two at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.server.views.inbox_lines import MOST
from tests.engine.server.browsing import PHONE, Late, Person, Site
from tests.engine.server.stories import CLAIM
from tests.engine.server.test_inbox import LEADS, tasks

EVERYTHING = ("operator", "designer", "approver")


def deploy_and_start(person: Person, folder: Path) -> str:
    """By hand; the instance's id."""
    file = folder / "claim.bpmn"
    file.write_bytes(CLAIM)
    page = person.go("/processes")
    page.set_input_files("[name=file]", str(file))
    page.click("[data-check]")
    page.wait_for_selector("[data-findings] > *")
    page.click("[data-deploy] button.primary")
    page.wait_for_selector("[data-start]")
    page.click("[data-start] button.primary")
    page.wait_for_url(re.compile("/instances/"))
    page.wait_for_selector("#next .step.question")
    return str(page.url.rpartition("/")[2])


def open_question(site: Site, instance: str) -> str:
    [asked] = site.governor.interventions(instance)
    return asked.id


@pytest.mark.slow
def test_a_claim_from_its_file_to_its_end(browser: Any, site: Site, tmp_path: Path) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    instance = deploy_and_start(ada, tmp_path)
    page = ada.page
    page.evaluate("window.stays = true")

    # Bea answers in part, in another browser; the change that she leaves out stays as it was.
    bea = Person(browser, site, "bea", "approver")
    bea.go("/inbox")
    bea.page.click("[data-line]")
    bea.page.wait_for_selector("[data-hunks]")
    changes = bea.page.locator("[data-hunk]")
    count = changes.count()
    assert count >= 4
    bea.page.keyboard.press("1")
    assert not changes.nth(0).is_checked()
    assert bea.page.locator("[data-decide=approve]").inner_text() == "Approve what is chosen"
    bea.page.keyboard.press("a")
    bea.page.wait_for_url(f"{site.address}/inbox")
    letter = site.governor.variables(instance)["letter"]
    assert "burst pipe" in letter
    assert "1,700 euros" in letter

    # Ada's page followed without being loaded anew, to the conflict of the join.
    page.wait_for_selector("#conflicts .status.open")
    assert page.evaluate("window.stays")
    assert page.locator("#timeline .kind-person", has_text="bea answers").count() == 1

    page.click("#next .step.question a")
    page.wait_for_selector("[data-choice]")
    page.locator(".side", has_text="1700").click()
    page.click("[data-decide=resolve]")
    page.wait_for_url(f"{site.address}/inbox")
    assert site.governor.variables(instance)["payout"] == 1700

    # What was compressed for the last step is shown in full again.
    ada.go(f"/instances/{instance}")
    entry = page.locator("#ledger details.entry", has_text="notes")
    entry.locator("summary").click()
    entry.locator("[data-act=decompress]").click()
    page.wait_for_selector(".toast:not([hidden])")
    assert "in full again" in page.locator(".toast").inner_text()

    page.click("[data-show-diff]")
    page.wait_for_selector("[data-differences] > *, [data-differences]:not(:empty)")
    page.select_option("[data-heat-by]", "conflicts")
    assert page.locator(".sheet .node.heat-emergency").count() == 1

    page.click("#next .step.task a")
    page.fill("[name=signed_by]", "Ada")
    page.click("[data-task] button.primary")
    page.wait_for_url(f"{site.address}/inbox")
    assert site.governor.result(instance).status == "completed"
    for person in (ada, bea):
        person.assert_fine()


def test_of_two_browsers_one_answers_and_the_other_is_told(browser: Any, site: Site, tmp_path: Path) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    instance = deploy_and_start(ada, tmp_path)
    asked = open_question(site, instance)
    bea = Person(browser, site, "bea", "approver", size=PHONE)
    for person in (ada, bea):
        person.go(f"/inbox/{asked}")
    bea.page.click("[data-decide=approve]")
    bea.page.wait_for_url(f"{site.address}/inbox")
    ada.page.fill("[name=reason]", "too late")
    ada.page.click("[data-decide=deny]")
    ada.page.wait_for_selector("[data-told]:not([hidden])")
    told = ada.page.locator("[data-told]").inner_text()
    assert told.startswith("bea was first")
    assert site.governor.store.intervention(asked).answer.by == "bea"  # type: ignore[union-attr]
    ada.assert_fine()
    bea.assert_fine()


def test_a_denial_needs_a_reason(browser: Any, site: Site, tmp_path: Path) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    asked = open_question(site, deploy_and_start(ada, tmp_path))
    ada.go(f"/inbox/{asked}")
    ada.page.keyboard.press("d")
    assert ada.page.evaluate("document.activeElement.name") == "reason"
    assert site.governor.store.intervention(asked).status == "open"
    ada.page.fill("[name=reason]", "the tone is wrong")
    ada.page.click("[data-decide=deny]")
    ada.page.wait_for_url(f"{site.address}/inbox")
    assert site.governor.store.intervention(asked).answer.reason == "the tone is wrong"  # type: ignore[union-attr]
    ada.assert_fine()


def test_an_operator_suspends_lets_go_on_and_cancels(browser: Any, site: Site, tmp_path: Path) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    instance = deploy_and_start(ada, tmp_path)
    page = ada.page
    for act, status in (("suspend", "suspended"), ("unsuspend", "waiting"), ("cancel", "cancelled")):
        page.locator(f".acts [data-act={act}]").click()
        page.fill("[data-dialog] textarea", f"why {act}")
        page.click("[data-go]")
        page.wait_for_selector(f"h1 .status.{status}")
        assert site.governor.store.instance(instance).status == status
    assert page.locator(".acts [data-act]:visible").count() == 0
    ada.assert_fine()


def test_an_answer_that_comes_late_is_not_shown_over_a_newer_one(browser: Any, site: Site, tmp_path: Path) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    instance = deploy_and_start(ada, tmp_path)
    page, early = ada.page, Late(ada.page, "**/sections")
    with page.expect_request("**/sections"):
        site.governor.suspend(instance, by="otto")
    early.made()
    site.governor.cancel(instance, by="otto")
    page.wait_for_selector("h1 .status.cancelled")
    early.let_go()
    assert page.locator("h1 .status").inner_text() == "cancelled"


@pytest.mark.parametrize("contents", [[b"<none/>", CLAIM], [CLAIM, b"<none/>"]], ids=["refused", "checked"])
def test_what_is_found_late_is_not_shown_over_what_another_file_has(
    browser: Any, site: Site, tmp_path: Path, contents: list[bytes]
) -> None:
    page = Person(browser, site, "ada", *EVERYTHING).go("/processes")
    early = Late(page, "**/v1/checks")
    for number, content in enumerate(contents):
        file = tmp_path / f"{number}.bpmn"
        file.write_bytes(content)
        page.set_input_files("[name=file]", str(file))
        page.click("[data-check]")
        early.made()
    page.wait_for_selector("[data-findings] > *, .toast:not([hidden])")
    newer = [page.inner_text("[data-findings]"), page.is_visible(".toast")]
    early.let_go()
    assert [page.inner_text("[data-findings]"), page.is_visible(".toast")] == newer


def test_what_was_found_in_one_file_is_not_shown_beside_what_is_told_of_another(
    browser: Any, site: Site, tmp_path: Path
) -> None:
    page = Person(browser, site, "ada", *EVERYTHING).go("/processes")
    findings, told = "[data-findings] > *", ".toast:not([hidden])"
    for content, shown, hidden in (CLAIM, findings, told), (b"<none/>", told, findings), (CLAIM, findings, told):
        file = tmp_path / "file.bpmn"
        file.write_bytes(content)
        page.set_input_files("[name=file]", str(file))
        page.click("[data-check]")
        page.wait_for_selector(shown)
        assert page.locator(hidden).count() == 0


def test_who_only_looks_is_offered_nothing_to_do(browser: Any, site: Site, tmp_path: Path) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    instance = deploy_and_start(ada, tmp_path)
    asked = open_question(site, instance)
    vera = Person(browser, site, "vera", "viewer")
    vera.go(f"/instances/{instance}")
    assert vera.page.locator("[data-act]:visible").count() == 0
    vera.go(f"/inbox/{asked}")
    assert vera.page.locator("[data-decide]:visible").count() == 0
    vera.assert_fine()


@pytest.mark.slow
def test_a_file_that_changes_policies_is_deployed_once_it_was_looked_at(
    browser: Any, site: Site, tmp_path: Path
) -> None:
    ada = Person(browser, site, "ada", *EVERYTHING)
    file = tmp_path / "claim.bpmn"
    page = ada.page
    for source in (CLAIM, CLAIM.replace(b'workingThreshold="60000"', b'workingThreshold="50000"')):
        file.write_bytes(source)
        ada.go("/processes")
        page.set_input_files("[name=file]", str(file))
        page.click("[data-deploy] button.primary")
        page.wait_for_selector("[data-start], [data-findings] form")
    told = page.locator("[data-findings] [data-changes]").inner_text()
    assert "workingThreshold: 60000 → 50000" in told
    assert not page.locator("[data-findings] [data-reason]").is_visible()
    page.click("[data-findings] button.primary")
    page.wait_for_selector("[data-start]")
    [process] = {each.process for each in site.governor.definitions()}
    last = site.governor.versions(process)[0]
    assert (last.version, last.by, bool(last.seen)) == (2, "ada", True)
    assert [each for each in ada.complaints if "409" not in each] == []


@pytest.mark.slow
def test_the_inbox_is_walked_by_keys(browser: Any, site: Site) -> None:
    names = [f"t{number:02}" for number in range(MOST + 5)]
    site.governor.start(load(tasks(*((name, LEADS if name > "t09" else "") for name in names)), file="many.bpmn"), {})
    ada = Person(browser, site, "ada", "approver")
    page = ada.go("/inbox")
    page.keyboard.press("j")
    first = page.locator("[data-line] .title").first.inner_text()
    assert page.evaluate("document.activeElement.querySelector('.title').textContent") == first
    page.keyboard.press("n")
    page.wait_for_url("**/inbox?after=*")
    assert page.locator("[data-line]").count() == 5
    page.keyboard.press("p")
    page.locator("[data-line]").nth(MOST - 1).wait_for()
    page.keyboard.press("m")
    page.wait_for_url("**/inbox?only=mine*")
    shown = page.locator("[data-line] .title").all_inner_texts()
    assert sorted(shown) == [f"t0{number}" for number in range(10)]
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/inbox/*only=mine*")
    page.click("[data-task] button.primary")
    page.wait_for_url("**/inbox?only=mine*")
    assert page.locator("[data-line]").count() == 9
    ada.assert_fine()
