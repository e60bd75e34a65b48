"""Random definitions, of any content: sense is not needed for what they test."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bpmn.definition import (
    AgentConfig,
    Assignment,
    DataItem,
    Definition,
    Element,
    EventDefinition,
    EventRef,
    Expression,
    Flow,
    Lane,
    LoopCharacteristics,
    MessageFlow,
    Participant,
    Process,
    Scope,
    Script,
    Shape,
    Timer,
)
from governance.policy import ActivityExtensionConfig, BranchStrategy, KnowledgeRequirement, Origin, ResolvedPolicy

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
MAYBE = st.none() | TEXT
LINE = st.none() | st.integers(1, 10**6)
NAMES = st.lists(TEXT, max_size=3).map(tuple)
EXPRESSION = st.none() | st.builds(Expression, text=TEXT, language=MAYBE, line=LINE)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
SCHEMA = st.none() | st.dictionaries(TEXT, JSON, max_size=3)

CONFIG = st.builds(
    ActivityExtensionConfig,
    working_threshold=st.none() | st.integers(1, 10**6),
    retain_keys=st.none() | NAMES,
    interaction_level=st.sampled_from([None, "AUTO_DENY", "DIFF_PREVIEW"]),
    knowledge_requirements=st.none()
    | st.lists(st.builds(KnowledgeRequirement, type=TEXT.filter(bool), query=TEXT), max_size=2).map(tuple),
    branch_strategy=st.none() | st.builds(BranchStrategy, split=st.sampled_from([None, "ISOLATED"])),
)
POLICY = st.builds(
    ResolvedPolicy,
    policy=st.fixed_dictionaries({"working_threshold": st.integers(1, 3), "merge_keys": st.just({"a": "SUM"})}),
    origins=st.dictionaries(TEXT, st.builds(Origin, element=MAYBE, line=LINE), max_size=2),
)
ITEMS = st.lists(
    st.builds(DataItem, name=TEXT, schema=SCHEMA, collection=st.booleans(), optional=st.booleans(), variable=MAYBE),
    max_size=2,
).map(tuple)
EVENT: st.SearchStrategy[EventDefinition] = st.builds(
    EventDefinition,
    kind=st.sampled_from(["none", "message", "timer", "multiple"]),
    ref=MAYBE,
    timer=st.none() | st.builds(Timer, kind=st.sampled_from(["duration", "date", "cycle"]), text=TEXT),
    condition=EXPRESSION,
    definitions=st.lists(st.builds(EventDefinition, kind=st.just("signal"), ref=MAYBE), max_size=2).map(tuple),
    parallel_multiple=st.booleans(),
)
LOOP = st.builds(
    LoopCharacteristics,
    kind=st.sampled_from(["standard", "parallel", "sequential"]),
    cardinality=EXPRESSION,
    collection=EXPRESSION,
    input_item=MAYBE,
    output_item=MAYBE,
    completion_condition=EXPRESSION,
    test_before=st.booleans(),
    maximum=st.none() | st.integers(1, 9),
)


def by_id(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping by id, in any order."""
    return st.lists(strategy, max_size=3, unique_by=lambda one: one.id).map(
        lambda found: {one.id: one for one in found}
    )


FLOW = st.builds(
    Flow,
    id=TEXT,
    source=TEXT,
    target=TEXT,
    name=MAYBE,
    condition=EXPRESSION,
    is_default=st.booleans(),
    line=LINE,
    policy=st.none() | CONFIG,
)


def elements(scope: st.SearchStrategy[Scope | None]) -> st.SearchStrategy[Element]:
    """An element with a scope, or none, inside."""
    return st.builds(
        Element,
        id=TEXT,
        kind=TEXT,
        name=MAYBE,
        line=LINE,
        incoming=NAMES,
        outgoing=NAMES,
        default=MAYBE,
        resolved=POLICY,
        event=st.none() | EVENT,
        interrupting=st.booleans(),
        script=st.none() | st.builds(Script, text=TEXT, language=MAYBE),
        loop=st.none() | LOOP,
        data_inputs=ITEMS,
        outputs_schema=SCHEMA,
        assignment=st.none() | st.builds(Assignment, assignee=MAYBE, groups=NAMES),
        agent=st.none() | st.builds(AgentConfig, model=MAYBE, tools=NAMES, max_turns=st.none() | st.integers(1, 9)),
        scope=scope,
        start_quantity=st.integers(1, 3),
    )


def scopes(inner: st.SearchStrategy[Scope | None]) -> st.SearchStrategy[Scope]:
    """A scope of elements that hold scopes of `inner`."""
    return st.builds(Scope, elements=by_id(elements(inner)), flows=by_id(FLOW))


SCOPE = scopes(scopes(st.none()) | st.none())
NUMBER = st.floats(allow_nan=False, allow_infinity=False, width=32)
SHAPE = st.builds(Shape, bounds=st.tuples(NUMBER, NUMBER, NUMBER, NUMBER)) | st.builds(
    Shape, waypoints=st.lists(st.tuples(NUMBER, NUMBER), max_size=3).map(tuple)
)
REFS = by_id(st.builds(EventRef, id=TEXT, name=MAYBE, code=MAYBE))

DEFINITIONS = st.builds(
    Definition,
    file=TEXT,
    source_hash=TEXT,
    main=MAYBE,
    processes=by_id(
        st.builds(
            Process,
            id=TEXT,
            name=MAYBE,
            executable=st.sampled_from([None, True, False]),
            scope=SCOPE,
            policy=POLICY,
            lanes=by_id(st.builds(Lane, id=TEXT, parent=MAYBE, elements=NAMES)),
            data_outputs=ITEMS,
        )
    ),
    messages=REFS,
    errors=REFS,
    participants=by_id(st.builds(Participant, id=TEXT, process=MAYBE)),
    message_flows=by_id(st.builds(MessageFlow, id=TEXT, source=TEXT, target=TEXT)),
    layout=st.dictionaries(TEXT, SHAPE, max_size=3),
)
