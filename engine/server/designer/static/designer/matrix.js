// The policy matrix: elements by fields, edited like a spreadsheet. A block that is pasted is one step.

import { h, replace } from './dom.js';
import { editor } from './matrix_editor.js';
import { Range } from './matrix_range.js';
import { bearer, kind } from './governing.js';
import { read } from './governance.js';
import { strategies, names, requirements, approval } from './texts.js';
import { called, t } from './words.js';

const GATEWAYS = new Set(['parallelGateway', 'inclusiveGateway', 'complexGateway']);
const NO_ROW = /(Event|Gateway|Flow)$/;
const GRAMMARS = { retainKeys: names, 'branchStrategy.keys': strategies, knowledgeRequirements: requirements, approval };
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Matrix {
  constructor(root, context) {
    this.root = root;
    this.context = context;
    this.fields = [...context.fields.values()];
    this.rows = [];
    this.cells = [];
    this.range = new Range();
    this.marked = new Set();
    this.said = new WeakMap();
    this.places = new Map();
    root.addEventListener('keydown', (event) => this.key(event));
    root.addEventListener('copy', (event) => this.copy(event));
    root.addEventListener('cut', (event) => this.copy(event) && this.write(this.block(() => '')));
    root.addEventListener('paste', (event) => this.paste(event));
    root.addEventListener('mousedown', (event) => this.point(event));
    root.addEventListener('mouseover', (event) => event.buttons === 1 && this.drag(event));
    root.addEventListener('dblclick', (event) => this.at(event.target) && this.edit());
    root.addEventListener('focusin', (event) => this.focused(event));
  }

  // Rows: processes and lanes first, then activities and the gateways at which branches split and meet, as drawn.
  show() {
    const rows = this.found();
    if (rows.length === this.rows.length && rows.every((row, index) => row.bo === this.rows[index].bo)) return this.refresh();
    this.rows = rows;
    this.range.bound(rows.length, this.fields.length);
    if (!rows.length) return replace(this.root, h('p', { class: 'empty' }, t('There is no activity yet.')));
    const head = h('tr', {}, h('th', { scope: 'col' }, t('Element')), this.fields.map((field) => h('th', { scope: 'col', title: t(field.description) }, t(field.label))));
    this.marked = new Set();
    this.first = null;
    this.cells = rows.map(() => this.fields.map((field) => h('td', { role: 'gridcell', tabindex: '-1', 'data-field': field.name })));
    this.places = new Map(this.cells.flatMap((row, at) => row.map((cell, column) => [cell, [at, column]])));
    const body = rows.map((row, index) => h('tr', { 'data-row': index }, this.rowHead(row), this.cells[index]));
    const help = h('p', { class: 'help' }, t('Arrows move, Shift selects a block, Enter or typing edits, Delete inherits again, Ctrl+C and Ctrl+V take a block from and to a spreadsheet.'));
    this.message = h('p', { class: 'message', role: 'status' });
    replace(this.root, help, this.message, h('div', { class: 'sheet', tabindex: '-1' }, h('table', { role: 'grid', 'aria-label': t('Policies'), 'aria-multiselectable': 'true' }, h('thead', {}, head), h('tbody', {}, body))));
    return this.refresh();
  }

  found() {
    const rows = [];
    const seen = new Set();
    for (const element of this.context.elements()) {
      const bo = bearer(element, this.context.bearers);
      if (!bo || seen.has(bo)) continue;
      const name = kind(bo);
      if (NO_ROW.test(name) && !GATEWAYS.has(name)) continue;
      seen.add(bo);
      rows.push({ element, bo, rank: name === 'process' ? 0 : name === 'lane' ? 1 : 2 });
    }
    return rows.sort((one, other) => one.rank - other.rank);
  }

  rowHead(row) {
    const { element, bo } = row;
    row.go = h('button', { type: 'button', class: 'go', tabindex: '-1', onclick: () => this.context.reveal(element.id) }, bo.name || bo.id);
    return h('th', { scope: 'row' }, row.go, h('small', {}, called(kind(bo))));
  }

  refresh() {
    this.rows.forEach((row, index) => {
      if (row.go.textContent !== (row.bo.name || row.bo.id)) row.go.textContent = row.bo.name || row.bo.id;
      this.fields.forEach((field, column) => this.fill(this.cells[index][column], row.bo, field.name));
    });
    this.mark();
  }

  fill(cell, bo, name) {
    if (cell.firstChild?.classList.contains('editor')) return;
    const own = read(bo, name);
    const held = this.context.sight.holds(bo.id, name);
    const foreign = this.context.sight.foreign(bo.id, name);
    const value = own || held?.value || '';
    const state = own ? 'own' : foreign ? 'foreign' : held?.origin ? 'inherited' : 'default';
    const where = own ? t('written here') : foreign ? t('Written as {form}', { form: foreign }) : held?.origin ? `${t('from')} ${called(held.origin.kind)} ${this.context.nameOf(held.origin.element)}` : t('default');
    const said = `${state}\n${where}\n${value}`;
    if (this.said.get(cell) === said && cell.firstChild) return;
    this.said.set(cell, said);
    const shown = name === 'branchStrategy.keys' ? value.replaceAll(', ', '\n') : value;
    if (!cell.firstChild || cell.textContent !== shown) replace(cell, h('div', { class: 'value' }, shown));
    cell.className = cell.classList.contains('chosen') ? `${state} chosen` : state;
    cell.title = value ? `${value}\n${where}` : where;
    cell.setAttribute('aria-description', where);
  }

  mark() {
    const now = new Set(this.range.cells().map(([row, column]) => this.cells[row][column]));
    for (const cell of this.marked) if (!now.has(cell)) this.choose(cell, false);
    for (const cell of now) if (!this.marked.has(cell)) this.choose(cell, true);
    this.marked = now;
    const first = this.cells[this.range.row]?.[this.range.column];
    if (first === this.first) return;
    if (this.first) this.first.tabIndex = -1;
    first.tabIndex = 0;
    this.first = first;
  }

  choose(cell, chosen) {
    cell.classList.toggle('chosen', chosen);
    cell.setAttribute('aria-selected', chosen);
  }

  at(target) {
    return this.places.get(target.closest?.('td')) ?? null;
  }

  focused(event) {
    const at = this.at(event.target);
    if (!at || event.target.closest('.editor') || this.range.holds(...at)) return;
    this.range.go(...at, false);
    this.mark();
  }

  point(event) {
    const at = this.at(event.target);
    if (!at || event.target.closest('.editor')) return;
    event.preventDefault();
    this.go(...at, event.shiftKey);
  }

  drag(event) {
    const at = this.at(event.target);
    if (at && !this.root.querySelector('.editor')) this.go(...at, true);
  }

  go(row, column, extends_) {
    this.range.go(row, column, extends_);
    this.mark();
    const cell = this.cells[this.range.head[0]][this.range.head[1]];
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  key(event) {
    if (event.target.closest('.editor') || !this.at(event.target)) return;
    const step = STEPS[event.key];
    const [row, column] = this.range.head;
    const meta = event.ctrlKey || event.metaKey;
    if (step) this.go(row + step[0] * (meta ? this.rows.length : 1), column + step[1] * (meta ? this.fields.length : 1), event.shiftKey);
    else if (event.key === 'Home') this.go(meta ? 0 : row, 0, event.shiftKey);
    else if (event.key === 'End') this.go(meta ? this.rows.length : row, this.fields.length, event.shiftKey);
    else if (event.key === 'Enter' || event.key === 'F2') this.edit();
    else if (event.key === 'Delete' || event.key === 'Backspace') this.write(this.block(() => ''));
    else if (meta && event.key.toLowerCase() === 'a') this.all();
    else if (meta && event.key.toLowerCase() === 'd') this.fillDown();
    else if (event.key.length === 1 && !meta && !event.altKey) this.edit(event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  all() {
    this.range.go(0, 0, false);
    this.range.go(this.rows.length, this.fields.length, true);
    this.mark();
  }

  fillDown() {
    const { top } = this.range.box;
    this.write(this.block((row, column) => read(this.rows[top].bo, this.fields[column].name)));
  }

  block(text) {
    return this.range.cells().map(([row, column]) => [row, column, text(row, column)]);
  }

  edit(typed) {
    const { row, column } = this.range;
    const cell = this.cells[row][column];
    const field = this.fields[column];
    editor(cell, field, read(this.rows[row].bo, field.name), typed, (text, step) => {
      if (text !== null) this.write([[row, column, text]]);
      else this.fill(cell, this.rows[row].bo, field.name);
      if (step) this.go(row + step[0], column + step[1], false);
    });
  }

  copy(event) {
    if (event.target.closest?.('.editor') || !this.cells.length) return false;
    const { top, bottom, left, right } = this.range.box;
    const lines = [];
    for (let row = top; row <= bottom; row += 1) {
      const cells = this.fields.slice(left, right + 1).map((field) => quoted(read(this.rows[row].bo, field.name)));
      lines.push(cells.join('\t'));
    }
    event.clipboardData.setData('text/plain', lines.join('\n'));
    event.preventDefault();
    return true;
  }

  // One value fills what is selected; a block goes where the selection begins.
  paste(event) {
    if (event.target.closest?.('.editor')) return;
    event.preventDefault();
    const block = unquoted(event.clipboardData.getData('text/plain').replace(/\r/g, '').replace(/\n$/, ''));
    const { top, left } = this.range.box;
    if (block.length === 1 && block[0].length === 1) return void this.write(this.block(() => block[0][0]));
    const cells = block.flatMap((line, row) => line.map((text, column) => [top + row, left + column, text]));
    this.write(cells.filter(([row, column]) => row < this.rows.length && column < this.fields.length));
    this.range.go(top, left, false);
    this.range.go(top + block.length - 1, left + Math.max(...block.map((line) => line.length)) - 1, true);
    this.mark();
  }

  // What is wrong is left out and told; the rest is one step.
  write(cells) {
    const wrong = [];
    const edits = [];
    for (const [row, column, text] of cells) {
      const field = this.fields[column];
      const { element, bo } = this.rows[row];
      const value = fitting(field, text.trim());
      if (value === null) wrong.push(`${bo.name || bo.id}, ${t(field.label)}: ${text.trim()}`);
      else if (value !== read(bo, field.name) || this.context.sight.foreign(bo.id, field.name)) edits.push({ element, bo, changes: { [field.name]: value } });
    }
    // What is written comes back by the command stack; what is not has to give way to what stands.
    if (edits.length) this.context.governing.set(edits);
    else this.refresh();
    this.message.textContent = wrong.length ? t('Not taken: {cells}', { cells: wrong.slice(0, 4).join('; ') + (wrong.length > 4 ? ' …' : '') }) : '';
  }
}

// The text as a field takes it; null where it does not.
export function fitting(field, text) {
  if (!text) return '';
  if (field.values.length) return field.values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? null;
  if (field.is_number) return /^[1-9]\d*$/.test(text.replace(/[ ,_]/g, '')) ? text.replace(/[ ,_]/g, '') : null;
  try {
    const grammar = GRAMMARS[field.name];
    return grammar ? grammar.print(grammar.parse(text)) : text;
  } catch {
    return null;
  }
}

// A cell of several lines stands in quotes, as spreadsheets copy it.
function quoted(text) {
  return /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function unquoted(text) {
  const block = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=\t|\n|$)|([^\t\n]*))(\t|\n|$)/gy;
  for (;;) {
    const found = cell.exec(text);
    if (!found) break;
    block.at(-1).push(found[1] === undefined ? found[2] : found[1].replaceAll('""', '"'));
    if (found[3] === '') break;
    if (found[3] === '\n') block.push([]);
  }
  return block;
}
