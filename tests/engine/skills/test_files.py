"""Skills in YAML: read as the source writes them, written so that they are read, refused with the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.people.yaml_nodes import BadYaml
from engine.skills.files import read_skills, write_skills
from tests.engine.cli.command import governor

SOURCE = """Skill:
  id: "code_refactor_v1"
  preconditions:
    phase: "assemble"
    evidence: ["用户要求重构", "已有代码片段"]
  execution_pattern:
    steps: ["分析现有结构", "识别重构点", "生成重构计划"]
    transitions:
      after_analysis: "identify_refactor_points"
  boundaries:
    valid_conditions: ["代码完整可用", "重构目标明确"]
    invalid_conditions: ["代码不完整", "重构目标模糊"]
  outcome_tags:
    success_patterns: ["重构后功能不变", "代码行数减少"]
    failure_patterns: ["引入新 bug", "重构后功能缺失"]
"""


def file(folder: Path, text: str) -> Path:
    path = folder / "skills.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_form_of_the_source_is_read_and_written(tmp_path: Path) -> None:
    (skill,) = read_skills(file(tmp_path, SOURCE))
    assert skill.execution_pattern.transitions == {"after_analysis": "identify_refactor_points"}
    assert read_skills(file(tmp_path, write_skills([skill]))) == [skill]
    assert "用户要求重构" in write_skills([skill])


@pytest.mark.parametrize(
    ("wrong", "line", "told"),
    [
        (SOURCE.replace('phase: "assemble"', "phase: later"), 4, "preconditions.phase: input should be"),
        (SOURCE.replace("  boundaries:", "  bounds:"), 11, "bounds: there is no such field; allowed: id, precond"),
        (SOURCE.replace('["分析现有结构", "识别重构点", "生成重构计划"]', "[]"), 7, "execution_pattern.steps"),
        (SOURCE.replace('id: "code_refactor_v1"', "id: a b"), 2, "id: string should match"),
        (SOURCE.replace("  id:", "  name:"), 2, "id: field required"),
        (f"- {SOURCE.replace(chr(10), chr(10) + '  ')}\n- {SOURCE.replace(chr(10), chr(10) + '  ')}", 17, "twice"),
        ("", None, "holds no skill"),
    ],
    ids=["phase", "field", "steps", "id", "missing", "twice", "empty"],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, wrong: str, line: int | None, told: str) -> None:
    with pytest.raises(BadYaml, match=told) as caught:
        read_skills(file(tmp_path, wrong))
    assert caught.value.line == line


def test_the_commands_take_in_show_and_give_out(tmp_path: Path) -> None:
    db = str(tmp_path / "runs.db")
    assert governor("skills", "import", str(file(tmp_path, SOURCE)), "--db", db).code == 0
    listed = governor("skills", "list", "--db", db, "--json").json["skills"]
    assert [each["id"] for each in listed] == ["code_refactor_v1"]
    shown = governor("skills", "show", "code_refactor_v1", "--db", db)
    assert read_skills(file(tmp_path, shown.out))[0].id == "code_refactor_v1"
    out = tmp_path / "out.yaml"
    assert governor("skills", "export", str(out), "--db", db).code == 0
    assert read_skills(out) == read_skills(file(tmp_path, SOURCE))
    unknown = governor("skills", "show", "other", "--db", db)
    assert (unknown.code, unknown.err) == (2, "governor: no skill other; there are code_refactor_v1\n")


def test_a_wrong_file_takes_in_nothing(tmp_path: Path) -> None:
    db = str(tmp_path / "runs.db")
    wrong = governor("skills", "import", str(file(tmp_path, SOURCE.replace("  id:", "  name:"))), "--db", db)
    assert wrong.code == 2
    assert "skills.yaml:2: id: field required" in wrong.err
