// One control per kind of field. Each has an element, and set(text, mixed, inherited); commit(text) writes.

import { h, replace } from './dom.js';
import { approval, requirements, strategies } from './texts.js';
import { t } from './words.js';

export function control(field, id, commit, context) {
  const made = { knowledgeRequirements: knowledge, 'branchStrategy.keys': merges, approval: approvals }[field.name];
  if (made) return made(field, id, commit, context);
  return field.values.length ? choice(field, id, commit) : line(field, id, commit);
}

function line(field, id, commit) {
  const input = h('input', { id, type: 'text', inputmode: field.is_number ? 'numeric' : null, autocomplete: 'off', spellcheck: 'false' });
  input.addEventListener('change', () => complain(input, field.is_number && !/^([1-9]\d*)?$/.test(input.value.trim()) ? t('a whole number from 1') : commit(input.value.trim())));
  return {
    element: input,
    set(text, mixed, inherited) {
      if (document.activeElement !== input || input.value === '') input.value = text;
      complain(input, null);
      input.placeholder = mixed ? t('several values') : inherited || '';
    },
  };
}

function choice(field, id, commit) {
  const select = h('select', { id }, h('option', { value: '' }), field.values.map((value) => h('option', { value }, value)));
  select.addEventListener('change', () => commit(select.value));
  return {
    element: select,
    set(text, mixed, inherited) {
      const unknown = text && !field.values.includes(text);
      select.querySelectorAll('option.unknown').forEach((option) => option.remove());
      if (unknown) select.append(h('option', { value: text, class: 'unknown' }, text));
      select.options[0].textContent = mixed ? t('several values') : inherited ? t('inherited: {value}', { value: inherited }) : t('inherited');
      select.value = text;
    },
  };
}

// Says beside a control what is wrong with its text.
function complain(input, message) {
  input.setCustomValidity(message ?? '');
  input.toggleAttribute('aria-invalid', Boolean(message));
  const told = input.parentElement?.querySelector(':scope > .wrong');
  if (told) told.remove();
  if (message) input.after(h('span', { class: 'wrong', role: 'alert' }, message));
}

// Rows of inputs that are one value together.
function table(id, { empty, columns, toText, toRows, add }) {
  return (field, _, commit, context) => {
    const list = h('div', { class: 'rows' });
    const button = h('button', { type: 'button', class: 'add' }, t(add));
    const element = h('div', { class: 'many', role: 'group', 'aria-labelledby': `${id}-label` }, list, button);
    let rows = [];
    // A row that is not complete yet says nothing.
    const said = (all) => toText(all.filter((row) => columns.every(({ name, required }) => !required || row[name])));
    const send = () => commit(said(rows));
    const draw = () => replace(list, rows.map((row, index) => h('div', { class: 'many-row' }, columns.map((column) => cell(column, row, send, context, index)), h('button', { type: 'button', class: 'remove', 'aria-label': t('Remove row {number}', { number: index + 1 }), onclick: () => { rows.splice(index, 1); draw(); send(); } }, '×'))));
    button.addEventListener('click', () => {
      rows.push({ ...empty });
      draw();
      list.lastElementChild.querySelector('input').focus();
    });
    return {
      element,
      isGroup: true,
      set(text) {
        if (said(rows) === text) return;
        try {
          rows = text ? toRows(text) : [];
        } catch {
          rows = [];
        }
        draw();
      },
    };
  };
}

function cell({ name, label, options, narrow, placeholder }, row, send, context, index) {
  const choices = options?.(context);
  const said = { 'aria-label': `${t(label)} ${index + 1}`, class: narrow ? 'narrow' : 'wide', value: row[name] ?? '', onchange: (event) => { row[name] = event.target.value.trim(); send(); } };
  if (!choices) return h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: t(placeholder ?? label), ...said });
  const select = h('select', said, h('option', { value: '' }, t(label)), choices.map((value) => h('option', { value }, value)));
  select.value = row[name] ?? '';
  return select;
}

const knowledge = (field, id, commit, context) => table(id, {
  add: 'Add what is looked for',
  empty: { type: '', query: '' },
  columns: [
    { name: 'type', label: 'Type', required: true },
    { name: 'count', label: 'Count', narrow: true, placeholder: '3' },
    { name: 'minConfidence', label: 'At least', narrow: true, placeholder: '0.5' },
    { name: 'query', label: 'Query' },
  ],
  toText: (rows) => requirements.print(rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value)))),
  toRows: (text) => requirements.parse(text).map((row) => ({ ...row })),
})(field, id, commit, context);

const merges = (field, id, commit, context) => table(id, {
  add: 'Add a key',
  empty: { key: '', strategy: '' },
  columns: [{ name: 'key', label: 'Key', required: true }, { name: 'strategy', label: 'Strategy', required: true, options: ({ merges: all }) => all }],
  toText: (rows) => strategies.print(rows.map((row) => [row.key, row.strategy])),
  toRows: (text) => strategies.parse(text).map(([key, strategy]) => ({ key, strategy })),
})(field, id, commit, context);

const APPROVAL = [
  { name: 'roles', label: 'Roles that may answer' },
  { name: 'fourEyes', label: 'Not who started it', options: () => ['true', 'false'] },
  { name: 'due', label: 'Due after', placeholder: 'PT4H' },
  { name: 'default', label: 'If nobody answers', options: ({ defaults }) => defaults },
  { name: 'escalateTo', label: 'Then ask' },
];

function approvals(field, id, commit, context) {
  let said = {};
  const inputs = APPROVAL.map((part, index) => ({ part, input: cell(part, said, () => {}, context, '') }));
  const element = h('div', { class: 'form', role: 'group', 'aria-labelledby': `${id}-label` }, inputs.map(({ part, input }, index) => {
    input.id = `${id}-${part.name}`;
    input.removeAttribute('aria-label');
    input.addEventListener('change', () => {
      said = { ...said, [part.name]: input.value.trim() };
      commit(approval.print(Object.fromEntries(Object.entries(said).filter(([, value]) => value))));
    });
    if (input.tagName === 'SELECT') input.options[0].textContent = '';
    else input.placeholder = part.placeholder ?? '';
    return h('label', {}, h('span', {}, t(part.label)), input);
  }));
  return {
    element,
    isGroup: true,
    set(text) {
      try {
        said = text ? approval.parse(text) : {};
      } catch {
        said = {};
      }
      for (const { part, input } of inputs) if (document.activeElement !== input) input.value = said[part.name] ?? '';
    },
  };
}
