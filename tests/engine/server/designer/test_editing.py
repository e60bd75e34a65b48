"""What people do in the panel, the matrix and the list of findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.server.designer.file_desk import FileDesk
from tests.engine.server.designer.harness import Opened, served
from tests.engine.server.designer.models import model

pytestmark = pytest.mark.slow
SELECT = "d.modeler.get('selection').select(argument.map((id) => d.registry.get(id)))"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.bpmn"
    path.write_bytes(model("governed already"))
    return path


@pytest.fixture
def opened(browser: Any, path: Path) -> Iterator[Opened]:
    with served(FileDesk(path)) as link:
        page = Opened(browser, link)
        yield page
        page.assert_fine()
        page.close()


def holds(opened: Opened, field: str) -> str:
    text: str = opened.page.inner_text(f"[data-field='{field}'] .holds")
    return text


def resolved(path: Path) -> Any:
    return load(path).definition.processes["p"].scope.elements


def test_the_resolved_value_and_its_origin_stand_beside_each_field(opened: Opened) -> None:
    opened.reveal("a")
    assert holds(opened, "workingThreshold") == "Holds: 9000 · from process Model"
    assert holds(opened, "compressStrategy") == "Holds: ARCHIVE · written here"
    assert holds(opened, "branchStrategy.split") == "Holds: INHERIT_ALL · default"
    opened.page.click("[data-field='workingThreshold'] .origin")
    assert opened.page.inner_text(".panel h2") == "Model"
    opened.fill("#field-workingThreshold", "8000")
    opened.looked()
    opened.reveal("a")
    assert holds(opened, "workingThreshold") == "Holds: 8000 · from process Model"


def test_an_edit_of_several_elements_is_one_step(opened: Opened, path: Path) -> None:
    opened.do(SELECT, ["a", "b"])
    assert opened.page.inner_text(".panel h2") == "2 elements"
    assert holds(opened, "workingThreshold") == "Several values."
    before = opened.xml()
    opened.page.select_option("#field-interactionLevel", "EXPLICIT_APPROVAL")
    assert [opened.written(id)["interactionLevel"] for id in "ab"] == ["EXPLICIT_APPROVAL"] * 2
    opened.page.click("[aria-label=Undo]")
    assert opened.xml() == before
    opened.page.click("[aria-label=Redo]")
    opened.save()
    assert {resolved(path)[id].resolved.policy.interaction_level for id in "ab"} == {"EXPLICIT_APPROVAL"}


def test_a_field_is_inherited_again(opened: Opened) -> None:
    opened.reveal("b")
    assert opened.written("b") == {"workingThreshold": "700", "retainKeys": "k, l"}
    opened.page.click("[aria-label='Inherit Working threshold again']")
    assert opened.written("b") == {"retainKeys": "k, l"}


def test_what_a_field_does_not_take_is_told_and_not_written(opened: Opened) -> None:
    opened.reveal("a")
    before = opened.xml()
    opened.fill("#field-workingThreshold", "many")
    assert opened.page.inner_text("[data-field='workingThreshold'] .wrong") == "a whole number from 1"
    assert opened.xml() == before


def test_an_agent_is_written_and_read_by_the_engine(opened: Opened, path: Path) -> None:
    opened.reveal("b")
    opened.page.check("#agent")
    opened.fill("#agent-prompt", 'Weigh "it"\nwell')
    opened.fill("#agent-outputs", "risk: number")
    opened.save()
    agent = resolved(path)["b"]
    assert agent.agent.prompt == 'Weigh "it"\nwell'
    assert list(agent.outputs_schema["properties"]) == ["risk"]
    opened.page.uncheck("#agent")
    opened.save()
    assert resolved(path)["b"].agent is None


def test_findings_are_marked_listed_and_lead_to_their_element(opened: Opened) -> None:
    opened.reveal("b")
    opened.page.check("#agent")
    opened.fill("#agent-outputs", "risk: nonsense")
    opened.page.wait_for_selector("[data-element-id=b].governor-error")
    opened.reveal("a")
    opened.page.click(".findings summary")
    opened.page.click(".findings li.error button")
    assert opened.page.inner_text(".panel h2") == "By attributes"
    opened.fill("#agent-outputs", "risk: number")
    opened.page.wait_for_selector("[data-element-id=b].governor-error", state="detached")


def test_a_changed_drawing_is_saved_whole_and_keeps_what_it_does_not_know(opened: Opened, path: Path) -> None:
    opened.reveal("a")
    opened.page.click(".identity summary")
    opened.fill("#element-name", "Decide anew")
    opened.save()
    assert "anew" in opened.page.inner_text("#status")
    assert resolved(path)["a"].name == "Decide anew"
    assert resolved(path)["a"].resolved.policy.budget.activity.tokens == 500
    assert "how to decide" in path.read_text()


VENDORS = {
    "camunda": '<camunda:properties><camunda:property name="team" value="x"/>'
    '<camunda:property name="gov:interactionLevel" value="AUTO_DENY"/></camunda:properties>',
    "zeebe": '<zeebe:taskHeaders><zeebe:header key="gov_interactionLevel" value="AUTO_DENY"/></zeebe:taskHeaders>',
    "flowable": '<flowable:field name="gov.interactionLevel" stringValue="AUTO_DENY"/>',
}
PREFIXES = {
    "camunda": "http://camunda.org/schema/1.0/bpmn",
    "zeebe": "http://camunda.org/schema/zeebe/1.0",
    "flowable": "http://flowable.org/bpmn",
}


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_edit_takes_over_what_a_vendor_s_property_says(browser: Any, path: Path, vendor: str) -> None:
    text = model("plain").decode().replace("<definitions", f'<definitions xmlns:{vendor}="{PREFIXES[vendor]}"')
    holder = f'<task id="a" name="First"><extensionElements>{VENDORS[vendor]}</extensionElements></task>'
    path.write_text(text.replace('<task id="a" name="First"/>', holder))
    assert resolved(path)["a"].resolved.policy.interaction_level == "AUTO_DENY"
    with served(FileDesk(path)) as link:
        opened = Opened(browser, link)
        opened.reveal("a")
        assert f"Written as {vendor}:" in holds(opened, "interactionLevel")
        before = opened.xml()
        opened.page.select_option("#field-interactionLevel", "DIFF_PREVIEW")
        opened.page.click("[aria-label=Undo]")
        assert opened.xml() == before
        opened.page.click("[aria-label=Redo]")
        opened.save()
        opened.assert_fine()
        opened.close()
    assert load(path).errors == ()
    assert resolved(path)["a"].resolved.policy.interaction_level == "DIFF_PREVIEW"
    assert ("team" in path.read_text()) is (vendor == "camunda")


def test_what_would_be_lost_is_asked_about_first(browser: Any, path: Path) -> None:
    path.write_bytes(model("with comments and CDATA"))
    with served(FileDesk(path)) as link:
        opened = Opened(browser, link)
        opened.reveal("a")
        opened.page.click(".identity summary")
        opened.fill("#element-name", "Add up")
        opened.page.keyboard.press("Control+s")
        opened.page.wait_for_selector("dialog[open]")
        assert "2 parts that are comments" in opened.page.inner_text("dialog")
        assert path.read_bytes() == model("with comments and CDATA")
        opened.page.click("text=Go on without it")
        opened.page.wait_for_selector(".dirty", state="hidden")
        assert "Add up" in path.read_text()
        opened.close()


def test_what_somebody_else_saved_is_not_overwritten(opened: Opened, path: Path) -> None:
    theirs = path.read_bytes() + b"\n"
    path.write_bytes(theirs)
    opened.reveal("a")
    opened.page.select_option("#field-interactionLevel", "EXPLICIT_APPROVAL")
    opened.page.keyboard.press("Control+s")
    opened.page.wait_for_selector("dialog[open]")
    assert "Somebody else changed it" in opened.page.inner_text("dialog h2")
    with opened.page.expect_download() as kept:
        opened.page.click("text=Keep it as a file")
    assert "EXPLICIT_APPROVAL" in Path(kept.value.path()).read_text()
    assert path.read_bytes() == theirs
    [complaint] = opened.complaints
    assert "412" in complaint
    opened.complaints.clear()


def test_the_page_changes_its_language(opened: Opened) -> None:
    opened.page.click("text=中文")
    opened.page.wait_for_selector("html[lang=zh][data-looked]")
    assert opened.page.inner_text(".bar .main") == "保存"
    assert "启用抓手工具" in opened.page.inner_html(".djs-palette")


class Matrix:
    def __init__(self, opened: Opened) -> None:
        self.page, self.opened = opened.page, opened
        self.page.click("text=Policy matrix")

    def at(self, row: int, column: int) -> Any:
        return self.page.locator(f"[data-row='{row}'] td").nth(column)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def paste(self, text: str) -> None:
        self.opened.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
        self.page.keyboard.press("Control+v")


@pytest.fixture
def matrix(opened: Opened) -> Matrix:
    return Matrix(opened)


def test_the_matrix_is_walked_and_edited_by_keys(matrix: Matrix, opened: Opened) -> None:
    assert [matrix.page.locator(f"[data-row='{row}'] .go").inner_text() for row in range(3)] == [
        "Model", "Decide", "By attributes",
    ]  # fmt: skip
    matrix.at(1, 0).click()
    matrix.press("ArrowDown", "ArrowUp", "ArrowUp", "ArrowDown")
    matrix.page.keyboard.type("5000")
    matrix.press("Enter")
    assert opened.written("a")["workingThreshold"] == "5000"
    matrix.press("Enter", "Escape", "Delete")
    assert "workingThreshold" not in opened.written("b")
    matrix.press("ArrowRight", "ArrowRight", "A", "Tab")
    assert opened.written("b")["compressStrategy"] == "AGGRESSIVE"
    matrix.press("F2")
    matrix.page.locator(".editor").select_option("DIFF_PREVIEW")
    matrix.press("Enter")
    assert opened.written("b")["interactionLevel"] == "DIFF_PREVIEW"
    assert matrix.at(2, 3).get_attribute("class") == "own chosen"


def test_a_pasted_block_is_one_step(matrix: Matrix, opened: Opened) -> None:
    before = opened.xml()
    matrix.at(1, 0).click()
    matrix.paste('3000\t"a, b"\tarchive\r\n4000\tc\tSUMMARY')
    assert {name: opened.written("a")[name] for name in ("workingThreshold", "retainKeys", "compressStrategy")} == {
        "workingThreshold": "3000", "retainKeys": "a, b", "compressStrategy": "ARCHIVE",
    }  # fmt: skip
    assert opened.written("b") == {"workingThreshold": "4000", "retainKeys": "c", "compressStrategy": "SUMMARY"}
    matrix.press("Control+c")
    copied = opened.page.evaluate("navigator.clipboard.readText()")
    assert copied.replace("\r", "") == "3000\ta, b\tARCHIVE\n4000\tc\tSUMMARY"
    matrix.press("Control+z")
    assert opened.xml() == before


def test_one_value_fills_what_is_selected_and_what_does_not_fit_is_named(matrix: Matrix, opened: Opened) -> None:
    matrix.at(1, 0).click()
    matrix.press("Shift+ArrowDown", "Shift+ArrowRight")
    matrix.paste("6000")
    assert [opened.written(id)["workingThreshold"] for id in "ab"] == ["6000", "6000"]
    assert [opened.written(id)["retainKeys"] for id in "ab"] == ["6000", "6000"]
    matrix.at(1, 0).click()
    matrix.paste("7000\nmany")
    assert opened.written("a")["workingThreshold"] == "7000"
    assert opened.written("b")["workingThreshold"] == "6000"
    assert matrix.page.inner_text(".message") == "Not taken: By attributes, Working threshold: many"
    matrix.at(1, 0).click()
    matrix.press("Shift+ArrowDown", "Control+d")
    assert opened.written("b")["workingThreshold"] == "7000"
