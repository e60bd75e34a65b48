"""All functions, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from bpmn.expressions.feel.library.aggregates import AGGREGATES
from bpmn.expressions.feel.library.builtin import Builtin, Library
from bpmn.expressions.feel.library.chance import CHANCE
from bpmn.expressions.feel.library.contexts import CONTEXTS
from bpmn.expressions.feel.library.conversion import CONVERSION
from bpmn.expressions.feel.library.dates import DATES
from bpmn.expressions.feel.library.extras import EXTRAS
from bpmn.expressions.feel.library.json_text import JSON_TEXT
from bpmn.expressions.feel.library.lists import LISTS
from bpmn.expressions.feel.library.numeric import NUMERIC
from bpmn.expressions.feel.library.range_text import RANGE_TEXT
from bpmn.expressions.feel.library.spans import SPANS
from bpmn.expressions.feel.library.text import TEXT
from bpmn.expressions.feel.syntax.names import Names

GROUPS: Final[Mapping[str, tuple[Library, ...]]] = MappingProxyType({
    "conversion": (CONVERSION, RANGE_TEXT),
    "strings": (TEXT,),
    "numbers": (NUMERIC,),
    "lists": (LISTS,),
    "truth values, aggregates and sorting": (AGGREGATES,),
    "ranges": (SPANS,),
    "dates and the clock": (DATES,),
    "contexts": (CONTEXTS,),
    "beyond the standard": (EXTRAS, JSON_TEXT, CHANCE),
})
"""By what they are about, for the reference."""

FUNCTIONS: Final[Mapping[str, Builtin]] = MappingProxyType({
    name: function
    for libraries in GROUPS.values()
    for library in libraries
    for name, function in library.functions.items()
})

KNOWN: Final = Names((*FUNCTIONS, "time offset", "start included", "end included"))
