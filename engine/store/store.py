"""The store on a SQL database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from pathlib import Path
from typing import Final, TypeVar

from sqlalchemy import Connection, bindparam, select
from sqlalchemy.exc import IntegrityError

from engine.store.access import AccessTables
from engine.store.advance import ENDED, PROTOCOL, RUNNING, Advance, NewInstance, OpenIncident
from engine.store.causes import KeptCause, causes_of
from engine.store.cleaned import Cleaned, Wanted
from engine.store.commit import AdvanceWriter, says_little
from engine.store.database import Database
from engine.store.dead_ends import StoredDeadEnds
from engine.store.deployments import Deployments
from engine.store.documents import dump
from engine.store.erasing import erase, shared_values, values_held
from engine.store.erasure import Erasure
from engine.store.errors import InstanceExists, StoreInterrupted, UnknownDefinition
from engine.store.experience import StoredExperience
from engine.store.holds import InstanceHolds
from engine.store.host import Host, HostDatabase
from engine.store.incidents import open_incidents
from engine.store.journal import InstanceJournal
from engine.store.knowledge import KnowledgeTable
from engine.store.known import Held, Known, StaleKnowledge
from engine.store.memories import MemoryJournal
from engine.store.packing import pack
from engine.store.posts import PostOffice
from engine.store.read_ahead import values_of
from engine.store.reader import Reader
from engine.store.replies import Replies
from engine.store.seals import StoredLog, new_salt
from engine.store.sources import InstanceSource
from engine.store.spending import raises, spent
from engine.store.tables import DefinitionRow, InstanceRow, table
from governance.budgets import Pool, Raise

T = TypeVar("T")

_INSTANCE, _DEFINITION = table(InstanceRow), table(DefinitionRow)
_KEPT: Final = select(_DEFINITION.c.hash).where(_DEFINITION.c.hash == bindparam("of_hash"))


class SqlStore(Reader):
    """`InstanceStore` on a database. May be used from any thread; what `source` gives, by one at a time."""

    def __init__(
        self,
        database: Database,
        salts: Callable[[], bytes] = new_salt,
        like: SqlStore | None = None,
        known: Known | None = None,
    ) -> None:
        """`salts` gives what keeps the hashes of the event log from telling what was hashed; anew for each advance.
        `like` is a store of the same database, whose statements this one shares.
        """
        super().__init__(database)
        self._salts = salts
        self._advances: AdvanceWriter = AdvanceWriter(database) if like is None else like._advances
        self._known = known or Known()
        self.log = StoredLog(database)
        self.knowledge = KnowledgeTable(database)
        self.posts = PostOffice(database)
        self.deployments = Deployments(database)
        self.access, self.replies = AccessTables(database), Replies(database)
        self._experience, self._dead_ends = StoredExperience(database), StoredDeadEnds(database)
        self._add_definition = database.dialect.insert_or_ignore(_DEFINITION)

    def within(self, host: Host) -> SqlStore:
        """The same store in the transaction of a host program. Raises OtherDatabase."""
        nothing = Known(most=0)  # a host may still roll back what we would know, and others move the instance instead
        return SqlStore(HostDatabase(self.database, host), self._salts, like=self, known=nothing)

    @property
    def commits_itself(self) -> bool:
        """Whether what was written is durable at once; otherwise a host program commits it, or not."""
        return self.database.commits_itself

    def when_durable(self, call: Callable[[], None]) -> None:
        """Call it once all that was written is committed; never, if it is rolled back."""
        self.database.when_durable(call)

    def deploy(self, definition_json: bytes, definition_hash: str, source: bytes, name: str, file: str) -> None:
        """Keep a definition and the file it was read from. The same again changes nothing."""
        if self.database.ask(_KEPT, {"of_hash": definition_hash}):
            return
        row = {
            "hash": definition_hash,
            "name": name,
            "file": file,
            "source": pack(source),
            "body": pack(definition_json),
        }
        self.database.change(lambda connection: connection.execute(self._add_definition, row))

    def create(self, new: NewInstance, first: Advance | None = None) -> int:
        """Make an instance, with its first advance in the same transaction; its version after that.

        Raises InstanceExists, UnknownDefinition, and what `commit` raises.
        """
        salt, version = self._salts(), 0 if first is None else 1

        def write(connection: Connection, again: bool) -> Held | None:
            if again and self._advances.is_there(connection, new.id, first, salt):
                return None
            number = self._insert(connection, new)
            if first is None:
                return None
            return self._advances.write(connection, first, salt, Held(number, 0, new.epoch, None), sure=True)

        self._keep(first, self.database.change_once(write))
        return version

    def commit(self, advance: Advance) -> int:
        """Make an advance durable, all of it or nothing; the instance's new version.

        Raises VersionConflict when the instance has another version or epoch, UnknownInstance, ContradictoryAdvance.
        """
        known = self._known.take(advance.instance, advance.version, advance.epoch)
        try:
            return self._commit(advance, known)
        except StaleKnowledge:
            return self._commit(advance, None)

    def values_held(self, instance: str) -> set[str]:
        """Hashes of all values that an instance refers to, and of those that these refer to."""
        with self.database.read() as connection:
            return values_held(connection, instance)

    def shared_values(self, erasure: Erasure) -> set[str]:
        """Those of the values to erase that other instances hold, too. Cost: all that the others have stored."""
        with self.database.read() as connection:
            return shared_values(connection, erasure)

    def erase(self, erasure: Erasure, record: Advance) -> int:
        """Erase contents of an instance, and commit what puts that on record, all or nothing; what `commit` does."""
        salt, version = self._salts(), record.version + 1

        def write(connection: Connection, again: bool) -> None:
            if not (again and self._advances.is_there(connection, record.instance, record, salt)):
                self._advances.write(connection, record, salt)
                erase(connection, erasure)

        self.database.change_once(write)
        self.checkpoint_wal()
        return version

    def source(self, instance: str) -> InstanceSource:
        return InstanceSource(self.database, instance)

    def causes(self, instance: str) -> list[KeptCause]:
        """What the advances of an instance were made by, in order; those from before causes were kept are absent."""
        return causes_of(self.database, instance)

    def journal(self, instance: str, epoch: int | None = None) -> InstanceJournal:
        return InstanceJournal(self.database, instance, epoch)

    def holds(self, instance: str, epoch: int) -> InstanceHolds:
        """For who loaded the instance in this epoch: the jobs that no other program is at."""
        return InstanceHolds(self.database, instance, epoch)

    def memory(self, session: str) -> MemoryJournal:
        return MemoryJournal(self.database, session)

    def raises(self) -> list[Raise]:
        """By what people raised the budget of all instances together, the first first."""
        return raises(self.database)

    def incidents(
        self, *, instance: str | None = None, limit: int | None = None, after: tuple[str, str] | None = None
    ) -> list[OpenIncident]:
        """What has failed and was not tried again, the oldest instance first; `after` is (instance, task)."""
        return open_incidents(self.database, instance, limit, after)

    def as_told(self, instance: str, value: T) -> T:
        """As it is."""
        return value

    def spent(self) -> Pool:
        """What the model calls of all instances used, by committed advances."""
        return spent(self.database)

    def experience(self) -> StoredExperience:
        return self._experience

    def dead_ends(self) -> StoredDeadEnds:
        return self._dead_ends

    def values_of(self, hashes: Iterable[str]) -> dict[str, bytes]:
        """Canonical JSON by hash; a hash that is not stored is absent."""
        return values_of(self.database, hashes)

    def clean(
        self,
        before: datetime | None = None,
        states: Collection[str] = ENDED,
        *,
        only_look: bool = False,
        wanted: Wanted | None = None,
        now: datetime | None = None,
    ) -> Cleaned:
        """See `Cleaner.clean`."""
        from engine.store.retention import Cleaner

        return Cleaner(self.database, wanted).clean(before, states, only_look=only_look, now=now)

    def export(self, instance: str, file: Path) -> None:
        """Write an instance to an archive. Raises UnknownInstance, OSError."""
        from engine.store.archives.write import export_instance

        export_instance(self.database, instance, file)

    def take_in(self, file: Path) -> str:
        """The id of the instance in an archive, which is here now. Raises BadArchive, InstanceExists, OSError."""
        from engine.store.archives.take import import_instance

        return import_instance(self.database, file)

    def checkpoint_wal(self) -> bool:
        """Leave nothing of what was purged, neither in the database nor in the log beside it.

        False: another connection is using the log; try again later.
        """
        self.database.change(self.database.dialect.wipe_journal)
        return self.database.truncate_log()

    def close(self) -> None:
        self.database.close()

    def _commit(self, advance: Advance, known: Held | None) -> int:
        salt = self._salts()

        def write(connection: Connection, again: bool) -> Held | None:
            if again and self._advances.is_there(connection, advance.instance, advance, salt):
                return None
            return self._advances.write(connection, advance, salt, known)

        broken_off = False
        if known is not None and says_little(advance):
            try:
                self._keep(advance, self._claim(advance, salt, known))
                return advance.version + 1
            except StoreInterrupted:
                broken_off = True
        self._keep(advance, self.database.change_once(write, unsure=broken_off))
        return advance.version + 1

    def _claim(self, advance: Advance, salt: bytes, known: Held) -> Held:
        """An advance as most are, past SQLAlchemy."""
        try:
            return self.database.claim(lambda driver: self._advances.claim(driver, advance, salt, known))
        except IntegrityError as error:
            raise StaleKnowledge from error

    def _keep(self, advance: Advance | None, made: Held | None) -> None:
        """How an instance stands after an advance, for the next one; not of those that are over."""
        if advance is not None and made is not None and advance.status not in ENDED:
            self.database.when_durable(lambda: self._known.keep(advance.instance, made))

    def _insert(self, connection: Connection, new: NewInstance) -> int:
        """The number of a new instance."""
        definition = select(_DEFINITION.c.hash).where(_DEFINITION.c.hash == new.definition)
        if connection.execute(definition).one_or_none() is None:
            raise UnknownDefinition(new.definition, self.database.name)
        row = {
            "id": new.id,
            "definition": new.definition,
            "process": new.process,
            "status": RUNNING,
            "starter": new.starter,
            "settings": dump(new.settings),
            "counters": "{}",
            "version": 0,
            "epoch": new.epoch,
            "tenant": new.tenant,
            "protocol": PROTOCOL,
            "uncheckpointed": 0,
            "created_at": new.at,
            "updated_at": new.at,
        }
        try:
            made = connection.execute(_INSTANCE.insert(), row)
        except IntegrityError as error:
            raise InstanceExists(new.id) from error
        assert made.inserted_primary_key is not None
        return int(made.inserted_primary_key[0])
