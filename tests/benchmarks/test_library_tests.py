"""The library's tests under our driver: what passes with both, what differs for a reason, what is a defect.

The tests here are of the form of the library's: unittest, its parser, its workflow class, its serialiser.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import library_tests
from benchmarks.library.differences import DIFFERENCES, reason
from benchmarks.library_tests import figures, judge
from tests.benchmarks.models import model

CASE = """
import json, os, unittest
from SpiffWorkflow import TaskState
from SpiffWorkflow.bpmn.parser import BpmnParser
from SpiffWorkflow.bpmn.serializer import BpmnWorkflowSerializer

class Case(unittest.TestCase):
    serializer = BpmnWorkflowSerializer()
    def load(self, name):
        parser = BpmnParser()
        parser.add_bpmn_file(os.path.join(os.path.dirname(__file__), "data", name))
        return parser.get_spec("p"), parser.get_subprocess_specs("p")
    def ready(self):
        return self.workflow.get_tasks(state=TaskState.READY, manual=True)
    def save_restore(self):
        before, dump = self.serializer.to_dict(self.workflow), self.workflow.get_dump()
        after = self.serializer.from_dict(json.loads(json.dumps(before)))
        self.assertEqual(dump, after.get_dump())
        self.assertEqual(before, self.serializer.to_dict(after))
        self.workflow = after
"""
SAME = '''
from SpiffWorkflow import TaskState
from SpiffWorkflow.bpmn import BpmnEvent, BpmnWorkflow
from SpiffWorkflow.bpmn.specs.event_definitions import MessageEventDefinition
from .case import Case

class SameTest(Case):
    def start(self, name):
        self.workflow = BpmnWorkflow(*self.load(name))
        self.save_restore()
        self.workflow.do_engine_steps()
        self.save_restore()
    def do(self, **data):
        task = self.ready()[0]
        task.data.update(data)
        task.run()
        self.workflow.do_engine_steps()
        self.save_restore()
    def testInstances(self):
        self.start("instances.bpmn")
        wrapper = self.workflow.get_next_task(spec_name="many")
        self.assertEqual(wrapper.task_spec.task_info(wrapper)["running"], [0])
        for _ in range(3):
            self.do(out=1)
        self.assertTrue(self.workflow.completed)
        self.assertEqual(self.workflow.data["results"], [1, 1, 1])
    def testOutputs(self):
        with self.assertRaises(Exception):
            self.start("instances.bpmn")
            self.do()
    def testMessage(self):
        self.start("message.bpmn")
        self.assertEqual(len(self.workflow.waiting_events()), 1)
        self.workflow.catch(BpmnEvent(MessageEventDefinition("m"), {"x": 1}))
        self.workflow.do_engine_steps()
        self.save_restore()
        self.assertEqual(self.workflow.get_next_task(spec_name="inner").state, TaskState.CANCELLED)
        self.assertTrue(self.workflow.is_completed())
    def testReset(self):
        self.start("message.bpmn")
        self.do()
        first = self.workflow.get_next_task(spec_name="first")
        self.assertEqual(first.state, TaskState.READY)
        first.run()
        self.workflow.do_engine_steps()
        self.workflow.reset_from_task_id(first.id)
        self.assertEqual(first.state, TaskState.READY)
        self.do()
        self.assertTrue(self.workflow.completed)
    def testAhead(self):
        self.workflow = BpmnWorkflow(*self.load("message.bpmn"))
        first = self.workflow.get_next_task(spec_name="first")
        self.assertEqual(first.state, TaskState.FUTURE)
        self.workflow.do_engine_steps()
        self.ready()[0].run()
        self.workflow.do_engine_steps()
        self.assertEqual(first.state, TaskState.READY)
        self.assertEqual(first.data, {})
    def testJson(self):
        self.start("message.bpmn")
        again = self.serializer.deserialize_json(self.serializer.serialize_json(self.workflow))
        self.assertEqual(again.get_dump(), self.workflow.get_dump())

class OtherTest(Case):
    def testFails(self):
        self.fail("with either")
    def testPrediction(self):
        self.workflow = BpmnWorkflow(*self.load("message.bpmn"))
        self.assertTrue(self.workflow.get_tasks(state=TaskState.FUTURE | TaskState.PREDICTED_MASK))
    def testClass(self):
        self.assertEqual(BpmnWorkflow.__module__, "SpiffWorkflow.bpmn.workflow")
    def testHangs(self):
        while "ours" in BpmnWorkflow.__module__ or "stand_in" in BpmnWorkflow.__module__:
            pass
'''  # fmt: skip
INSTANCES = model(
    '<startEvent id="s"/><userTask id="many"><multiInstanceLoopCharacteristics isSequential="true">'
    "<loopCardinality>3</loopCardinality><loopDataOutputRef>results</loopDataOutputRef>"
    '<outputDataItem id="out"/></multiInstanceLoopCharacteristics></userTask><endEvent id="e"/>'
    '<sequenceFlow id="f" sourceRef="s" targetRef="many"/><sequenceFlow id="g" sourceRef="many" targetRef="e"/>'
)
MESSAGE = model(
    '<startEvent id="s"/><subProcess id="sub"><startEvent id="i"/><userTask id="inner"/><endEvent id="o"/>'
    '<sequenceFlow id="h" sourceRef="i" targetRef="inner"/><sequenceFlow id="k" sourceRef="inner" targetRef="o"/>'
    '</subProcess><boundaryEvent id="b" attachedToRef="sub"><messageEventDefinition messageRef="m"/></boundaryEvent>'
    '<userTask id="first"/><endEvent id="e"/><endEvent id="c"/><sequenceFlow id="f" sourceRef="s" targetRef="sub"/>'
    '<sequenceFlow id="g" sourceRef="sub" targetRef="first"/><sequenceFlow id="j" sourceRef="first" targetRef="e"/>'
    '<sequenceFlow id="l" sourceRef="b" targetRef="c"/>',
    more='<message id="m" name="m"/>',
)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    package = tmp_path_factory.mktemp("suite") / "its" / "bpmn"
    (package / "data").mkdir(parents=True)
    for name, text in (("../__init__.py", ""), ("__init__.py", ""), ("case.py", CASE), ("AllTest.py", SAME),
                       ("data/instances.bpmn", INSTANCES), ("data/message.bpmn", MESSAGE)):  # fmt: skip
        (package / name).write_text(text, encoding="utf-8")
    stock, ours = (library_tests.run_variant(package, which, 5.0, "") for which in ("stock", "ours"))
    return {"stock": stock, "ours": ours}  # type: ignore[dict-item]


def test_what_the_library_does_passes_with_ours_too(outcome: dict[str, dict[str, dict[str, str]]]) -> None:
    same = [test for test in outcome["stock"] if ".SameTest." in test]
    assert len(same) == 6
    for which in ("stock", "ours"):
        assert {test: outcome[which][test]["why"] for test in same} == dict.fromkeys(same, "")


def test_what_differs_is_told_apart(outcome: dict[str, dict[str, dict[str, str]]]) -> None:
    judged = judge(outcome["stock"], outcome["ours"])
    told = {each.test.rpartition(".")[2]: (each.how, each.row) for each in judged}
    assert told == {
        "testClass": ("with the library alone", None),
        "testHangs": ("with the library alone", None),
        "testPrediction": ("with the library alone", "prediction"),
        "testFails": ("with neither", None),
    }
    values = {each.name: each.value for each in figures(outcome["stock"], outcome["ours"], judged)}
    assert values["library_tests.unexplained"] == 2
    assert values["library_tests.deliberate"] == 1
    assert next(each.ours for each in judged if each.test.endswith("testHangs")).startswith("hung")


def test_a_reason_needs_both_the_deed_and_the_words() -> None:
    for each in DIFFERENCES:
        assert reason("", "AssertionError: 1 != 2") is None
        assert reason(each.seen, "KeyError AssertionError") == each.name
        assert each.why
    assert reason("reset a task", "TypeError: no") is None


def test_a_folder_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        library_tests.main(["--tests", str(tmp_path / "none")])
    assert "there is no folder" in capsys.readouterr().err


def test_the_command_prints_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "OneTest.py").write_text("import unittest\nclass A(unittest.TestCase):\n    def testB(self): ...\n")
    library_tests.main(["--tests", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert {each["name"]: each["value"] for each in found["figures"]}["library_tests.passed"] == 1
    assert found["failed"] == []
