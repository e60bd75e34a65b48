"""Processes, handlers and answers for tests of the command."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

_HEAD = """<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:gov="urn:bpmn-governor:governance:1.0" targetNamespace="t" id="defs">
<itemDefinition id="bool" structureRef="xsd:boolean"/><itemDefinition id="int" structureRef="xsd:int"/>
"""

STEPS = (
    _HEAD
    + """<process id="steps" name="Three steps" isExecutable="true"><startEvent id="s"/>
<scriptTask id="a" name="First"><script>x = 1</script></scriptTask>
<scriptTask id="b" name="Second"><script>y = x + 1</script></scriptTask>
<endEvent id="e"/>
<sequenceFlow id="f0" sourceRef="s" targetRef="a"/><sequenceFlow id="f1" sourceRef="a" targetRef="b"/>
<sequenceFlow id="f2" sourceRef="b" targetRef="e"/></process></definitions>"""
)
"""Runs through without anybody."""

OUTAGE = (
    _HEAD
    + """<process id="review" name="Outage review" isExecutable="true">
<extensionElements><gov:policy workingThreshold="900" retainKeys="severity"/></extensionElements>
<startEvent id="s"/>
<serviceTask id="collect" name="Collect logs" gov:jobType="collect"/>
<parallelGateway id="fork" name="Investigate"/>
<serviceTask id="logs" name="Read logs" gov:jobType="logs"/>
<serviceTask id="deploys" name="Check deploys" gov:jobType="deploys"/>
<parallelGateway id="join" name="Findings together"/>
<userTask id="approve" name="Approve the fix">
  <documentation>Shall the fix go out now?</documentation>
  <ioSpecification>
    <dataInput id="i1" name="cause"/>
    <dataOutput id="o1" name="approved" itemSubjectRef="bool"/>
    <dataOutput id="o2" name="minutes" itemSubjectRef="int"/>
    <inputSet><dataInputRefs>i1</dataInputRefs></inputSet>
    <outputSet><dataOutputRefs>o1</dataOutputRefs><optionalOutputRefs>o2</optionalOutputRefs></outputSet>
  </ioSpecification>
</userTask>
<exclusiveGateway id="ok" name="Approved?" default="no"/>
<serviceTask id="fix" name="Apply fix" gov:jobType="fix"/>
<endEvent id="e"/><endEvent id="e2"/>
<sequenceFlow id="f0" sourceRef="s" targetRef="collect"/>
<sequenceFlow id="f1" sourceRef="collect" targetRef="fork"/>
<sequenceFlow id="f2" sourceRef="fork" targetRef="logs"/>
<sequenceFlow id="f3" sourceRef="fork" targetRef="deploys"/>
<sequenceFlow id="f4" sourceRef="logs" targetRef="join"/>
<sequenceFlow id="f5" sourceRef="deploys" targetRef="join"/>
<sequenceFlow id="f6" sourceRef="join" targetRef="approve"/>
<sequenceFlow id="f7" sourceRef="approve" targetRef="ok"/>
<sequenceFlow id="f8" sourceRef="ok" targetRef="fix"><conditionExpression>approved</conditionExpression></sequenceFlow>
<sequenceFlow id="no" sourceRef="ok" targetRef="e2"/>
<sequenceFlow id="f9" sourceRef="fix" targetRef="e"/>
</process></definitions>"""
)
"""Compresses, splits, conflicts about `severity` (a person decides) and `cause` (a rule does), asks for approval."""

OUTAGE_HANDLERS = """
LOG = "\\n".join(f"00:{i:02d} node-{i} error E{i * 37} timeout while calling the billing service" for i in range(30))
HANDLERS = {
    "collect": lambda job: {"log": LOG, "severity": "unknown"},
    "logs": lambda job: {"cause": "the billing service times out", "severity": "high"},
    "deploys": lambda job: {"cause": "a bad deploy of the billing service", "severity": "medium"},
    "fix": lambda job: {"fixed": True},
}
"""

OUTAGE_ANSWERS = """
- element: join
  decision: resolve
  values: {severity: {take: logs}}
  reason: the logs are conclusive
  by: lea
- element: approve
  outputs: {approved: true}
  by: maria
"""


def service(job_type: str, name: str = "Work") -> str:
    """A process with one service task."""
    return _HEAD + (
        f'<process id="p" name="One service" isExecutable="true"><startEvent id="s"/>'
        f'<serviceTask id="work" name="{name}" gov:jobType="{job_type}"/><endEvent id="e"/>'
        '<sequenceFlow id="f0" sourceRef="s" targetRef="work"/><sequenceFlow id="f1" sourceRef="work" targetRef="e"/>'
        "</process></definitions>"
    )


class Folder:
    """Files of one test, and the database beside them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.db = str(path / "governor.db")

    def put(self, name: str, content: str) -> str:
        """The path of a new file."""
        file = self.path / name
        file.write_text(dedent(content), encoding="utf-8")
        return str(file)

    def outage(self) -> list[str]:
        """Arguments that run the outage review on the folder's database."""
        process, handlers = self.put("outage.bpmn", OUTAGE), self.put("handlers.py", OUTAGE_HANDLERS)
        return ["run", process, "--handlers", handlers, "--db", self.db]
