"""Decision tables (DMN 1.5, 8)."""

from __future__ import annotations

from typing import Final, cast, get_args

from bpmn.dmn.model import Aggregation, HitPolicy, Input, Output, Rule, Table, Text
from bpmn.dmn.reader.source import Source
from bpmn.reader.xml import Xml, attribute

ANYTHING: Final = Text(text="-")
NOTHING: Final = Text(text="null")


def read_table(node: Xml, source: Source) -> Table:
    """A decision table; errors for an unknown hit policy, and rules that are not as wide as the table."""
    inputs = tuple(_input(child, source) for child in source.children(node, "input"))
    outputs = tuple(_output(child, source) for child in source.children(node, "output"))
    rules = [_rule(child, source) for child in source.children(node, "rule")]
    for rule, child in zip(rules, source.children(node, "rule"), strict=True):
        if (len(rule.inputs), len(rule.outputs)) != (len(inputs), len(outputs)):
            found = f"{len(rule.inputs)} and {len(rule.outputs)}"
            width = (f"{len(inputs)} and {len(outputs)}",)
            source.error("rule-width", "a rule has not one entry per column", child, found=found, allowed=width)
    if not outputs:
        source.error("no-output", "the decision table has no output", node)
    return Table(
        inputs=inputs,
        outputs=outputs,
        rules=tuple(rules),
        hit_policy=cast(HitPolicy, _one_of(node, "hitPolicy", get_args(HitPolicy), source) or "UNIQUE"),
        aggregation=cast("Aggregation | None", _one_of(node, "aggregation", get_args(Aggregation), source)),
        line=node.sourceline,
    )


def _one_of(node: Xml, name: str, allowed: tuple[str, ...], source: Source) -> str | None:
    written = attribute(node, name)
    if written is None:
        return None
    found = written.upper().replace("_", " ")
    if found in allowed:
        return found
    source.error("hit-policy", f"there is no such {name}", node, found=written, allowed=allowed)
    return None


def _input(node: Xml, source: Source) -> Input:
    expression = source.child(node, "inputExpression")
    text = source.text(expression)
    if text is None:
        source.error("no-input-expression", "an input has no expression", node)
    return Input(
        expression=text or NOTHING,
        type=source.type(expression),
        values=source.text(source.child(node, "inputValues")),
    )


def _output(node: Xml, source: Source) -> Output:
    return Output(
        name=source.name(node) or None,
        type=source.type(node),
        values=source.text(source.child(node, "outputValues")),
        default=source.text(source.child(node, "defaultOutputEntry")),
    )


def _rule(node: Xml, source: Source) -> Rule:
    return Rule(
        inputs=tuple(source.text(entry) or ANYTHING for entry in source.children(node, "inputEntry")),
        outputs=tuple(source.text(entry) or NOTHING for entry in source.children(node, "outputEntry")),
        line=node.sourceline,
    )
