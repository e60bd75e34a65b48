"""The pages of what was learned: who may do what with it, and what they show of it."""

from __future__ import annotations

from typing import Any

from engine.governor import Governor
from governance.cda.experience.model import Skill
from tests.engine.report.stories import told_story


def test_knowledge_shows_where_it_comes_from(server: Any, governor: Governor) -> None:
    kept = governor.knowledge.add("Compare the policy with the claim.", "sop", by="ann", title="Compare").item
    governor.knowledge.add("Refunds of <b>more</b> than 500 are approved.", "rule", by="bob")
    client = server.client("vic", "viewer")
    page = client.get("/knowledge").text
    assert "person: ann" in page
    assert "&lt;b&gt;more" in page
    assert client.get("/knowledge?type=rule").text.count("data-label=\"Confidence\"") == 1
    assert "Compare" in client.get("/knowledge?query=policy+claim").text
    governor.knowledge.retire(kept.id, by="eve", reason="out of date")
    assert kept.id not in client.get("/knowledge").text
    assert "retired by eve: out of date" in client.get("/knowledge?which=all").text


def test_experience_shows_dead_ends_of_every_instance(server: Any, governor: Governor) -> None:
    instance = told_story(governor)
    governor.register_dead_end(instance, "verdict", "guilty", "was disproved", by="ann")
    client = server.client("otto", "operator")
    page = client.get("/experience").text
    assert "was disproved" in page
    assert f"/instances/{instance}#dead-ends" in page
    [ended] = client.get("/v1/dead-ends").json()["dead_ends"]
    assert f"/v1/dead-ends/{ended['id']}/retirement" in page
    client.post(f"/v1/dead-ends/{ended['id']}/retirement", json={"reason": "new evidence"})
    assert "was disproved" not in client.get("/experience").text
    assert "otto: new evidence" in client.get("/experience?which=all").text
    assert "was disproved" not in client.get("/experience?which=all&process=other").text


def test_what_is_left_out_of_the_skills_is_said(server: Any, governor: Governor) -> None:
    given = {"preconditions": {"evidence": ["a claim"]}, "execution_pattern": {"steps": ["read"]}}
    governor.store.experience().put(Skill.model_validate({"id": f"s{number}", **given}) for number in range(203))
    client = server.client("vic", "viewer")
    assert "3 skills left out" in client.get("/experience").text
    assert "省略了 3 项技能" in client.get("/experience", headers={"accept-language": "zh"}).text
