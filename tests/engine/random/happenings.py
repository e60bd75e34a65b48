"""Random block-structured processes of events: errors, timers, compensation, event sub-processes, instances.

Each block is drawn, and says by itself what is done in it: how often each activity, whatever the order. Errors are
thrown once all else in their sub-process is done, and time goes on only where nobody has anything to do, so that there
is one answer. No code of the engine's is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from tests.engine.models import (
    boundary,
    catch,
    edges,
    end,
    error,
    gateway,
    handler,
    instances,
    model,
    script,
    start,
    sub,
    throw,
    timer,
    user,
)

BESIDE = '<error id="err" errorCode="E"/>'
UNDO = "<compensateEventDefinition/>"


@dataclass(frozen=True)
class Drawn:
    """A piece with one element `first` that flows lead to and one `last` that they leave; `done` is its trace."""

    first: str
    last: str
    xml: str
    done: Counter[str]


class Maker:
    """Makes one process; every choice comes from one source."""

    def __init__(self, choices: Random) -> None:
        self._choices, self._last = choices, 0
        self.kinds: Counter[str] = Counter()

    def process(self) -> tuple[bytes, Counter[str]]:
        parts = [self._leaf(), self._block(3), self._block(3), self._leaf()]
        body = self._row(parts)
        source = model(start(), body.xml, end(), edges(f"s > {body.first}", f"{body.last} > e"), beside=BESIDE)
        return source, body.done

    def _name(self, prefix: str) -> str:
        self._last += 1
        return f"{prefix}{self._last}"

    def _leaf(self) -> Drawn:
        name = self._name("t")
        by_person = self._choices.random() < 0.4
        return Drawn(name, name, user(name) if by_person else script(name, "pass"), Counter({name: 1}))

    def _block(self, depth: int) -> Drawn:
        if depth == 0:
            return self._leaf()
        make = self._choices.choice(_KINDS)
        self.kinds[make.__name__] += 1
        return make(self, depth - 1)

    def _row(self, parts: list[Drawn]) -> Drawn:
        links = edges(*(f"{one.last} > {other.first}" for one, other in pairwise(parts)))
        done = sum((part.done for part in parts), Counter[str]())
        return Drawn(parts[0].first, parts[-1].last, "".join(part.xml for part in parts) + links, done)

    def _sequence(self, depth: int) -> Drawn:
        return self._row([self._block(depth) for _ in range(self._choices.randint(2, 3))])

    def _parallel(self, depth: int) -> Drawn:
        name = self._name("g")
        arms = [self._row([self._leaf(), self._block(depth)]) for _ in range(self._choices.randint(2, 3))]
        links = edges(*(f"{name} > {arm.first}" for arm in arms), *(f"{arm.last} > {name}j" for arm in arms))
        xml = gateway(name) + "".join(arm.xml for arm in arms) + gateway(f"{name}j") + links
        return Drawn(name, f"{name}j", xml, sum((arm.done for arm in arms), Counter[str]()))

    def _inside(self, name: str, inner: Drawn, *, finish: str = "", inside: str = "", more: str = "") -> str:
        """A sub-process around a block, which ends with `finish`."""
        flows = edges(f"{name}s > {inner.first}", f"{inner.last} > {name}e")
        return sub(name, start(f"{name}s"), inner.xml, end(f"{name}e", finish), flows, more, inside=inside)

    def _merged(self, name: str, event: str, host: Drawn, more: str, handled: Drawn, *, thrown: bool) -> Drawn:
        """Behind an activity and its boundary event, with what handles that, the ways come together again."""
        links = edges(f"{host.last} > {name}m", f"{event} > {handled.first}", f"{handled.last} > {name}m")
        xml = host.xml + more + handled.xml + gateway(f"{name}m", "exclusive") + links
        return Drawn(host.first, f"{name}m", xml, host.done + (handled.done if thrown else Counter()))

    def _caught(self, depth: int) -> Drawn:
        """A sub-process that may end with an error, which its boundary event catches."""
        name, thrown = self._name("b"), self._choices.random() < 0.6
        inner = self._block(depth)
        host = Drawn(name, name, self._inside(name, inner, finish=error() if thrown else ""), inner.done)
        return self._merged(name, f"{name}c", host, boundary(f"{name}c", name, error()), self._leaf(), thrown=thrown)

    def _handled_inside(self, depth: int) -> Drawn:
        """An event sub-process catches the error that its sub-process ends with."""
        name, thrown = self._name("v"), self._choices.random() < 0.6
        inner, handled = self._block(depth), self._leaf()
        flows = edges(f"{name}h_s > {handled.first}", f"{handled.last} > {name}he")
        event = handler(f"{name}h", error(), handled.xml, end(f"{name}he"), flows)
        xml = self._inside(name, inner, finish=error() if thrown else "", more=event)
        return Drawn(name, name, xml, inner.done + (handled.done if thrown else Counter()))

    def _waiting(self, depth: int) -> Drawn:
        name = self._name("w")
        wait = Drawn(name, name, catch(name, timer(f"PT{self._choices.randint(1, 9)}M")), Counter())
        return self._row([wait, self._block(depth)])

    def _late(self, depth: int) -> Drawn:
        """A timer on a sub-process that waits for longer, or for less, before anything else is done."""
        name, late = self._name("l"), self._choices.random() < 0.5
        wait = Drawn(f"{name}w", f"{name}w", catch(f"{name}w", timer(_span(depth, 2) if late else "PT1S")), Counter())
        inner = self._block(depth)
        body = self._row([wait, inner])
        host = Drawn(name, name, self._inside(name, body), Counter() if late else inner.done)
        event = boundary(f"{name}c", name, timer(_span(depth)))
        return self._merged(name, f"{name}c", host, event, self._leaf(), thrown=late)

    def _beside(self, depth: int) -> Drawn:
        """A timer that interrupts nothing: what it begins is done beside a sub-process that waits for longer."""
        name = self._name("n")
        wait = Drawn(f"{name}w", f"{name}w", catch(f"{name}w", timer(_span(depth, 2))), Counter())
        inner, handled = self._block(depth), self._leaf()
        links = edges(f"{name}c > {handled.first}", f"{handled.last} > {name}he")
        event = boundary(f"{name}c", f"{name}i", timer(_span(depth)), interrupting=False)
        host = self._inside(f"{name}i", self._row([wait, inner]))
        body = Drawn(f"{name}i", f"{name}i", host + event + handled.xml + end(f"{name}he") + links, Counter())
        return Drawn(name, name, self._inside(name, body), inner.done + handled.done)

    def _undone(self, depth: int) -> Drawn:
        """What has finished in a sub-process is undone before it ends, once each."""
        name = self._name("u")
        steps, more, undone = [], "", Counter[str]()
        for _ in range(self._choices.randint(1, 3)):
            step, undo = self._leaf(), self._leaf()
            xml = undo.xml.replace("Task id=", 'Task isForCompensation="true" id=')
            link = f'<association id="{step.first}as" sourceRef="{step.first}c" targetRef="{undo.first}"/>'
            more += boundary(f"{step.first}c", step.first, UNDO) + xml + link
            steps.append(step)
            undone += undo.done
        thrown = Drawn(f"{name}t", f"{name}t", throw(f"{name}t", UNDO), Counter())
        body = self._row([*steps, self._block(depth), thrown])
        return Drawn(name, name, self._inside(name, body, more=more), body.done + undone)

    def _instances(self, depth: int) -> Drawn:
        name, count = self._name("i"), self._choices.randint(0, 3)
        inner = self._block(depth)
        marker = instances(cardinality=str(count), item="", sequential=self._choices.random() < 0.5)
        done = Counter({key: number * count for key, number in inner.done.items() if count})
        return Drawn(name, name, self._inside(name, inner, inside=marker), done)


def _span(depth: int, times: int = 1) -> str:
    """Longer than all that may wait inside of a block of this depth."""
    return f"PT{times * 10 * 100 ** (depth + 1)}M"


_KINDS: tuple[Callable[[Maker, int], Drawn], ...] = (
    Maker._sequence, Maker._parallel, Maker._parallel, Maker._caught, Maker._handled_inside, Maker._waiting,
    Maker._late, Maker._beside, Maker._undone, Maker._instances,
)  # fmt: skip
