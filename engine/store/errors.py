"""Errors of the store. Each names the database and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import EngineError


class StoreError(EngineError):
    """Base of every error that the store raises on purpose."""


class BadDatabaseUrl(StoreError):
    """A place for a database that this store cannot use."""

    def __init__(self, given: str, found: str) -> None:
        self.given, self.found = given, found
        super().__init__(f"{given}: {found}; allowed are the path of a SQLite file, sqlite:///PATH and postgresql://…")


class OtherDatabase(StoreError):
    """A session or connection of a host to another kind of database than the instances are in."""

    def __init__(self, database: str, found: str) -> None:
        self.database, self.found = database, found
        super().__init__(f"{database}: the host's connection is to {found}; it must be to the same database")


class StoreUnavailable(StoreError):
    """The database cannot be used now; nothing was changed."""

    def __init__(self, database: str, reason: str, remedy: str) -> None:
        self.database, self.reason, self.remedy = database, reason, remedy
        super().__init__(f"{database}: {reason}; {remedy}")


class NotWritable(StoreUnavailable):
    """The file or its folder cannot be opened for writing."""

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(database, reason, "give a file in a folder that you may write to (--db PATH)")


class NotADatabase(StoreUnavailable):
    """The file holds something else, or is damaged."""

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(database, reason, "give another file (--db PATH), or put a backup in its place")


class NoDatabase(StoreUnavailable):
    """There should be a database, and there is none of ours."""

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(database, reason, "give the database that an instance was run on (--db PATH)")


class StoreInterrupted(StoreUnavailable):
    """A transaction was broken off, as by a server that is started anew or by two that wait for each other.

    It changed nothing, or it is not known whether it did; it was tried again for as long as was allowed.
    """

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(database, reason, "see whether the server runs and the URL is right (--db URL)")


class StoreLocked(StoreUnavailable):
    """Somebody else kept the database locked for longer than the store waits."""

    def __init__(self, database: str, waited: float) -> None:
        self.waited = waited
        super().__init__(
            database, f"locked by another program for more than {waited:g} s", "end that program, or try again later"
        )


class StoreFull(StoreUnavailable):
    """No room for what was to be written."""

    def __init__(self, database: str) -> None:
        super().__init__(database, "the disk, or the room allowed for the database, is full", "make room and try again")


class NotPermitted(StoreUnavailable):
    """The server knows us, and does not let us do this."""

    def __init__(self, database: str, reason: str) -> None:
        super().__init__(database, reason, "let its user make and change tables, or give another URL (--db URL)")


class NotStorable(StoreError):
    """A text or a number that the database cannot hold, such as a text with the character NUL in a name."""

    def __init__(self, database: str, reason: str) -> None:
        self.database, self.reason = database, reason
        super().__init__(f"{database}: cannot be stored: {reason}")


class NewerSchema(StoreError):
    """A database made by a later version of this program."""

    def __init__(self, database: str, found: int, known: int) -> None:
        self.database, self.found, self.known = database, found, known
        super().__init__(
            f"{database}: made by a newer version (its schema is {found}, this program knows {known}); "
            "upgrade bpmn-governor, or give another file (--db PATH)"
        )


class NewerInstance(StoreError):
    """An instance that a later version of this program has moved on."""

    def __init__(self, instance: str, found: int, known: int) -> None:
        self.instance, self.found, self.known = instance, found, known
        super().__init__(
            f"instance {instance} was moved by a newer version (its state is {found}, this program knows {known}); "
            "upgrade bpmn-governor, or leave it to workers that are"
        )


class VersionConflict(StoreError):
    """The instance has moved on since it was loaded: `expected` and `found` are (version, epoch)."""

    def __init__(self, instance: str, expected: tuple[int, int], found: tuple[int, int]) -> None:
        self.instance, self.expected, self.found = instance, expected, found
        super().__init__(
            f"instance {instance} was changed meanwhile: loaded at version {expected[0]} of epoch {expected[1]}, "
            f"now at version {found[0]} of epoch {found[1]}; load it again and repeat the step"
        )


class ContradictoryAdvance(StoreError):
    """An advance that does not fit what is stored, such as an event number that is taken."""

    def __init__(self, instance: str, found: str) -> None:
        self.instance, self.found = instance, found
        super().__init__(f"instance {instance}: the advance contradicts what is stored: {found}; load it again")


class NotEnded(StoreError):
    """Instances in these states may still move, and are not removed."""

    def __init__(self, given: Sequence[str], allowed: Sequence[str]) -> None:
        self.given, self.allowed = tuple(given), tuple(allowed)
        super().__init__(f"{', '.join(given)}: such instances are kept; removed are only those {' or '.join(allowed)}")


class BadArchive(StoreError):
    """A file that is no archive of an instance, or was altered; nothing of it was taken."""

    def __init__(self, file: str, found: str) -> None:
        self.file, self.found = file, found
        super().__init__(f"{file}: {found}; give a file that `governor export` wrote")


class UnknownInstance(StoreError):
    """No instance has this id, or one that begins so."""

    def __init__(self, instance: str, database: str) -> None:
        self.instance, self.database = instance, database
        super().__init__(f"no instance {instance!r} in {database}; `governor instances` lists them")


class AmbiguousInstance(StoreError):
    """Several instances begin with this prefix; `candidates` are some of them."""

    def __init__(self, prefix: str, candidates: Sequence[str]) -> None:
        self.prefix, self.candidates = prefix, tuple(candidates)
        super().__init__(f"{prefix!r} may be instance {', '.join(candidates)} or others; give more of the id")


class InstanceExists(StoreError):
    """An id that another instance has."""

    def __init__(self, instance: str) -> None:
        self.instance = instance
        super().__init__(f"there is already an instance {instance}; give another id")


class UnknownDefinition(StoreError):
    """A definition that was not deployed to this database."""

    def __init__(self, definition_hash: str, database: str) -> None:
        self.definition_hash, self.database = definition_hash, database
        super().__init__(f"no definition {definition_hash} in {database}; deploy its file first")


class UnknownProcessVersion(StoreError):
    """A process of which no version was deployed."""

    def __init__(self, process: str) -> None:
        self.process = process
        super().__init__(f"no version of a process {process!r} was deployed")


class VersionOvertaken(StoreError):
    """A process of which somebody else deployed a version meanwhile. `expected` and `found` are numbers; 0: none."""

    def __init__(self, process: str, expected: int, found: int) -> None:
        self.process, self.expected, self.found = process, expected, found
        super().__init__(f"version {found} of process {process!r} was deployed meanwhile; expected was {expected}")


class UnknownTask(StoreError):
    """No work item or intervention has this id."""

    def __init__(self, kind: str, id: str, database: str) -> None:
        self.kind, self.id, self.database = kind, id, database
        super().__init__(f"no {kind} {id!r} in {database}; `governor inbox list` shows the open ones")


class Damaged(StoreError):
    """Something stored by the hash of its content is not what its hash says. `kind` is "snapshot" or "value"."""

    def __init__(self, kind: str, hash: str, database: str) -> None:
        self.kind, self.hash, self.database = kind, hash, database
        super().__init__(f"{database}: {kind} {hash} was altered or damaged; put a backup in its place")
