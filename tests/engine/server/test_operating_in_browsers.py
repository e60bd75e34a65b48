"""What an operator changes of an instance in a browser: seen before it is done, done once, told on the page."""

from __future__ import annotations

from typing import Any

import pytest

from bpmn.load import load
from tests.bpmn.files import policy
from tests.engine.models import edges, end, model, script, start, user
from tests.engine.server.browsing import PHONE, Late, Person, Site

_CALM = policy('<gov:policy interactionLevel="AUTO_ALLOW"/>')
_COUNT = script("count", "letter = 'we pay 10 euros'\nnumber = 1", _CALM)


def process(level: str, *more: str) -> bytes:
    """Two tasks behind each other; `more` comes between the second and the end."""
    names = ["count", "check", "sign", *(f"more{number}" for number in range(len(more)))]
    flows = edges(" > ".join(["s", *names, "e"]))
    body = (start(), _COUNT, user("check"), user("sign", _CALM), *more, end(), flows)
    return model(policy(f'<gov:policy interactionLevel="{level}"/>'), *body)


def begun(site: Site, level: str = "AUTO_ALLOW") -> str:
    version = site.governor.deploy(load(process(level), file="claim.bpmn"), by="ada")
    return site.governor.start_version(version, {}, starter="ada").instance


@pytest.mark.slow
def test_an_operator_changes_what_stands(browser: Any, site: Site) -> None:
    instance = begun(site)
    site.governor.deploy(load(process("AUTO_ALLOW", user("more0")), file="claim.bpmn"), by="ada")
    otto = Person(browser, site, "otto", "operator")
    page = otto.go(f"/instances/{instance}")
    panel = page.locator("[data-operate]")

    # A variable, with what changes of it.
    panel.locator("summary").click()
    edit = panel.locator("[data-edit]")
    edit.locator("[name=variable]").select_option("letter")
    edit.locator("[name=value]").fill("we pay 12 euros")
    edit.locator("[data-show]").click()
    assert edit.locator("[data-preview] del").inner_text() == "10"
    assert edit.locator("[data-preview] ins").inner_text() == "12"
    edit.locator("[name=reason]").fill("misread")
    edit.locator("button.primary").click()
    page.locator("#timeline .title", has_text="otto changes letter").wait_for()
    assert site.governor.variables(instance)["letter"] == "we pay 12 euros"
    assert site.governor.variables(instance)["number"] == 1

    # A new one, as JSON.
    panel.locator("summary").click()
    edit.locator("[name=variable]").select_option("")
    edit.locator("[name=name]").fill("rate")
    edit.locator("[name=value]").fill('{"percent": 3}')
    edit.locator("button.primary").click()
    page.locator("#timeline .title", has_text="otto changes rate").wait_for()
    assert site.governor.variables(instance)["rate"] == {"percent": 3}

    # A token.
    panel.locator("summary").click()
    move = panel.locator("[data-move]")
    move.locator("[data-targets] select").first.select_option("sign")
    move.locator("button.primary").click()
    page.locator("#timeline .title", has_text="The token at check goes to sign").wait_for()
    assert [item.element for item in site.governor.work_items(instance)] == ["sign"]

    # Another version, after a look at what would happen.
    panel.locator("summary").click()
    migrate = panel.locator("[data-migrate]")
    assert migrate.locator("button.primary").is_disabled()
    migrate.locator("[data-show]").click()
    migrate.locator("[data-plan] dd", has_text="more0").wait_for()
    migrate.locator("button.primary").click()
    page.locator("#timeline .title", has_text="Goes on with another definition").wait_for()
    otto.assert_fine()


def test_only_a_version_that_was_looked_at_is_gone_on_with(browser: Any, site: Site) -> None:
    instance = begun(site)
    for more in (["more0"], ["more0", "more1"]):
        site.governor.deploy(load(process("AUTO_ALLOW", *map(user, more)), file="claim.bpmn"), by="ada")
    otto = Person(browser, site, "otto", "operator")
    page = otto.go(f"/instances/{instance}")
    page.locator("[data-operate] summary").click()
    migrate = page.locator("[data-migrate]")
    early = Late(page, "**/migrate/plan")
    migrate.locator("[data-show]").click()
    early.made()
    migrate.locator("[name=definition]").select_option(index=1)
    early.let_go()
    assert migrate.locator("[data-plan]").is_hidden()
    assert migrate.locator("button.primary").is_disabled()
    migrate.locator("[data-show]").click()
    migrate.locator("[data-plan] dd", has_text="more0").wait_for()
    assert migrate.locator("button.primary").is_enabled()
    otto.assert_fine()


@pytest.mark.slow
def test_an_operator_goes_back(browser: Any, site: Site) -> None:
    instance = begun(site)
    [item] = site.governor.work_items(instance)
    site.governor.complete(item.id, {}, by="ada")
    otto = Person(browser, site, "otto", "operator", size=PHONE)
    page = otto.go(f"/instances/{instance}")
    row = page.locator("#contexts tbody tr", has_text="count").first
    row.locator("[data-rewind]").click()
    page.locator("dialog textarea").fill("once more")
    page.locator("dialog [data-go]").click()
    page.locator("#timeline .title", has_text="otto rewinds to").wait_for()
    page.locator("#next [data-act=resume]").click()
    page.locator("#next .step.task", has_text="check").wait_for()
    assert [each.element for each in site.governor.work_items(instance)] == ["check"]
    otto.assert_fine()


@pytest.mark.slow
def test_who_has_to_be_asked_is_asked_first(browser: Any, site: Site) -> None:
    instance = begun(site, "EXPLICIT_APPROVAL")
    otto = Person(browser, site, "otto", "operator")
    page = otto.go(f"/instances/{instance}")
    panel = page.locator("[data-operate]")
    panel.locator("summary").click()
    panel.locator("[data-edit] [name=value]").fill("we pay 12 euros")
    panel.locator("[data-edit] button.primary").click()
    page.locator(".toast", has_text="Somebody is asked first.").wait_for()
    page.locator("#next .step.question").wait_for()
    assert site.governor.variables(instance)["letter"] == "we pay 10 euros"
    viewer = Person(browser, site, "vic", "viewer")
    assert not viewer.go(f"/instances/{instance}").locator("[data-operate]").is_visible()
    otto.assert_fine()
