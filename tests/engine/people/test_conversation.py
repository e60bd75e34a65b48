"""Who answers what, in which order, and what becomes of refusals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bpmn.load import load
from engine.cli.wiring import governor_on
from engine.governor import Governor
from engine.people.answering import WrongOutputs
from engine.people.conversation import Conversation
from engine.people.given import Decided, Done
from engine.people.work_item import WorkItem
from governance.human_loop.intervention import Intervention

TASK = b"""<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t" id="defs">
<itemDefinition id="bool" structureRef="xsd:boolean"/>
<process id="p" isExecutable="true"><startEvent id="s"/><userTask id="ask"><ioSpecification>
<dataOutput id="o" name="sure" itemSubjectRef="bool"/><inputSet/>
<outputSet><dataOutputRefs>o</dataOutputRefs></outputSet>
</ioSpecification></userTask><endEvent id="e"/>
<sequenceFlow id="f0" sourceRef="s" targetRef="ask"/><sequenceFlow id="f1" sourceRef="ask" targetRef="e"/>
</process></definitions>"""


class Given:
    """Gives outputs one after the other, then nothing; remembers refusals."""

    def __init__(self, *outputs: dict[str, Any]) -> None:
        self._outputs = iter(outputs)
        self.asked = 0
        self.refusals: list[Exception] = []
        self.lateness: list[str] = []

    def do(self, item: WorkItem) -> Done | None:
        self.asked += 1
        outputs = next(self._outputs, None)
        return None if outputs is None else Done(outputs=outputs, by="ada")

    def decide(self, asked: Intervention) -> Decided | None:
        return None

    def late(self, error: Exception) -> None:
        self.lateness.append(str(error))

    def refused(self, error: Exception) -> None:
        self.refusals.append(error)


@pytest.fixture
def governor(tmp_path: Path) -> Iterator[Governor]:
    with governor_on(str(tmp_path / "governor.db")) as governor:
        yield governor


def test_the_first_who_answers_does_it(governor: Governor) -> None:
    result = governor.start(load(TASK, file="a.bpmn"), {})
    nobody, somebody, not_asked = Given(), Given({"sure": True}), Given({"sure": False})
    result = Conversation(governor, [nobody, somebody, not_asked]).go_on(result)
    assert (result.status, result.variables) == ("completed", {"sure": True})
    assert (nobody.asked, not_asked.asked) == (1, 0)


def test_what_is_refused_is_asked_again(governor: Governor) -> None:
    result = governor.start(load(TASK, file="a.bpmn"), {})
    person = Given({"sure": "perhaps"}, {"sure": True})
    assert Conversation(governor, [person]).go_on(result).status == "completed"
    assert [type(error) for error in person.refusals] == [WrongOutputs]


def test_what_nobody_answers_waits_and_is_offered_once(governor: Governor) -> None:
    result = governor.start(load(TASK, file="a.bpmn"), {})
    person = Given()
    assert Conversation(governor, [person]).go_on(result).status == "waiting"
    assert person.asked == 1


def test_what_somebody_else_does_meanwhile_is_theirs(governor: Governor, tmp_path: Path) -> None:
    class Late(Given):
        def do(self, item: WorkItem) -> Done | None:
            with governor_on(str(tmp_path / "governor.db")) as other:
                other.complete(item.id, {"sure": True}, by="bob")
            return super().do(item)

    result = governor.start(load(TASK, file="a.bpmn"), {})
    late = Late({"sure": False})
    result = Conversation(governor, [late]).go_on(result)
    assert (result.status, result.variables) == ("completed", {"sure": True})
    (told,) = late.lateness
    assert "was completed by bob at 20" in told
