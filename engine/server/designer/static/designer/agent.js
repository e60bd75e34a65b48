// The agent of an activity: who does it, and as what.

import { h } from './dom.js';
import { agent } from './governance.js';
import { t } from './words.js';

const LABELS = {
  prompt: ['Prompt', "What the agent is asked to do, instead of the activity's documentation."],
  outputs: ['Outputs', 'What it has to answer with: name: type, separated by commas or lines; or a JSON schema.'],
  tools: ['Tools', 'Names of tools that it may use, separated by commas.'],
  model: ['Model', 'Another model than the run has.'],
  maxTurns: ['Model calls', 'How many model calls it may make.'],
  maxTokens: ['Tokens an answer', 'How long an answer may be.'],
};
const LONG = new Set(['prompt', 'outputs']);

// The form for activities that an agent may do. `onRefresh` takes what brings it up to date.
export function agentForm(targets, context, onRefresh) {
  const has = h('input', { type: 'checkbox', id: 'agent' });
  has.addEventListener('change', () => context.governing.setAgent(targets, has.checked ? {} : null));
  const names = [...new Set([...Object.keys(LABELS).filter((name) => context.agentFields.includes(name)), ...context.agentFields])];
  const fields = h('div', { class: 'agent-fields' }, names.map((name) => row(name, targets, context, onRefresh)));
  onRefresh(() => {
    const said = targets.map(({ bo }) => agent(bo));
    has.checked = said.every(Boolean);
    has.indeterminate = !has.checked && said.some(Boolean);
    fields.hidden = !said.some(Boolean);
  });
  return h('section', { class: 'agent' }, h('label', { class: 'switch', for: 'agent' }, has, ' ', t('An agent does it')), fields);
}

function row(name, targets, context, onRefresh) {
  const [label, about] = LABELS[name] ?? [name, ''];
  const id = `agent-${name}`;
  const input = LONG.has(name) ? h('textarea', { id, rows: 3, spellcheck: 'false' }) : h('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('change', () => {
    const able = targets.filter(({ bo }) => agent(bo));
    context.governing.setAgent(able, { [name]: input.value.trim() });
  });
  onRefresh(() => {
    const texts = new Set(targets.map(({ bo }) => agent(bo)).filter(Boolean).map((said) => said[name] ?? ''));
    if (document.activeElement !== input) input.value = texts.size === 1 ? [...texts][0] : '';
    input.placeholder = texts.size > 1 ? t('several values') : '';
  });
  return h('div', { class: 'dimension' }, h('div', { class: 'label' }, h('label', { for: id, title: t(about) }, t(label))), input, h('p', { class: 'holds' }, t(about)));
}
