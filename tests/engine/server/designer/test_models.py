"""Models of many designers: opened, governed, undone, copied, changed in type and saved, and nothing else changes."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from bpmn.definition import Definition, Element
from bpmn.load import load
from bpmn.walk import elements
from engine.server.designer.file_desk import FileDesk
from governance.policy import Policy
from tests.engine.server.designer.harness import Opened, served
from tests.engine.server.designer.models import NAMES, model

GOV = "urn:bpmn-governor:governance:1.0"
EXTENSIONS = "{http://www.omg.org/spec/BPMN/20100524/MODEL}extensionElements"
WANTED = {
    "workingThreshold": "4321",
    "retainKeys": "claim.id, limits",
    "compressStrategy": "AGGRESSIVE",
    "interactionLevel": "EXPLICIT_APPROVAL",
    "branchStrategy.split": "INHERIT_RETAINED",
    "branchStrategy.merge": "HUMAN",
    "branchStrategy.keys": "total=SUM",
    "knowledgeRequirements": "sop|2|how to decide",
}
EDITS = len(WANTED)


@pytest.fixture
def opened(browser: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    path = tmp_path / "model.bpmn"
    path.write_bytes(model(request.param))
    with served(FileDesk(path)) as link:
        page = Opened(browser, link)
        yield page
        page.assert_fine()
        page.close()


@pytest.mark.slow
@pytest.mark.parametrize(("opened", "name"), [(name, name) for name in NAMES], indirect=["opened"], ids=NAMES)
def test_a_model_is_governed_and_nothing_else_changes(opened: Opened, name: str, tmp_path: Path) -> None:
    path = tmp_path / "model.bpmn"
    original = path.read_bytes()
    untouched = opened.xml()
    # bpmn-js adds what follows from the rest, and loses nothing.
    assert Counter(shape(original, comments=False)) - Counter(shape(untouched.encode())) == {}
    before = opened.written("a")
    govern(opened)
    assert opened.written("a") == before | WANTED
    edits = press(opened, "Undo")
    assert opened.xml() == untouched
    assert press(opened, "Redo") == edits
    assert edits >= EDITS if before else edits == EDITS
    governed = opened.written("a")
    assert governed == before | WANTED
    assert copied_and_changed(opened) == [governed, governed]
    opened.save()
    check_saved(original, path.read_bytes())


def govern(opened: Opened) -> None:
    """Set every dimension in the panel, as people do."""
    opened.reveal("a")
    page = opened.page
    for name in ("workingThreshold", "retainKeys"):
        opened.fill(f"#field-{name}", WANTED[name])
    for name in ("compressStrategy", "interactionLevel", "branchStrategy.split", "branchStrategy.merge"):
        page.select_option(f"#field-{name.replace('.', '-')}", WANTED[name])
    keys = page.locator("[data-field='branchStrategy.keys']")
    keys.get_by_role("button", name="Add a key").click()
    keys.locator("input").last.fill("total")
    keys.locator("select").last.select_option("SUM")
    asked = page.locator("[data-field='knowledgeRequirements']")
    while asked.locator(".remove").count():
        asked.locator(".remove").first.click()
    asked.get_by_role("button", name="Add what is looked for").click()
    fill_row(asked, "sop", "2", "how to decide")


def press(opened: Opened, button: str) -> int:
    """Undo or redo all there is; how many steps that were."""
    steps = 0
    while opened.page.is_enabled(f"[aria-label={button}]"):
        opened.page.click(f"[aria-label={button}]")
        steps += 1
    return steps


def fill_row(asked: Any, kind: str, count: str, query: str) -> None:
    inputs = asked.locator(".many-row").last.locator("input")
    inputs.nth(1).fill(count)
    inputs.nth(3).fill(query)
    inputs.nth(0).fill(kind)
    inputs.nth(0).press("Tab")


def copied_and_changed(opened: Opened) -> list[dict[str, str]]:
    """What is written on a copy, and after a change of type; both are undone again."""
    copy = opened.do("""
        const element = d.registry.get('a');
        d.modeler.get('copyPaste').copy([element]);
        const parent = element.parent;
        const point = { x: element.x + 400, y: element.y + 500 };
        const [pasted] = d.modeler.get('copyPaste').paste({ element: parent, point });
        return pasted.id;
    """)
    found = [opened.written(copy)]
    opened.do("d.stack.undo()")
    changed = opened.do("""
        const element = d.registry.get('a');
        const type = element.type === 'bpmn:UserTask' ? 'bpmn:ServiceTask' : 'bpmn:UserTask';
        const holds = /SubProcess|Transaction/.test(element.type);
        const target = holds ? { type: 'bpmn:SubProcess', isExpanded: true } : { type };
        return d.modeler.get('bpmnReplace').replaceElement(element, target).id;
    """)
    found.append(opened.written(changed))
    opened.do("d.stack.undo()")
    return found


def check_saved(original: bytes, saved: bytes) -> None:
    assert shape(saved, governed=False) == shape(original, governed=False)
    before, after = (load(data, file="model.bpmn").definition for data in (original, saved))
    assert bare(after) == bare(before)
    old, new = policies(before), policies(after)
    assert {id for id in new if new[id] != old[id]} <= {"a", *inside(after, "a")}
    holds = new["a"]
    assert (holds.working_threshold, holds.retain_keys) == (4321, ("claim.id", "limits"))
    assert (holds.compress_strategy, holds.interaction_level) == ("AGGRESSIVE", "EXPLICIT_APPROVAL")
    assert (holds.split, holds.merge, holds.merge_keys) == ("INHERIT_RETAINED", "HUMAN", {"total": "SUM"})
    [asked] = holds.knowledge_requirements
    assert (asked.type, asked.count, asked.query) == ("sop", 2, "how to decide")
    gone = [line for line in difflib.ndiff(lines(original), lines(saved)) if line.startswith("- ")]
    assert len(gone) <= len(lines(original)) * 0.1 + 6


def lines(data: bytes) -> list[str]:
    return data.decode().replace("><", ">\n<").splitlines()


def shape(data: bytes, *, comments: bool = True, governed: bool = True) -> list[str]:
    """A file without its layout and prefixes: a line for each element, with where it is, in order of the lines."""
    root = etree.fromstring(data, etree.XMLParser(remove_comments=not comments, strip_cdata=True))
    return sorted(_lines(root, "", governed))


def _lines(node: Any, around: str, governed: bool) -> Iterator[str]:
    if not isinstance(node.tag, str):
        yield f"{around} <!--{node.text}-->"
        return
    inner = [child for child in node if governed or not str(child.tag).startswith(f"{{{GOV}}}")]
    text = " ".join("".join([node.text or "", *(child.tail or "" for child in node)]).split())
    if inner or governed or node.tag != EXTENSIONS:
        said = sorted((name, value) for name, value in node.items() if name != "isMarkerVisible")
        yield f"{around} {node.tag} {said} {text}"
    for child in inner:
        yield from _lines(child, f"{around}/{node.get('id') or node.tag}", governed)


def bare(definition: Definition) -> Any:
    """All elements without their policies and lines."""
    return [without(asdict(each)) for process in definition.processes.values() for each in elements(process)]


def without(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: without(part) for name, part in value.items() if name not in ("line", "resolved")}
    return [without(part) for part in value] if isinstance(value, list | tuple) else value


def inside(definition: Definition, id: str) -> set[str]:
    found: list[Element] = [each for process in definition.processes.values() for each in elements(process)]
    holder = next(each for each in found if each.id == id)
    pending, ids = [holder], set()
    while pending:
        scope = pending.pop().scope
        for each in scope.elements.values() if scope is not None else ():
            ids.add(each.id)
            pending.append(each)
    return ids


def policies(definition: Definition) -> dict[str, Policy]:
    return {
        each.id: each.resolved.policy for process in definition.processes.values() for each in elements(process)
    }
