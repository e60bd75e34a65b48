"""The page about text that orders, made of what tests play."""

from __future__ import annotations

from docs.make.injection_cells import MARK, ORDERS, PLACES, PROCESS, Order
from docs.make.markdown import code, page, table


def write() -> str:
    return page(
        "Text that orders: 16 cells",
        "A prompt holds text from outside: letters, documents, what tools give, what models wrote. Such text may "
        "give orders to whoever reads it. Below stand four places times four orders. Tests play every cell with a "
        "model that does whatever it reads, as soon as it reads it, by all the means it has: what stops it is never "
        "its judgement. None of the orders works, and each is an event. How it is done: [taint](../concepts/taint.md), "
        "[tools](../concepts/tools.md).",
        table(["it stands in", "how it comes there"], [[place.name, place.says] for place in PLACES]),
        table(["it stands in", *(order.name for order in ORDERS)], [_row(place.name) for place in PLACES]),
        f"In each cell the text (it begins with {code(MARK)}) reaches the model, and stands behind a fence there.",
        *map(_order, ORDERS),
        "## The process",
        f"<!-- not run: the tests of injection run it -->\n```xml\n{PROCESS}\n```",
    )


def _row(place: str) -> list[str]:
    return [place, *(", ".join(dict.fromkeys(code(type.value) for type, _ in order.events)) for order in ORDERS)]


def _order(order: Order) -> str:
    events = table(["event", "says"], [[code(type.value), code(told)] for type, told in order.events])
    tries = "\n".join(f"- {each}" for each in order.tries)
    return (
        f"## {order.name[0].upper()}{order.name[1:]}\n\n> {order.text}\n\nA model that obeys\n\n{tries}\n\n"
        f"What becomes of it: {order.comes}.\n\n{events}"
    )
