"""The commands that go on from here, ready to be copied."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from engine.cli.telling.conflicts import place
from engine.context_names import arm_of
from engine.json_text import compact
from engine.models.placeholders import placeholders


class Hints:
    """Commands on the database that this one runs on; `db` as it was given, None: the default one."""

    def __init__(self, db: str | None) -> None:
        self._on = "" if db is None else f" --db {shlex.quote(_without_password(db))}"

    def resume(self, instance: str) -> str:
        return f"governor resume {instance}{self._on}"

    def retry(self, instance: str) -> str:
        return f"governor retry {instance}{self._on}"

    def unsuspend(self, instance: str) -> str:
        return f"governor unsuspend {instance}{self._on}"

    def show(self, instance: str) -> str:
        return f"governor show {instance}{self._on}"

    def log(self, instance: str) -> str:
        return f"governor context log {instance}{self._on}"

    def do(self, task: str, form: Mapping[str, Any] | None, groups: Sequence[str] = ()) -> str:
        """How to do a task, with outputs that fit its form, and a role of `groups` where one is needed."""
        outputs = compact({} if form is None else placeholders(form))
        role = f" --role {shlex.quote(groups[0])}" if groups else ""
        return f"governor inbox answer {task}{self._on} --outputs {shlex.quote(outputs)}{role}"

    def decide(self, intervention: str, options: Sequence[str], shown: Any) -> str:
        """How to answer an intervention that shows this, with the first decision that it takes."""
        return f"governor inbox answer {intervention}{self._on} --decision {options[0]}{_details(options[0], shown)}"


def _without_password(db: str) -> str:
    """A path or URL as it can be shown. PostgreSQL finds a password in PGPASSWORD or ~/.pgpass, too."""
    scheme, found, rest = db.partition("://")
    login, at, place = rest.rpartition("@")
    return db if not (found and at) else f"{scheme}://{login.partition(':')[0]}@{place}"


def _details(decision: str, shown: Any) -> str:
    """What a decision needs beside its name."""
    if decision == "deny":
        return " --reason WHY"
    if decision == "approve" or not isinstance(shown, Mapping):
        return ""
    if decision == "edit":
        values: Any = shown.get("outputs", {})
    else:
        values = {place(conflict): {"take": _first_branch(conflict)} for conflict in shown.get("conflicts", ())}
    return f" --values {shlex.quote(compact(values))}"


def _first_branch(conflict: Mapping[str, Any]) -> str:
    branch: str = conflict["values"][0]["branch"]
    arm = arm_of(branch)
    return branch if arm is None else "+".join(arm.to)
