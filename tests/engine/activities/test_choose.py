"""Who does which activity, and what a file needs before it can run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bpmn.definition import Definition, Element, Scope
from bpmn.load import load
from engine.activities.agent import AgentHandler
from engine.activities.choose import ActivityHandlers, activity_handlers
from engine.activities.errors import BadHandlers, MissingHandler, Undone
from engine.activities.registry import HandlerRegistry
from engine.activities.service import ServiceHandlerCall
from engine.activities.simulate import simulate
from engine.models.choose import Models
from engine.models.errors import BadRecording, UnknownModel
from engine.prompts.assembler import PromptAssembler
from engine.prompts.errors import BadTemplate
from tests.bpmn.files import chain, flow
from tests.engine.activities.works import a_run, an_element

AGENT = "<extensionElements><gov:agent{}/></extensionElements>"


def some(*, simulated: bool = False, model: str = "offline", **handlers: object) -> ActivityHandlers:
    registry = HandlerRegistry({name.replace("_", "-"): lambda job: None for name in handlers}, dict)
    models = Models(model)
    return ActivityHandlers(registry, AgentHandler(models, PromptAssembler()), models, simulated=simulated)


def service(job_type: str | None, id: str = "mail") -> Element:
    return replace(an_element(id), agent=None, job_type=job_type)


def definition(*elements: str) -> Definition:
    loaded = load(chain(*elements), file="a.bpmn")
    assert not loaded.errors
    return loaded.definition


def test_an_agents_activity_goes_to_the_model() -> None:
    assert isinstance(some().handler_for(an_element()), AgentHandler)


def test_so_does_the_job_type_agent() -> None:
    assert isinstance(some().handler_for(service("agent")), AgentHandler)


def test_a_job_type_goes_to_its_handler() -> None:
    assert isinstance(some(send_mail=1).handler_for(service("send-mail")), ServiceHandlerCall)


def test_in_a_simulation_nobody_does_anything() -> None:
    handlers = some(simulated=True)
    for element in (an_element(), service("absent"), an_element(kind="userTask")):
        assert handlers.handler_for(element) is simulate


def test_a_missing_handler_is_told_with_what_is_registered_and_the_nearest() -> None:
    with pytest.raises(MissingHandler) as error:
        some(send_mail=1, send_letter=1).handler_for(service("sendmail"))
    assert str(error.value) == (
        "mail: no handler is registered for the job type sendmail; did you mean send-mail?\n"
        "registered job types: send-letter, send-mail"
    )


def test_an_activity_that_names_nobody_is_told() -> None:
    with pytest.raises(MissingHandler, match=r"^mail: the serviceTask has neither a job type nor an agent\nregistered"):
        some().handler_for(service(None))


NEEDY = [
    '<serviceTask id="a" gov:jobType="send-mial"/>',
    '<serviceTask id="b"/>',
    f'<serviceTask id="c">{AGENT.format("")}</serviceTask>',
    '<sendTask id="d" gov:jobType="fax"/>',
    '<businessRuleTask id="f"/>',
    '<task id="g"/>',
    '<userTask id="h"/>',
    '<task id="i" gov:jobType="send-mail"/>',
    '<scriptTask id="j" scriptFormat="python"><script>x = 1</script></scriptTask>',
]


def test_all_that_is_missing_is_found_before_the_first_run() -> None:
    found = some(send_mail=1).missing(definition(*NEEDY))
    assert [(undone.element, undone.kind, undone.job_type, undone.near) for undone in found] == [
        ("a", "serviceTask", "send-mial", "send-mail"),
        ("b", "serviceTask", None, None),
        ("d", "sendTask", "fax", None),
        ("f", "businessRuleTask", None, None),
    ]


def test_it_is_told_with_file_and_line() -> None:
    with pytest.raises(MissingHandler) as error:
        some(send_mail=1).require(definition(*NEEDY[:2]))
    assert str(error.value) == (
        "a.bpmn:4: a: no handler is registered for the job type send-mial; did you mean send-mail?\n"
        "a.bpmn:5: b: the serviceTask has neither a job type nor an agent\n"
        "registered job types: send-mail"
    )


def test_nothing_is_missing_in_a_simulation() -> None:
    some(simulated=True).require(definition(*NEEDY))


def test_inside_sub_processes_too() -> None:
    task = '<serviceTask id="in" gov:jobType="x"/>'
    flows = flow("i1", "is", "in") + flow("i2", "in", "ie")
    inner = f'<subProcess id="sub"><startEvent id="is"/>{task}<endEvent id="ie"/>{flows}</subProcess>'
    assert [undone.element for undone in some().missing(definition(inner))] == ["in"]


def test_a_process_that_no_run_enters_needs_nobody() -> None:
    found = definition('<serviceTask id="a" gov:jobType="x"/>')
    main = found.processes["p"]
    processes = {"other": replace(main, id="other"), "p": replace(main, scope=Scope())}
    assert some().missing(replace(found, processes=processes)) == []


def test_a_message_is_sent_by_the_interpreter() -> None:
    content = '<sendTask id="a" messageRef="m"/>'
    loaded = load(chain(content, beside="").replace(b"</definitions>", b'<message id="m" name="M"/></definitions>'))
    assert some().missing(loaded.definition) == []


def test_an_unknown_model_is_found_before_the_first_run() -> None:
    asks = f'<serviceTask id="c">{AGENT.format(chr(32) + "model=" + chr(34) + "gpt-9" + chr(34))}</serviceTask>'
    with pytest.raises(UnknownModel, match=r"^c: there is no model 'gpt-9'; allowed: offline, replay:FILE"):
        some().require(definition(asks))


def test_a_default_model_that_is_not_there_matters_to_agents_only() -> None:
    handlers = some(model="replay:absent.yaml", send_mail=1)
    handlers.require(definition('<task id="i" gov:jobType="send-mail"/>'))
    with pytest.raises(BadRecording):
        handlers.require(definition(NEEDY[2]))


def test_a_host_sets_up_everything_at_once(tmp_path: Path) -> None:
    (tmp_path / "jobs.py").write_text("HANDLERS = {'send-mail': lambda job: {'sent': True}}")
    (tmp_path / "turns.yaml").write_text("turns: [{activity: triage, answer: {text: Fine.}}]")
    handlers = activity_handlers(model="replay:turns.yaml", modules=["jobs.py"], folder=tmp_path)
    assert handlers.handler_for(service("send-mail"))(a_run().work).outputs == {"sent": True}
    assert handlers.handler_for(an_element())(a_run().work).outputs == {"triage": "Fine."}


def test_a_bad_module_or_template_is_found_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadHandlers):
        activity_handlers(modules=["absent.py"])
    (tmp_path / "task.j2").write_text("{{ nobody }}")
    with pytest.raises(BadTemplate):
        activity_handlers(templates=tmp_path)


def test_a_simulation_needs_no_modules() -> None:
    assert activity_handlers(modules=["absent.py"], simulated=True).handler_for(an_element()) is simulate


def test_what_is_undone_reads_well() -> None:
    assert str(Undone("a", "serviceTask", "fax")) == "a: no handler is registered for the job type fax"
