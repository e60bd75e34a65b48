"""The post office: what is on its way between instances, and which instance waits for what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, or_, select

from engine.post import Post, Topic
from engine.store.database import Database
from engine.store.documents import dump, load
from engine.store.errors import VersionConflict
from engine.store.tables import InstanceRow, PostRow, WaitingRow, table

_POST, _WAITING, _INSTANCE = table(PostRow), table(WaitingRow), table(InstanceRow)
Row = dict[str, Any]


class PostWriter:
    """The part of an advance that is about the post."""

    def __init__(self, database: Database) -> None:
        self._add = insert(_POST)
        self._wait = database.dialect.insert_or_ignore(_WAITING)
        self._stop = delete(_WAITING).where(
            _WAITING.c.topic == bindparam("of_topic"), _WAITING.c.instance == bindparam("of_instance")
        )

    def write(
        self, connection: Connection, number: int, *, posts: Sequence[Post], on: Sequence[Topic], off: Sequence[Topic]
    ) -> None:
        """Add what was thrown, and keep what the instance waits for now."""
        if posts:
            connection.execute(self._add, [_row(post) for post in posts])
        if off:
            connection.execute(self._stop, [{"of_topic": _text(each), "of_instance": number} for each in off])
        if on:
            connection.execute(self._wait, [{"topic": _text(each), "instance": number} for each in on])

    def take(self, connection: Connection, instance: str, version: int, taken: Sequence[str]) -> None:
        """Take out what an advance has received. Raises VersionConflict where another instance was faster."""
        for post in taken:
            if connection.execute(delete(_POST).where(_POST.c.id == post)).rowcount != 1:
                raise VersionConflict(instance, (version, 0), (version, 0))


class PostOffice:
    """What a dispatcher asks and does."""

    def __init__(self, database: Database) -> None:
        self._database, self._add = database, database.dialect.insert_or_ignore(_POST)

    def waiting(self, topic: Topic) -> list[str]:
        """Ids of instances that wait for it, the oldest instance first."""
        statement = (
            select(_INSTANCE.c.id)
            .join(_WAITING, _WAITING.c.instance == _INSTANCE.c.number)
            .where(_WAITING.c.topic == _text(topic))
            .order_by(_INSTANCE.c.number)
        )
        return self._database.column(statement)

    def of_sender(self, instance: str) -> list[Post]:
        """What an instance has thrown and nobody has received, oldest first."""
        return self._read(select(_POST.c.body).where(_POST.c.sender == instance))

    def for_instance(self, instance: str, topics: Sequence[Topic]) -> list[Post]:
        """What is addressed to an instance, or is about something that it waits for, oldest first."""
        about = _POST.c.topic.in_([_text(each) for each in topics])
        undirected = about & _POST.c.recipient.is_(None) & (_POST.c.kind == "message")
        return self._read(select(_POST.c.body).where(or_(_POST.c.recipient == instance, undirected)))

    def add(self, post: Post) -> None:
        """Something from the world outside."""
        self._database.change(lambda connection: connection.execute(self._add, [_row(post)]))

    def fan_out(self, post: Post, copies: Sequence[Post]) -> None:
        """Put copies for single instances in the place of a signal; once, however often it is tried."""

        def write(connection: Connection) -> None:
            if connection.execute(delete(_POST).where(_POST.c.id == post.id)).rowcount and copies:
                connection.execute(insert(_POST), [_row(each) for each in copies])

        self._database.change(write)

    def tried(self, sender: str) -> None:
        """Nobody can receive now what this instance has thrown and is still there: it waits for those who come."""
        mine = (_POST.c.sender == sender) & (_POST.c.tried == 0)
        if self._database.cell(select(_POST.c.number).where(mine).limit(1)) is not None:
            self._database.change(lambda connection: connection.execute(_POST.update().where(mine).values(tried=1)))

    def expire(self, now: str) -> None:
        """Give up what nobody has received in time."""
        late = self._database.column(select(_POST.c.number).where(_POST.c.until < now))
        if late:
            self._database.change(lambda connection: connection.execute(delete(_POST).where(_POST.c.number.in_(late))))

    def _read(self, statement: Any) -> list[Post]:
        return [_post(body) for body in self._database.column(statement.order_by(_POST.c.number))]


def _text(topic: Topic) -> str:
    return f"{topic[0]} {topic[1]}"


def _row(post: Post) -> Row:
    body = {
        "id": post.id, "kind": post.kind, "name": post.name, "topics": [list(each) for each in post.topics],
        "sender": post.sender, "recipient": post.recipient, "payload": dict(post.payload), "key": post.key,
        "until": post.until,
    }  # fmt: skip
    return {
        "id": post.id,
        "kind": post.kind,
        "topic": _text(post.topics[0]),
        "sender": post.sender,
        "recipient": post.recipient,
        "until": post.until,
        "tried": 0 if post.sender else 1,
        "body": dump(body),
    }


def _post(body: str) -> Post:
    data = load(body)
    return Post(**{**data, "topics": tuple((kind, name) for kind, name in data["topics"])})
