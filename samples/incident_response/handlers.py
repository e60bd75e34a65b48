"""The systems around the process, played by files and a few lines: local, and the same in every run.

checkout-api takes the size of its connection pool from its configuration: release 4.18.0 from `db.pool.max_size`,
release 4.17.2 from `db.pool.maxSize`, and both take 8 where the key is missing. The morning peak needs 64.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.activities.job import Job, handler
from engine.activities.work import DeadEndNote, Outcome
from governance.vocabulary import Producer

DATA: Final = Path(__file__).parent / "data"
PODS: Final = ("2xkqp", "8wmzt", "hj5rn", "q6vdl")
POOL_KEYS: Final = {"4.18.0": "db.pool.max_size", "4.17.2": "db.pool.maxSize"}
DEFAULT_POOL: Final = 8
NEEDED_POOL: Final = 64


@handler("collect-evidence")
def collect_evidence(job: Job) -> dict[str, Any]:
    return {"logs": _text("checkout-api.log"), "metrics": _text("metrics.csv"), "releases": _text("releases.txt")}


@handler("collect-infrastructure")
def collect_infrastructure(job: Job) -> dict[str, Any]:
    return {"database": _text("database.txt"), "network": _text("network.txt")}


@handler("collect-tickets")
def collect_tickets(job: Job) -> dict[str, Any]:
    return {"tickets": json.loads(_text("tickets.json"))}


@handler("apply-fix")
def apply_fix(job: Job) -> Outcome:
    """Does the steps of the fix, and tells what the cluster said."""
    number = job.variables["rounds"] + 1
    steps = job.variables["fix"]["steps"]
    changes = [*job.variables.get("changes", []), *({"at": _time(number, 0), **step} for step in steps)]
    done = [f"{step['do']} {step['what']} {step['value']}" for step in steps]
    lines = [f"{_time(number, 0)} {step}: ok" for step in done]
    lines += [line for place, pod in enumerate(PODS) for line in _restarted(pod, number, place, changes)]
    outputs = {"rounds": number, "changes": changes, "rollout": "\n".join(lines)}
    return _outcome(outputs, f"Round {number}: {', '.join(done)}.")


@handler("verify-fix")
def verify_fix(job: Job) -> Outcome:
    """Watches the service for five minutes under the load of the peak; a fix that does not help is a dead end."""
    release, key, size = _configured(job.variables["changes"])
    healthy = size is not None and size >= NEEDED_POOL
    found = f"{key} is not set, using default {DEFAULT_POOL}" if size is None else f"{key} is {size}"
    number = job.variables["rounds"]
    verification = {
        "round": number,
        "watched": f"{_time(number, 2)} to {_time(number, 7)}",
        "release": release,
        "errors_5xx_percent": 0.1 if healthy else 17.2,
        "p95_ms": 134 if healthy else 3006,
        "pool_waiting": 0 if healthy else 241,
        "pool": f"release {release}, all {len(PODS)} pods: {found}",
    }
    told = f"{verification['errors_5xx_percent']} % of requests fail; {verification['pool']}."
    outcome = _outcome({"healthy": healthy, "verification": verification}, told)
    if healthy:
        return outcome
    steps = ("propose_fix", "adjust_fix", "apply_fix", "verify_fix")
    return outcome._replace(dead_ends=(DeadEndNote("fix", job.variables["fix"], told, steps),))


@handler("page-manager")
def page_manager(job: Job) -> dict[str, Any]:
    return {"manager_paged_at": "2026-03-17T09:47:00Z"}


@handler("send-update")
def send_update(job: Job) -> Outcome:
    recipients = job.variables["recipients"]
    delivery = {"sent_at": "2026-03-17T09:46:00Z", "accepted": recipients}
    return _outcome({"delivery": delivery}, f"Accepted for {len(recipients)} recipients.")


def _outcome(outputs: dict[str, Any], decision: str) -> Outcome:
    return Outcome(outputs=outputs, decision=decision, producer=Producer.SERVICE)


def _text(name: str) -> str:
    return (DATA / name).read_text(encoding="utf-8")


def _configured(changes: Sequence[dict[str, str]]) -> tuple[str, str, int | None]:
    """The release that runs, its key for the size of the pool, and what is set there."""
    release = "4.18.0"
    config: dict[str, str] = {}
    for change in changes:
        if change["do"] == "rollback":
            release = change["value"]
        elif change["do"] == "set_config":
            config[change["what"]] = change["value"]
    key = POOL_KEYS[release]
    return release, key, int(config[key]) if key in config else None


def _restarted(pod: str, number: int, place: int, changes: Sequence[dict[str, str]]) -> list[str]:
    """What one pod wrote while it was replaced."""
    release, key, size = _configured(changes)
    at = _time(number, 0 if place < 2 else 1)
    name = f"checkout-api-{pod}"
    warning = [f"{at} {name} WARN config: {key} is not set, using default {DEFAULT_POOL}"] if size is None else []
    return [
        f"{at} {name} Killing: stopping container checkout-api, 30 s to finish what it has begun",
        f"{at} {name} Pulled: image registry.internal/checkout-api:{release} is on the node",
        f"{at} {name} Created: container checkout-api, limits cpu=2 memory=1536Mi, config version {213 + number}",
        f"{at} {name} Started: container checkout-api",
        f"{at} {name} INFO starting checkout-api {release}, profile eu-central-1",
        *warning,
        f"{at} {name} INFO pool orders-db: {size or DEFAULT_POOL} connections, acquire timeout 3000 ms",
        f"{at} {name} Ready: 1 of 1 containers, traffic is on",
    ]


def _time(number: int, minutes: int) -> str:
    """A time in the round: the first is applied at 09:19, each one twelve minutes after the one before."""
    return f"09:{19 + 12 * (number - 1) + minutes:02d}"
