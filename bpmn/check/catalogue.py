"""All rules."""

from __future__ import annotations

from typing import Final

from bpmn.check.rule import Rule
from bpmn.check.rules import (
    approval_default,
    boundary,
    branch_strategy,
    call_target,
    data_association,
    event_gateway,
    event_reference,
    expression,
    flow_ends,
    join_deadlock,
    loop,
    merge_key,
    message_flow,
    missing_condition,
    no_default_flow,
    no_job_type,
    no_start_event,
    not_executable,
    not_followed,
    retain_key,
    script,
    several_start_events,
    timer,
    unreachable,
    unsupported_element,
    useless_condition,
)

RULES: Final[tuple[Rule, ...]] = (
    no_start_event.RULE,
    several_start_events.RULE,
    unsupported_element.RULE,
    flow_ends.RULE,
    boundary.RULE,
    call_target.RULE,
    loop.RULE,
    timer.RULE,
    event_reference.RULE,
    event_gateway.RULE,
    missing_condition.RULE,
    useless_condition.RULE,
    expression.RULE,
    script.RULE,
    not_executable.RULE,
    unreachable.RULE,
    no_default_flow.RULE,
    no_job_type.RULE,
    data_association.RULE,
    message_flow.RULE,
    retain_key.RULE,
    merge_key.RULE,
    branch_strategy.RULE,
    not_followed.RULE,
    approval_default.RULE,
    join_deadlock.RULE,
)
