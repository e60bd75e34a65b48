// Reads one JSON request from standard input, writes what the vendors' tools make of it.
import { readFileSync } from 'node:fs';
import { BpmnModdle } from 'bpmn-moddle';
import { validateAll, validateAllZeebe } from '@bpmn-io/element-templates-validator';

const request = JSON.parse(readFileSync(0, 'utf-8'));
const answer = {};

if (request.camunda7) answer.camunda7 = told(validateAll(request.camunda7));
if (request.camunda8) answer.camunda8 = told(validateAllZeebe(request.camunda8));
if (request.xml) {
  // With the descriptor, as bpmn-js has it, and written out again.
  const moddle = new BpmnModdle(request.moddle ? { gov: request.moddle } : {});
  const { rootElement, warnings } = await moddle.fromXML(request.xml);
  const { xml } = await moddle.toXML(rootElement, { format: true });
  answer.xml = xml;
  answer.warnings = warnings.map(warning => warning.message);
}

process.stdout.write(JSON.stringify(answer));

function told(found) {
  return found.results.flatMap(result => (result.errors ?? []).map(error => error.message));
}
