"""The page: one file that fetches nothing, and in which nothing of a run is markup or template."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from engine.governor import Governor
from engine.report.page import report_page, write_report
from engine.report.run import Run, read_run
from engine.store.errors import UnknownInstance
from tests.bpmn.files import policy
from tests.engine.models import edges, end, gateway, model, script, start, user
from tests.engine.report.stories import long_run, ran

SECTIONS = [
    "diagram", "layers", "attention", "timeline", "conflicts", "people", "ledger", "incidents", "variables", "log",
]  # fmt: skip
LINKING = ("src", "href", "action", "data", "poster", "srcset", "xlink:href", "formaction", "background")
HOSTILE = "<script>alert(1)</script>{{7*7}}{% raw %}\"'&<img src=x onerror=alert(2)>\u202ecod"


class Page(HTMLParser):
    """What a browser would make of it, as far as it matters here."""

    void = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def assert_harmless(page: Page) -> None:
    """Nothing is fetched and only our own script runs."""
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in LINKING:
            target = attributes.get(name)
            assert target is None or target.startswith("#") or target == "data:,", (tag, target)
    assert len(page.named("script")) == 1
    assert not {"iframe", "object", "embed", "base", "form", "img"} & {tag for tag, _ in page.tags}


@pytest.fixture(scope="module")
def demo_page(demo: Run) -> str:
    return report_page(demo)


def test_the_page_has_all_its_sections_each_with_a_sentence(demo_page: str) -> None:
    page = Page(demo_page)
    assert [each["id"] for each in page.named("section")] == SECTIONS
    assert demo_page.count('<p class="lead">') == len(SECTIONS)
    links = {each["href"] for each in page.named("a")}
    assert {f"#{section}" for section in SECTIONS} <= links
    assert page.open == []


def test_every_link_leads_somewhere_on_the_page(demo_page: str) -> None:
    page = Page(demo_page)
    ids = [each["id"] for _, each in page.tags if "id" in each]
    assert len(ids) == len(set(ids))
    targets = {(each["href"] or "#")[1:] for each in page.named("a")}
    assert targets <= set(ids)
    used = set(re.findall(r"url\(#([^)]+)\)", demo_page))
    assert used <= set(ids)


def test_the_page_fetches_nothing(demo_page: str) -> None:
    assert_harmless(Page(demo_page))
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest|WebSocket|import\(", demo_page)


def test_the_policy_of_the_page_allows_its_own_script_alone(demo_page: str) -> None:
    script = re.search(r'<script type="module">(.*?)</script>', demo_page, re.DOTALL)
    assert script is not None
    digest = b64encode(sha256(script[1].encode()).digest()).decode()
    [allowed] = [each for each in Page(demo_page).named("meta") if each.get("http-equiv")]
    content = allowed["content"] or ""
    assert f"script-src 'sha256-{digest}'" in content
    assert content.startswith("default-src 'none'")


def test_the_demo_is_small_and_says_what_happened(demo_page: str) -> None:
    assert len(demo_page.encode()) < 1_000_000
    text = " ".join(Page(demo_page).text.split())
    for told in (
        "% of tokens saved", "maria.keller decided severity critical at Findings together", "HIGHEST_CONFIDENCE",
        "Split at Investigate into 3 branches", "Alpina Rail's 60 minutes end at 10:02", "6 settled by rules",
    ):  # fmt: skip
        assert told in text


def test_the_two_rounds_of_the_demo_are_on_the_diagram(demo_page: str) -> None:
    taken = re.findall(r"Flow: taken 2\u00d7", demo_page)
    assert len(taken) == 2
    assert demo_page.count('class="flow taken"') == 30 + 1  # and one in the legend


def hostile_run(governor: Governor) -> str:
    """A run whose every text means harm: names, values, reasons, errors, documentation, policy."""
    name = escaped(HOSTILE)
    text = repr(HOSTILE)
    lane = f'<laneSet id="lanes"><lane id="lane" name="{name}"><flowNodeRef>left</flowNodeRef></lane></laneSet>'
    rule = policy('<gov:policy workingThreshold="300"><gov:mergeKey name="v" strategy="HUMAN"/></gov:policy>')
    source = model(
        f"<documentation>{name}</documentation>",
        lane,
        start(),
        script("left", f"v = {text}\nlong = {text} * 9"),
        script("right", "v = 2"),
        gateway("split"),
        f'<parallelGateway id="join" name="{name}">{rule}</parallelGateway>',
        f'<userTask id="u" name="{name}"><documentation>{name}</documentation>'
        f'<extensionElements><gov:policy workingThreshold="300"/></extensionElements></userTask>',
        script("bad", f"x = {{}}\ny = x[{text}]"),
        end(),
        edges("s > split > left > join > u > bad > e", "split > right > join"),
    ).replace(b'id="left"', f'id="left" name="{name}"'.encode())
    result = ran(governor, source, {HOSTILE: HOSTILE, "z": [HOSTILE]})
    [asked] = governor.store.interventions(instance=result.instance)
    governor.answer(asked.id, "resolve", by=HOSTILE, reason=HOSTILE, values={"v": {"value": HOSTILE}})
    [item] = governor.store.work_items(instance=result.instance)
    governor.complete(item.id, {"out": HOSTILE}, by=HOSTILE)
    return result.instance


def escaped(text: str) -> str:
    from xml.sax.saxutils import escape

    return escape(text, {'"': "&quot;", "\u202e": "&#x202e;"})


def test_hostile_texts_stay_texts(governor: Governor) -> None:
    source = report_page(read_run(governor.store, hostile_run(governor)))
    page = Page(source)
    assert_harmless(page)
    assert page.open == []
    assert page.text.count("alert(1)") > 20
    assert "{{7*7}}" in page.text
    assert "{% raw %}" in page.text
    assert ">49<" not in source
    assert "\u202e" not in source
    assert "\\u202ecod" in page.text


def test_what_is_left_out_is_said(governor: Governor) -> None:
    count = 320
    source = model(start(), gateway("g"), *(user(f"u{n}") for n in range(count)), gateway("j"), end(),
                   edges("s > g", *(f"g > u{n} > j" for n in range(count)), "j > e"))  # fmt: skip
    page = Page(report_page(read_run(governor.store, ran(governor, source).instance)))
    assert len(page.named("article")) == 300
    assert "20 questions and tasks left out" in page.text


def test_a_file_is_written(governor: Governor, tmp_path: Path) -> None:
    instance = ran(governor, model(start(), user("u"), end(), edges("s > u > e"))).instance
    size = write_report(governor.store, instance, tmp_path / "out.html")
    assert (tmp_path / "out.html").stat().st_size == size
    with pytest.raises(UnknownInstance):
        write_report(governor.store, "nothing", tmp_path / "no.html")
    assert not (tmp_path / "no.html").exists()


def test_a_run_that_has_not_begun_is_shown(governor: Governor) -> None:
    source = model(start(), script("t", "x = 1 / 0"), end(), edges("s > t > e"))
    text = Page(report_page(read_run(governor.store, ran(governor, source).instance))).text
    for told in ("No activity has ended yet.", "Nothing was measured yet.", "Nobody was asked anything."):
        assert told in text


@pytest.mark.slow
def test_four_times_as_many_activities_make_a_page_about_four_times_as_long(governor: Governor) -> None:
    sizes = {count: len(report_page(read_run(governor.store, long_run(governor, count)))) for count in (125, 500)}
    assert sizes[500] < 3_000_000
    assert sizes[500] / sizes[125] < 4 * 1.2
