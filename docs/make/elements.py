"""The page about the elements of BPMN that are run, made of the engine's own lists."""

from __future__ import annotations

import sys
from typing import Final, get_args

from bpmn.check.supported import BEHAVIORS, ELEMENTS, EVENT_SUB_PROCESS_STARTS, EVENTS
from bpmn.definition import ResultMapping
from bpmn.policies.fields import OTHER_ATTRIBUTES
from bpmn.reader.decisions import DECISION_KINDS
from bpmn.reader.decisions import DIALECTS as ASKING
from bpmn.reader.jobs import DIALECTS, JOB_KINDS
from bpmn.reader.kinds import FLOW_NODES
from bpmn.reader.vendors import FAMILY
from bpmn.rewrite.run import PASSES
from docs.make.markdown import code, codes, page, sentence, table

_DONE_BY: Final = {
    "task": "a model with `gov:agent`, a handler with `gov:jobType`; without either it does nothing",
    "userTask": "a person: a task in the inbox, its form made of the data outputs",
    "manualTask": "a person, in the same way",
    "scriptTask": "[a script](expressions.md)",
    "serviceTask": "a handler by its job type, or a model with `gov:agent`",
    "sendTask": "throws its message; without one as a service task",
    "businessRuleTask": "a [decision](../howto/decisions.md), a handler or a model",
    "receiveTask": "waits for its message",
    "callActivity": "another process of the file, in a variable scope of its own: its data inputs go in and its data "
    "outputs come out, or those that the called process declares; without declared inputs everything goes in",
    "subProcess": "what it holds",
    "transaction": "a sub-process that can be cancelled: what goes on in it stops, what has finished is undone, and "
    "its cancel boundary event goes on from there",
    "parallelGateway": "splits and joins all (D2, D3)",
    "exclusiveGateway": "takes the first flow whose condition holds, else the default",
    "adHocSubProcess": "what nothing in it leads to, each once: at once (D2, D3), or with `ordering=\"Sequential\"` "
    "one after the other; its completion condition ends it, and all done without it being true is an incident",
    "inclusiveGateway": "takes every flow whose condition holds, else the default; a join waits for every token that "
    "can still reach it",
    "complexGateway": "joins when its `activationCondition` holds, which may ask for `activationCount`, the number of "
    "flows that have a token; what comes after that, until every flow has had its token, ends there. Splits as an "
    "inclusive gateway does",
    "eventBasedGateway": "waits for the first of its events; with `instantiate` it begins a process, then with "
    "`eventGatewayType=\"Parallel\"` all of them are waited for",
    "startEvent": "begins a process or sub-process",
    "endEvent": "ends a branch",
    "boundaryEvent": "interrupts its activity, or with `cancelActivity=\"false\"` opens a branch beside it",
    "intermediateCatchEvent": "waits",
    "intermediateThrowEvent": "throws, and goes on",
}


_EVENTS: Final = (
    "An event with several definitions is `multiple`: it catches any of them, or with `parallelMultiple` all, and "
    "throws all. A sub-process starts with `none` only; an event sub-process (`triggeredByEvent`) with "
    f"{codes(EVENT_SUB_PROCESS_STARTS)}. It listens as long as the scope around it is open. With "
    "`isInterrupting` it takes the place of all that goes on there, else it is a branch beside it (D2) that is "
    "merged when the scope ends (D3). A condition is looked at when its event begins to wait and when a variable "
    "it reads was written, and fires when it becomes true. What does not interrupt waits again for the next "
    "message, signal, escalation, condition or tick. A timer's text is ISO 8601, or for a cycle cron's: five fields as "
    "in Unix, or six and seven with seconds first, where days of the week count from Sunday as 1, as in Quartz, unless "
    "the file is one of Camunda 8's, and days of the month may count from its end (`L`, `LW`, `L-3`, `L-3W`); a tick "
    "that is missed is not made up for."
)
_BETWEEN: Final = (
    "## Messages and signals\n\n"
    "A message goes to one receiver: the element that a message flow leads to, else whoever waits for its name, "
    "inside the instance first, then in others of the same database; of several, the one that has waited longest. A "
    "name that is an expression is computed by who sends and by who waits, as that begins, and so is a signal's, and "
    "the code of an error or escalation by who throws it; what starts a process has none to compute. A process of "
    "the file whose start event, or receive task with `instantiate`, the message fits is started with "
    "it. Where nobody waits yet, it is kept for seven days, or as long as `gov:timeToLive` on the message says; one "
    "from outside for as long as the sender asks, else it is refused. A message carries the data inputs of what "
    "throws it, or what its input mappings set, or what `spiffworkflow:messagePayload` computes (whoever receives "
    "it has it in `spiffworkflow:messageVariable`). With a correlation key (`gov:correlationKey` on the message, or "
    "`zeebe:subscription`), an expression over the variables of who sends and who waits, both must give the same. "
    "So must those of BPMN's own correlation properties: a `messagePath` is about what is sent and the variables of "
    "who sends it, and about those of who waits, unless a `correlationSubscription` of the process has a `dataPath` "
    "for it; who has no such variables yet waits for any, and from then on for the like of what came. A signal goes "
    "to all that wait for it at that moment, in all instances, and starts the processes of the file that begin with "
    "it. What is on its way is stored with the step that threw it and taken out with the step that received it: "
    "nothing is lost and nothing comes twice."
)
_COMPENSATION: Final = (
    "## Compensation\n\n"
    "A compensation event undoes what has finished in its scope, or the one activity that `activityRef` names: "
    "the activities for compensation (`isForCompensation`) that an association links to compensation boundary "
    "events run in reverse order of what they undo, each once, on the context of whoever throws, which waits "
    "for them, or with `waitForCompletion=\"false\"` goes on beside them (D2). Instances and rounds of an "
    "activity are undone one by one, with their items. A sub-process without such an event is undone from "
    "inside, by its compensation event sub-process if it has one. Thrown in an event sub-process, compensation "
    "is about the scope around it."
)
_LOOPS: Final = (
    "## Loops\n\nStandard loops, and multi-instance activities, sequential and parallel (D2 for each instance, D3 "
    "at the end, results collected in the order of the instances). Their `behavior` is "
    f"{codes(BEHAVIORS)}: what they throw as instances finish goes to a boundary event of theirs, "
    "beside the instances that go on; only `Complex` "
    "with an interrupting boundary event cancels what is left, and completes the activity. Conditions may ask for "
    "`loopCounter`, `numberOfInstances`, `numberOfActiveInstances`, `numberOfCompletedInstances` (`nrOf...` too). "
    "`loopCounter` is a variable of each round and instance, too, where a text of the activity names it: 0, 1, 2, and "
    "in Camunda 8's form 1, 2, 3. An `outputElement` may be any expression over an instance's variables."
    "\n\n`completionQuantity` tokens leave an activity for each that came; it begins once `startQuantity` have "
    "come, which are merged (D3)."
)
_FOR_PEOPLE: Final = [f"gov:{name}" for name, kinds in OTHER_ATTRIBUTES.items() if "userTask" in kinds]


_DIALECTS: Final = (
    f"## Job types\n\nOf {codes(sorted(JOB_KINDS))}. Read from {codes(DIALECTS)}; what is written `camunda:` here "
    f"may be {codes(each for each in FAMILY.values() if each != 'camunda')} too. `${{bean}}` is the job type `bean`, "
    "`${bean.method(x)}` is `bean.method`; an expression over variables, with a result variable, is computed.",
    "## Inputs and outputs under other names\n\n"
    "Read from `camunda:inputOutput` (text, expressions, scripts, lists and maps of texts), `camunda:field`, "
    "`zeebe:ioMapping`, the parameters of `spiffworkflow:serviceTaskOperator`, and of call activities `camunda:in` "
    "and `camunda:out`, and what `propagateAllChildVariables`, `propagateAllParentVariables` and `inheritVariables` "
    "say of all variables. What an input sets is the activity's own; a sub-process's is seen by all in it, also by "
    "its event sub-processes, and in a multi-instance one by each instance alone. With outputs, nothing else comes "
    "out of a task; out of a sub-process comes what is written in it, but for its own. A result variable gets all "
    "of the result, or its only part if that is called `result`. Of an event that waits, and of a receive task, "
    "outputs are made of what came; what goes into a message that is thrown is what it carries. Inputs of start and "
    "boundary events, and of what an event-based gateway leads to, are not followed, and told.\n\n"
    "Data associations are mappings, too: with a `transformation`, or with `assignment`s, `from` an expression `to` "
    "data by its name or id or a place inside it (`order.total`); without either the source goes by the target's name.",
    "## Listeners\n\n"
    "Execution listeners and task listeners of Camunda 7 (Operaton, CIB seven), Flowable and Activiti, both kinds "
    "of Camunda 8, and SpiffArena's `preScript` and `postScript` are run as activities of their own, called "
    "`ELEMENT_EVENT`: scripts as script tasks, classes, delegates, calls and job types by their handlers; "
    "`${execution.setVariable('x', ...)}` sets `x`. `start`, `create` and `creating` come before an activity, "
    "`complete`, `completing` and `end` after it, `take` on its flow; for every instance of a multi-instance "
    "activity, inside its boundary events, and not where it is interrupted. Of a gateway that joins they are told "
    "once, as it goes on; `end` of an exclusive gateway comes behind the choice. Of a process `start` comes "
    "behind its start event, `end` once its last token has ended, unless it begins in several ways: then only in front "
    "of its end events, if only one token can reach them. They see the "
    "inputs that a task's mappings set. All else (`assignment`, `delete`, `timeout` and the like, scripts in "
    "files, what stands between an event-based gateway and its events) is refused by its name.",
    "## Dialects\n\n"
    "Also read: the collection and item of multi-instance activities (`camunda:collection`, "
    "`camunda:elementVariable`, `zeebe:loopCharacteristics`), who does a task and until when (`camunda:assignee`, "
    "`zeebe:assignmentDefinition` and their like, expressions too; else BPMN's own `performer`, `humanPerformer` and "
    "`potentialOwner`, as `user(ann), group(sales)`, or the name of a resource; `camunda:initiator`), the variables "
    "that get what is caught (`camunda:errorCodeVariable`, `camunda:errorMessageVariable`, "
    "`camunda:escalationCodeVariable`, "
    "`flowable:errorVariableName`; of an exception its class and its text), the fields of its form "
    "(`camunda:formData`, `flowable:formProperty`; Camunda forms inside the file or, as `.form` files, beside it; "
    "the JSON Schema that SpiffArena's `formJsonSchemaFilename` names; a form key that is another program's is "
    "told), `zeebe:calledElement`, `zeebe:script`, and the result variable of a script. What else a dialect says "
    "is told by `governor check`.",
)


def write() -> str:
    kinds = sorted(ELEMENTS, key=list(_DONE_BY).index)
    others = sorted(FLOW_NODES - ELEMENTS)
    return page(
        "Elements of BPMN",
        f"Run are the elements below. Everything else is refused by its name when the file is checked, never skipped: "
        f"{codes(others)} and the events that the last table does not name.",
        table(["element", "does"], [[code(kind), _DONE_BY[kind]] for kind in kinds]),
        "## Events",
        table(["event", "definitions"], [[code(kind), codes(found)] for kind, found in EVENTS.items()]),
        _EVENTS,
        _BETWEEN,
        _COMPENSATION,
        _LOOPS,
        *_DIALECTS,
        f"## Decisions\n\nOf {codes(sorted(DECISION_KINDS))}. Read from {codes(ASKING)}. The result of a decision "
        "without a variable of its own goes to variables called as its outputs are; in Camunda 7 and Operaton to "
        f"`decisionResult`. `mapDecisionResult` is {codes(get_args(ResultMapping))}.",
        f"## People\n\nUser and manual tasks may have {codes(_FOR_PEOPLE)}; without, a task is for its lane. The inbox "
        "tells all of them. A task that names people is done by its assignee, its candidate users, and who has the "
        "role of a candidate group. A lane is a hint, and lets anybody do it. Who may answer interventions is a matter "
        "of [policy](policy.md#approval), and held to.",
        "## Rewritten\n\nWhat people draw and what is run in its place; ids stay, and `governor check` tells each:\n\n"
        + "\n".join(f"- {sentence(sys.modules[each.__module__].__doc__ or '')}" for each in PASSES),
    )
