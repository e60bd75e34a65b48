"""Resolution of policies: element > sub-process > lane > process > settings, each field on its own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bpmn.policies.compose import Written
from bpmn.policies.resolve import Kind, Level, resolve
from governance.policy import ActivityExtensionConfig, Origin, Policy
from tests.bpmn.files import definition, flow, loaded, policy, process

SETTINGS = Policy.model_validate({"working_threshold": 100, "retain_keys": ["settings"], "merge_keys": {"k": "SUM"}})

DATA = process(
    policy(
        '<gov:policy workingThreshold="200" interactionLevel="MICRO_SUGGESTION">'
        '<gov:branchStrategy split="ISOLATED" merge="HUMAN"/></gov:policy>'
    )
    + f'\n<laneSet><lane id="l">{policy("""<gov:policy workingThreshold="300" compressStrategy="ARCHIVE"/>""")}'
    "<flowNodeRef>b</flowNodeRef><flowNodeRef>u</flowNodeRef>"
    f'<childLaneSet><lane id="m">{policy("""<gov:policy workingThreshold="350"/>""")}<flowNodeRef>c</flowNodeRef>'
    "</lane></childLaneSet></lane></laneSet>"
    '<startEvent id="s"/><task id="a"/><task id="b"/><task id="c"/>'
    f'\n<subProcess id="u">{policy("""<gov:policy workingThreshold="400" windowTokens="9"/>""")}<startEvent id="i"/>'
    f'<task id="d" gov:interactionLevel="AUTO_DENY"/>\n<task id="w">'
    f'{policy("""<gov:policy workingThreshold="500"><gov:mergeKey name="x" strategy="MAX"/></gov:policy>""")}</task>'
    + flow("f1", "i", "d")
    + flow("f2", "d", "w")
    + "</subProcess>"
    + flow("g0", "s", "a")
    + flow("g1", "a", "b")
    + flow("g2", "b", "c")
    + flow("g3", "c", "u")
)


def resolved(identifier: str) -> tuple[dict[str, object], dict[str, Origin]]:
    """Values that differ from the settings, and the origins of what has one."""
    result = loaded(DATA, settings=SETTINGS)
    assert not result.errors, result.errors
    scope = result.definition.processes["p"].scope
    inner = scope.elements["u"].scope
    assert inner is not None
    found = {**scope.elements, **inner.elements}[identifier].resolved
    values = {name: value for name, value in found.policy if value != getattr(SETTINGS, name)}
    return values, {name: origin for name, origin in found.origins.items() if origin.kind != "settings"}


def test_the_process_holds_where_nothing_nearer_does() -> None:
    values, origins = resolved("a")
    assert values == {
        "working_threshold": 200,
        "interaction_level": "MICRO_SUGGESTION",
        "split": "ISOLATED",
        "merge": "HUMAN",
    }
    assert origins == dict.fromkeys(values, Origin(element="p", kind="process", line=3))


def test_a_lane_before_the_process() -> None:
    values, origins = resolved("b")
    assert (values["working_threshold"], values["compress_strategy"], values["split"]) == (300, "ARCHIVE", "ISOLATED")
    assert origins["working_threshold"] == Origin(element="l", kind="lane", line=4)
    assert origins["split"] == Origin(element="p", kind="process", line=3)


def test_an_inner_lane_before_the_outer_one() -> None:
    values, origins = resolved("c")
    assert (values["working_threshold"], values["compress_strategy"]) == (350, "ARCHIVE")
    assert origins["working_threshold"] == Origin(element="m", kind="lane", line=4)
    assert origins["compress_strategy"] == Origin(element="l", kind="lane", line=4)


def test_a_sub_process_before_its_lane() -> None:
    values, origins = resolved("d")
    assert (values["working_threshold"], values["window_tokens"], values["compress_strategy"]) == (400, 9, "ARCHIVE")
    assert origins["working_threshold"] == Origin(element="u", kind="sub-process", line=5)
    assert origins["compress_strategy"] == Origin(element="l", kind="lane", line=4)
    assert origins["interaction_level"] == Origin(element="d", kind="element", line=5)


def test_the_element_before_all() -> None:
    values, origins = resolved("w")
    assert (values["working_threshold"], values["merge_keys"], values["merge"]) == (500, {"x": "MAX"}, "HUMAN")
    assert origins["working_threshold"] == Origin(element="w", kind="element", line=6)
    assert origins["merge_keys"] == Origin(element="w", kind="element", line=6)
    assert resolved("u")[1]["working_threshold"] == Origin(element="u", kind="element", line=5)


def test_settings_hold_where_the_file_says_nothing() -> None:
    found = loaded(DATA, settings=SETTINGS).definition.processes["p"].scope.elements["a"].resolved
    assert found.policy.retain_keys == ("settings",)
    assert found.origins["retain_keys"] == Origin()
    assert set(found.origins) == set(Policy.model_fields)


def test_processes_and_flows() -> None:
    written = policy('<gov:policy workingThreshold="7"/>')
    data = process(
        f'{written}<startEvent id="s"/><endEvent id="e"/><sequenceFlow id="f" sourceRef="s" targetRef="e">{written}'
        "</sequenceFlow>"
    )
    found = definition(data).processes["p"]
    assert found.policy.policy.working_threshold == 7
    assert found.policy.origins["working_threshold"].kind == "process"
    assert found.scope.flows["f"].policy == ActivityExtensionConfig(working_threshold=7)


def test_what_rewriting_adds_has_the_policy_of_the_element_before_it() -> None:
    data = process(
        '<startEvent id="s"/><task id="a" gov:branchStrategy.split="ISOLATED"/><endEvent id="x"/><endEvent id="y"/>'
        + flow("f", "s", "a")
        + flow("g", "a", "x")
        + flow("h", "a", "y")
    )
    gateway = definition(data).processes["p"].scope.elements["a_split"]
    assert gateway.resolved.policy.split == "ISOLATED"


FIELDS = {
    "working_threshold": st.integers(1, 9),
    "retain_keys": st.sampled_from([("a",), ("b", "c")]),
    "compress_strategy": st.sampled_from(["SUMMARY", "AGGRESSIVE"]),
    "interaction_level": st.sampled_from(["AUTO_ALLOW", "AUTO_DENY"]),
    "window_tokens": st.integers(1, 9),
}
CONFIGS = st.fixed_dictionaries({}, optional=FIELDS)


@given(st.lists(CONFIGS, max_size=5))
def test_each_field_is_that_of_the_nearest_level_that_has_it(configs: list[dict[str, object]]) -> None:
    kinds: tuple[Kind, ...] = ("element", "sub-process", "sub-process", "lane", "process")
    levels = [
        Level(kind, Written(element=f"x{n}", config=ActivityExtensionConfig.model_validate(config), lines={}))
        for n, (kind, config) in enumerate(zip(kinds, configs, strict=False))
    ]
    found = resolve(levels, SETTINGS)
    for field in FIELDS:
        nearest = next((n for n, config in enumerate(configs) if field in config), None)
        expected = getattr(SETTINGS, field) if nearest is None else configs[nearest][field]
        assert getattr(found.policy, field) == expected
        assert found.origins[field].element == (None if nearest is None else f"x{nearest}")


def test_an_approval_is_inherited_part_by_part() -> None:
    data = process(
        policy('<gov:policy><gov:approval roles="lead" fourEyes="true" due="P1D" default="deny"/></gov:policy>')
        + f'<startEvent id="s"/><task id="a">{policy("""<gov:policy><gov:approval due="PT1H"/></gov:policy>""")}</task>'
        + f'<task id="b">{policy("""<gov:policy><gov:approval roles="boss" fourEyes="false"/></gov:policy>""")}</task>'
        + flow("f", "s", "a") + flow("g", "a", "b")
    )  # fmt: skip
    settings = Policy.model_validate({"approval": {"escalate_to": "boss"}})
    elements = loaded(data, settings=settings).definition.processes["p"].scope.elements
    first, second = (elements[name].resolved for name in "ab")
    told = {"roles": ("lead",), "four_eyes": True, "due": "PT1H", "default": "deny", "escalate_to": "boss"}
    assert first.policy.approval.model_dump() == told
    assert second.policy.approval.model_dump() == {**told, "roles": ("boss",), "four_eyes": False, "due": "P1D"}
    assert (first.origins["approval"].element, elements["s"].resolved.origins["approval"].element) == ("a", "p")
