"""`governor inbox list`, `show` and `answer`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from engine.cli.asking.given import GivenAnswerer, GivenOptions
from engine.cli.asking.prompter import someone_is_there
from engine.cli.asking.terminal import at_terminal
from engine.cli.errors import BadOption
from engine.cli.exits import Exit
from engine.cli.hints import Hints
from engine.cli.output import print_json
from engine.cli.running import Runner, RunOptions
from engine.cli.screen.choose import messages, output
from engine.cli.screen.port import Cell, Style
from engine.cli.stored import names_of
from engine.cli.telling.shown import tell_intervention, tell_work_item
from engine.cli.telling.times import moment
from engine.cli.wiring import looking_at
from engine.governor import Governor
from engine.names import Names
from engine.people.answering import AlreadyDone
from engine.people.conversation import Conversation
from engine.people.given import Answerer
from engine.people.work_item import WorkItem
from engine.result import RunResult
from engine.store.errors import UnknownTask
from governance.human_loop.intervention import Intervention, require_open

Item = WorkItem | Intervention


def list_inbox(db: str | None, *, as_json: bool) -> None:
    """Print what waits for people, the oldest first."""
    with looking_at(db) as governor:
        items = _open_items(governor)
        names = {instance: names_of(governor, instance) for instance in {item.instance for item in items}}
    if as_json:
        print_json({"inbox": [_document(item) for item in items]})
        return
    screen = output()
    if not items:
        screen.line("Nothing waits for people.")
        return
    screen.table(
        ["id", "what", "for", "since", "about"], [_row(item, names[item.instance]) for item in items]
    )
    screen.line(("Look at one: governor inbox show ID. Answer it: governor inbox answer ID.", Style.DIM))


def show_item(db: str | None, id: str, *, as_json: bool) -> None:
    """Print a task or a question, whole."""
    with looking_at(db) as governor:
        item = find_item(governor, id)
        names = names_of(governor, item.instance)
    if as_json:
        print_json(_document(item))
        return
    screen = output()
    if isinstance(item, WorkItem):
        tell_work_item(screen, item)
    else:
        tell_intervention(screen, names, item)
    if item.status == "open":
        screen.line()
        screen.line(("  answer: ", Style.DIM), _hint(db, item))
    else:
        screen.line((f"  It is {item.status}.", Style.DIM))


def answer_item(options: RunOptions, id: str, given: GivenOptions) -> Exit:
    """Answer one thing, and run its instance on. Raises BadOption for an answer that is not of its kind."""
    found: list[Item] = []

    def find(governor: Governor) -> str:
        item = find_item(governor, id)
        _require_open(item)
        found.append(item)
        return item.instance

    def move(governor: Governor, instance: str, names: Names) -> RunResult:
        answerer = _answerer(options, given, found[0], names)
        answered = Conversation(governor, [answerer]).ask(found[0].id, task=isinstance(found[0], WorkItem))
        return governor.result(instance) if answered is None else answered

    return Runner(options).go_on(find, move, converse=False)


def delegate_item(options: RunOptions, id: str, to: str, reason: str) -> Exit:
    """Hand a question on. Raises BadOption for a task, and for nobody's name."""
    asked: list[Intervention] = []

    def find(governor: Governor) -> str:
        item = find_item(governor, id)
        if isinstance(item, WorkItem):
            raise BadOption("ID", id, "it is a task; only questions are delegated")
        asked.append(item)
        return item.instance

    def move(governor: Governor, instance: str, names: Names) -> RunResult:
        if not options.user or not to.strip():
            raise BadOption("--by" if to.strip() else "--to", "", "a name is needed")
        return governor.delegate(asked[0].id, to, by=options.user, reason=reason, roles=options.roles)

    return Runner(options).go_on(find, move, converse=False)


def find_item(governor: Governor, id: str) -> Item:
    """The task or question with this id, else the only open one whose id begins so. Raises UnknownTask, BadOption."""
    store = governor.store
    with suppress(UnknownTask):
        return store.work_item(id)
    try:
        return store.intervention(id)
    except UnknownTask as error:
        found = [item for item in _open_items(governor) if id and item.id.startswith(id)]
        if len(found) == 1:
            return found[0]
        if found:
            raise BadOption("ID", id, f"several begin so: {', '.join(item.id for item in found[:5])}") from None
        raise UnknownTask("task or question", id, error.database) from None


def _answerer(options: RunOptions, given: GivenOptions, item: Item, names: Names) -> Answerer:
    if not given.is_empty:
        return GivenAnswerer(given, options.user, options.roles)
    if not someone_is_there() or options.json:
        option = "--outputs" if isinstance(item, WorkItem) else "--decision"
        raise BadOption(option, "", f"it is needed, for nobody can be asked here: {_hint(options.db, item)}")
    return at_terminal(messages(), names, options.user, options.roles)


def _require_open(item: Item) -> None:
    if isinstance(item, Intervention):
        require_open(item)
    elif item.status != "open":
        raise AlreadyDone(item)


def _open_items(governor: Governor) -> list[Item]:
    items: list[Item] = [*governor.store.work_items(), *governor.store.interventions()]
    return sorted(items, key=lambda item: (item.created_at, item.id))


def _row(item: Item, names: Names) -> Sequence[Cell]:
    if isinstance(item, WorkItem):
        kind, whom, about = "task", ", ".join(item.whom), f"due {moment(item.due)}" if item.due else ""
    else:
        kind, whom, about = "question", item.delegate or ", ".join(item.asked_roles), _about(item)
    what: Cell = [(f"{kind} ", Style.PERSON), (names.element(item.element), Style.STRONG)]
    return [(item.id, Style.NAME), what, whom or "anybody", moment(item.created_at), about]


def _about(asked: Intervention) -> str:
    late = f"; escalated to {asked.escalate_to}" if asked.escalated_at else ""
    return f"{asked.message}{late}{f'; due {moment(asked.due)}' if asked.due else ''}"


def _hint(db: str | None, item: Item) -> str:
    hints = Hints(db)
    if isinstance(item, WorkItem):
        return hints.do(item.id, item.form, item.groups if item.restricted else ())
    return hints.decide(item.id, item.options, item.shown)


def _document(item: Item) -> dict[str, Any]:
    if isinstance(item, WorkItem):
        return {"kind": "work_item", **asdict(item)}
    document = item.model_dump(mode="json")
    # An intervention has a kind of its own.
    return {**document, "kind": "intervention", "about": document["kind"]}
