"""The harness over DMN: what passes, what fails, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.dmn import measure
from tests.bpmn.dmn.models import data, decision, definitions, literal

CASES = """<testCases xmlns="http://www.omg.org/spec/DMN/20160719/testcase"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
  <modelName>m.dmn</modelName>
  <testCase id="right">
    <inputNode name="n"><value xsi:type="xsd:decimal">2</value></inputNode>
    <resultNode name="d"><expected><component name="a"><value xsi:type="xsd:decimal">4</value></component>
      <component name="b"><list><item><value xsi:type="xsd:string">x</value></item>
        <item><value xsi:type="xsd:date">2024-01-31</value></item></list></component></expected></resultNode>
    <resultNode name="e" errorResult="true"><expected><value xsi:nil="true"/></expected></resultNode>
    <resultNode name="broken" errorResult="true"><expected><value xsi:nil="true"/></expected></resultNode>
  </testCase>
  <testCase id="wrong">
    <inputNode name="n"><value xsi:type="xsd:decimal">2</value></inputNode>
    <resultNode name="e"><expected><value xsi:type="xsd:decimal">5</value></expected></resultNode>
  </testCase>
  <testCase id="missing"><resultNode name="f" errorResult="true"><expected/></resultNode></testCase>
</testCases>"""


def test_cases_are_decided_and_failures_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "compliance-level-2" / "a"
    folder.mkdir(parents=True)
    (folder / "m.dmn").write_bytes(
        definitions(
            data("n"),
            decision("d", literal('{a: n * 2, b: ["x", @"2024-01-31"]}'), ["n"]),
            decision("e", literal('n + "1"'), ["n"]),
            decision("broken", literal("1 +")),
        )
    )
    (folder / "m-test.xml").write_text(CASES, encoding="utf-8")
    [figure], failed = measure(tmp_path)
    assert (figure.name, figure.value, figure.goal) == ("dmn.level2", pytest.approx(1 / 3), 1.0)
    assert [each["case"] for each in failed] == ["a/wrong", "a/missing"]
    assert "expected 5, found None" in failed[0]["reason"]
    assert "UnknownDecision" in failed[1]["reason"]
