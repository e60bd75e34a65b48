"""Process variables as the inputs of decisions: texts become dates where an input is declared to be one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpmn.dmn.logic.types import Later
from bpmn.expressions.feel.values import kinds
from bpmn.expressions.feel.values.reading import read_date, read_datetime, read_duration, read_time
from bpmn.expressions.feel.values.types import ContextOf, ListOf, Restricted, Simple, Type

_READERS: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType({
    kinds.DATE: lambda text: read_date(text.partition("T")[0]),
    kinds.TIME: read_time,
    kinds.DATE_TIME: read_datetime,
    kinds.DAYS: read_duration,
    kinds.MONTHS: read_duration,
})


def as_declared(value: Any, wanted: Type) -> Any:
    """The value, with every text in it that is declared to be a date, time or duration read as that.

    Entries that are declared and not there are null.
    """
    while isinstance(wanted, Restricted | Later):
        inner = wanted.base if isinstance(wanted, Restricted) else wanted.type
        if inner is None:
            return value
        wanted = inner
    if isinstance(wanted, Simple) and type(value) is str and wanted.kind in _READERS:
        read = _READERS[wanted.kind](value)
        return value if read is None else read
    if isinstance(wanted, ListOf):
        if type(value) is not list:
            return as_declared(value, wanted.element)
        return [as_declared(item, wanted.element) for item in value]
    if isinstance(wanted, ContextOf) and type(value) is dict:
        missing = {key: None for key in wanted.entries if key not in value}
        return {
            **{key: as_declared(item, wanted.entries[key]) if key in wanted.entries else item
               for key, item in value.items()},
            **missing,
        }
    return value
