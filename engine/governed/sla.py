"""How long an activity may take from being ready to being completed, as its policy says (Design: 13, `sla`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bpmn.timers import parse_duration
from governance.policy import Policy
from governance.ports import timestamp


def due_time(policy: Policy, ready: str) -> str | None:
    """By when an activity that was ready then has to be completed (timestamps); None: whenever."""
    if policy.sla is None or not ready:
        return None
    return timestamp(parse_duration(policy.sla).after(datetime.fromisoformat(ready)))


def missed(policy: Policy, ready: str, completed: str) -> Mapping[str, Any] | None:
    """What is recorded of an activity that took longer; None: it did not."""
    due = due_time(policy, ready)
    return {"sla": policy.sla, "ready": ready, "due": due} if due is not None and completed > due else None
