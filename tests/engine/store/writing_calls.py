"""Every call that writes to a database, on a state in which it has something to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import orjson

from bpmn.codec import definition_hash, to_json
from bpmn.load import load
from engine.post import Post
from engine.store.access import AccessTables, ApiKey, SignedIn, User
from engine.store.again import Again
from engine.store.cleaned import Wanted
from engine.store.database import Database
from engine.store.dead_ends import StoredDeadEnds
from engine.store.deployments import Deployments, Version
from engine.store.dispatch import DispatchTable
from engine.store.dispatch_tables import DispatchRow
from engine.store.erasure import Erasure
from engine.store.experience import StoredExperience
from engine.store.journal import InstanceJournal
from engine.store.knowledge import KnowledgeTable
from engine.store.memories import MemoryJournal
from engine.store.model_rates import ModelRates
from engine.store.posts import PostOffice
from engine.store.replies import Replies
from engine.store.store import SqlStore
from engine.store.tables import InstanceRow, number_of, table
from engine.store.workers import WorkerRecord, WorkerTable
from governance.cda.dead_ends.model import DeadEndFact, Signature
from governance.cda.experience.model import ExecutionPattern, Preconditions, Skill
from tests.engine.models import edges, end, model, start
from tests.engine.store.making import DEFINITION, START, Run, at, new_instance
from tests.governance.flywheel.bases import item

NOW: Final = START + timedelta(days=1)


@dataclass
class Desk:
    """A store with one instance that moves, one that is over, and something of everything else."""

    where: str
    folder: Path
    run: Run = field(default_factory=Run)

    def __post_init__(self) -> None:
        database = Database(self.where, again=Again(lambda _: None))
        self.store = SqlStore(database, salts=lambda: b"s" * 16)
        self.dispatch, self.workers, self.rates = DispatchTable(database), WorkerTable(database), ModelRates(database)
        store = self.store
        store.deploy(b'{"version":1}', DEFINITION, b"<definitions/>", "Main", "main.bpmn")
        store.create(new_instance(), self.run.step({"x": 1}))
        real = load(model(start(), end(), edges("s > e")), file="real.bpmn").definition
        hash = definition_hash(real)
        store.deploy(orjson.dumps(to_json(real)), hash, b"<definitions/>", "Real", "real.bpmn")
        store.create(new_instance("old", definition=hash), Run("old").step({"y": 2}, status="completed"))
        store.create(new_instance("ready"), Run("ready").step({"z": 3}, due=START))
        store.export("old", self.folder / "old.zip")
        store.access.put_user(User(name="ann", password="p", roles=(), created_at=at(0)))
        store.access.sign_in(signed("h0"))
        store.replies.begin("ann", "old", "r", at(0), forget=at(0))
        store.experience().put([skill("s0")])
        store.posts.add(post("p0"))
        store.posts.add(post("p1", sender="abc123", until=at(5)))
        self.workers.join(worker("w0"))
        row = {"ticket": "t0", "version": 1, "attempts": 1, "put_at": 0.0, "error": None, "retry_at": None}
        with database.write() as connection:
            connection.execute(table(DispatchRow).insert().values(instance=number_of("abc123"), **row))
            connection.execute(table(InstanceRow).update().where(table(InstanceRow).c.id == "abc123").values(due=at(0)))


def signed(hash: str) -> SignedIn:
    return SignedIn(hash=hash, owner="ann", csrf="c", created_at=at(0), expires_at=at(9))


def skill(id: str) -> Skill:
    when, pattern = Preconditions(evidence=("ocr",)), ExecutionPattern(steps=("scan", "read"))
    return Skill(id=id, preconditions=when, execution_pattern=pattern)


def post(id: str, **fields: Any) -> Post:
    return Post(**{"id": id, "kind": "signal", "name": "go", "topics": (("signal", "go"),), **fields})


def worker(id: str) -> WorkerRecord:
    return WorkerRecord(id=id, host="h", pid=1, protocol=1, slots=2, started_at=at(0))


def dead_end() -> DeadEndFact:
    return DeadEndFact(kind="failed", id="d", at=at(1), scope="main", signature=Signature(action="a", arguments="b"))


def deployed() -> Version:
    return Version(process="main", version=0, definition=DEFINITION, name="Main", file="main.bpmn", at=at(1), by="ann")


def erase(desk: Desk) -> object:
    value = desk.run.values.put(1)
    return desk.store.erase(Erasure(instance="abc123", values=[value], events=[0]), desk.run.step({"x": 9}))


def append(desk: Desk) -> None:
    for number in (1, 1, 2):
        desk.store.memory("s").append({"a": number})


Call = Callable[[Desk], object]
WRITES: Final[Mapping[type, Mapping[str, Call]]] = {
    SqlStore: {
        "deploy": lambda desk: desk.store.deploy(b"{}", "e" * 64, b"<definitions/>", "Other", "other.bpmn"),
        "create": lambda desk: desk.store.create(new_instance("new"), Run("new").step({"x": 5})),
        "commit": lambda desk: desk.store.commit(desk.run.step({"x": 2})),
        "erase": erase,
        "clean": lambda desk: desk.store.clean(NOW, wanted=Wanted("ann", at(1), "old")),
        "take_in": lambda desk: (desk.store.clean(NOW), desk.store.take_in(desk.folder / "old.zip")),
        "checkpoint_wal": lambda desk: desk.store.checkpoint_wal(),
    },
    InstanceJournal: {"put": lambda desk: desk.store.journal("abc123").put("7", "c", {"a": 1})},
    MemoryJournal: {"append": append},
    KnowledgeTable: {"put": lambda desk: desk.store.knowledge.put([item("tie it")], {"handbook.md": "d"})},
    PostOffice: {
        "add": lambda desk: desk.store.posts.add(post("p2")),
        "fan_out": lambda desk: desk.store.posts.fan_out(post("p0"), [post("p3", recipient="abc123")]),
        "tried": lambda desk: desk.store.posts.tried("abc123"),
        "expire": lambda desk: desk.store.posts.expire(at(6)),
    },
    StoredExperience: {
        "put": lambda desk: desk.store.experience().put([skill("s1")]),
        "drop": lambda desk: desk.store.experience().drop("s0"),
    },
    StoredDeadEnds: {"add": lambda desk: desk.store.dead_ends().add([dead_end()])},
    Deployments: {"add": lambda desk: desk.store.deployments.add(deployed(), 0)},
    AccessTables: {
        "put_user": lambda desk: desk.store.access.put_user(User(name="bob", password="p", roles=(), created_at=at(0))),
        "put_key": lambda desk: desk.store.access.put_key(
            ApiKey(id="k", hash="h", owner="ann", label="", roles=(), created_at=at(0))
        ),
        "sign_in": lambda desk: desk.store.access.sign_in(signed("h1")),
        "sign_out": lambda desk: desk.store.access.sign_out(owner="ann"),
        "audit": lambda desk: desk.store.access.audit(at(1), "ann", "start", "main", 201),
    },
    Replies: {
        "begin": lambda desk: desk.store.replies.begin("ann", "new", "r", at(1), forget=at(0)),
        "keep": lambda desk: desk.store.replies.keep("ann", "old", 201, "/i", b"{}"),
        "drop": lambda desk: desk.store.replies.drop("ann", "old"),
    },
    DispatchTable: {
        "feed": lambda desk: desk.dispatch.feed(NOW, lambda flying: 10 - flying, 1, lambda *_: None),
        "done": lambda desk: desk.dispatch.done(["t0"], NOW),
        "back": lambda desk: desk.dispatch.back(["t0"], NOW),
        "failed": lambda desk: desk.dispatch.failed("t0", "no", NOW, lambda attempts: float(attempts)),
        "fence": lambda desk: desk.dispatch.fence(["t0"]),
    },
    WorkerTable: {
        "join": lambda desk: desk.workers.join(worker("w1")),
        "beat": lambda desk: desk.workers.beat("w0"),
        "drain": lambda desk: desk.workers.drain("w0"),
        "abandon": lambda desk: desk.workers.abandon("w0"),
        "leave": lambda desk: desk.workers.leave("w0"),
    },
    ModelRates: {"take": lambda desk: desk.rates.take("m", 1.0, 2) >= 0},
}

READS: Final[Mapping[type, frozenset[str]]] = {
    SqlStore: frozenset(
        {
            "within", "when_durable", "values_held", "shared_values", "source", "causes", "journal", "memory", "raises",
            "incidents", "as_told", "spent", "experience", "dead_ends", "values_of", "export", "close", "definition",
            "definition_source", "load", "find_instance", "instance", "stands", "instances", "due_instances", "events",
            "snapshots", "work_items", "work_item", "interventions", "open_for_people", "intervention", "holds",
        }
    ),
    InstanceJournal: frozenset({"get"}),
    MemoryJournal: frozenset({"events"}),
    KnowledgeTable: frozenset({"since", "find", "of_source", "sources"}),
    PostOffice: frozenset({"waiting", "of_sender", "for_instance"}),
    StoredExperience: frozenset({"recent", "skills"}),
    StoredDeadEnds: frozenset({"actions", "facts", "of_session", "hottest", "all"}),
    Deployments: frozenset({"latest", "of", "find"}),
    AccessTables: frozenset({"users", "user", "keys", "owner_of_key", "owner_of_session", "audited", "has_users"}),
    Replies: frozenset(),
    DispatchTable: frozenset({"open", "given_up", "in_flight"}),
    # Burying is a block of the caller's, who comes again with the next heartbeat.
    WorkerTable: frozenset({"all", "slots", "burying"}),
    ModelRates: frozenset(),
}

ONLY_POSTGRESQL: Final = frozenset({(DispatchTable, "feed"), (DispatchTable, "fence"), (ModelRates, "take")})
"""What only workers do, and they need a server for."""
