"""All policies of a file, each by the id of the element it is written on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bpmn.findings import Finding
from bpmn.policies.compose import Composer, Written
from bpmn.policies.dialects import DIALECTS
from bpmn.policies.places import BEARERS, Places
from bpmn.policies.setting import Dialect
from bpmn.reader.extensions import extended
from bpmn.reader.xml import Xml, local_name


class Collector:
    """Reads policies with the given dialects."""

    def __init__(self, file: str, dialects: Sequence[Dialect] = DIALECTS) -> None:
        self._file, self._dialects = file, dialects
        self.findings: list[Finding] = []

    def collect(self, root: Xml) -> Mapping[str, Written]:
        """Every policy of the file by element id. `findings` tell of what is wrong or stands where it has no effect."""
        found: dict[str, Written] = {}
        places = Places(self._file)
        for element in extended(root):
            places.check_attributes(element)
            settings = [setting for dialect in self._dialects for setting in dialect(element)]
            if not settings:
                continue
            if local_name(element) not in BEARERS:
                places.refuse_policy(element)
                continue
            composer = Composer(self._file, element.get("id", ""))
            written = composer.compose(settings)
            self.findings += composer.findings
            if written is not None:
                found.setdefault(written.element, written)
        places.check_elements(root)
        self.findings += places.findings
        return found
