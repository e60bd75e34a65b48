"""Draws unstructured graphs as BPMN."""

from __future__ import annotations

from tests.bpmn.files import flow, policy
from tests.engine.models import boundary, catch, end, gateway, handler, model, script, start, sub, throw, user
from tests.engine.models import signal as signal_event
from tests.engine.random.graphs import SIGNALS, Graph, Node

_GATES = {"xor": "exclusive", "and": "parallel", "or": "inclusive"}


def draw(graph: Graph) -> bytes:
    signals = "".join(f'<signal id="{name}" name="{name}"/>' for name in SIGNALS)
    rule = policy('<gov:policy workingThreshold="60000"><gov:branchStrategy merge="LAST_WRITE"/></gov:policy>')
    return model(rule, start("s"), _scope(graph, "s"), beside=signals)


def _scope(graph: Graph, begin: str) -> str:
    parts = [flow(f"f_{begin}", begin, graph.first)]
    for node in graph.nodes.values():
        parts.append(_node(node))
        for number, out in enumerate(node.outs):
            parts.append(flow(f"f_{node.id}_{number}", node.id, out, _condition(node, number)))
        for each in node.boundaries:
            parts.append(boundary(each.id, node.id, signal_event(each.signal), interrupting=each.interrupting))
            parts.append(flow(f"f_{each.id}", each.id, each.out))
    for each in graph.handlers:
        inner = _scope(each.body, f"{each.id}_s")
        parts.append(handler(each.id, signal_event(each.signal), inner, interrupting=each.interrupting))
    return "".join(parts)


def _condition(node: Node, number: int) -> str | None:
    if node.kind not in ("xor", "or", "complex") or len(node.outs) < 2:
        return None
    return "1 == 1" if number in node.taken else "1 == 2"


def _node(node: Node) -> str:
    match node.kind:
        case "user":
            return _quantities(user(node.id), node)
        case "task":
            return _quantities(script(node.id, "pass"), node)
        case "end":
            return end(node.id)
        case "terminate":
            return end(node.id, "<terminateEventDefinition/>")
        case "throw":
            return throw(node.id, signal_event(node.signal))
        case "catch":
            return catch(node.id, signal_event(node.signal))
        case "complex":
            condition = f"<activationCondition>activationCount &gt;= {node.needed}</activationCondition>"
            return f'<complexGateway id="{node.id}">{condition}</complexGateway>'
        case "sub":
            assert node.body is not None
            return sub(node.id, start(f"{node.id}_s"), _scope(node.body, f"{node.id}_s"))
    return gateway(node.id, _GATES[node.kind])


def _quantities(task: str, node: Node) -> str:
    attributes = f'startQuantity="{node.start_quantity}" completionQuantity="{node.completion_quantity}"'
    return task.replace(" id=", f" {attributes} id=", 1)
