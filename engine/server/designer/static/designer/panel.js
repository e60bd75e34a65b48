// The Governance panel: the policy of what is selected, field by field, and its agent.

import { h, replace } from './dom.js';
import { agentForm } from './agent.js';
import { control } from './controls.js';
import { bearer, kind } from './governing.js';
import { read } from './governance.js';
import { identityForm } from './identity.js';
import { normal } from './texts.js';
import { called, t } from './words.js';

const DIMENSIONS = [
  ['workingThreshold'], ['retainKeys'], ['compressStrategy'], ['interactionLevel'], ['knowledgeRequirements'],
  ['branchStrategy.split', 'branchStrategy.merge', 'branchStrategy.keys'],
];
const TITLES = { 'branchStrategy.split': 'Branches' };

export class Panel {
  constructor(root, context) {
    this.root = root;
    this.context = context;
    this.rows = [];
    this.targets = [];
  }

  // Shows the policy of these elements of the drawing.
  show(elements) {
    this.elements = elements;
    const found = elements.map((element) => this.meant(element, elements.length));
    this.targets = found.filter(({ bo }) => bo);
    this.rows = [];
    if (!this.targets.length) {
      replace(this.root, h('h2', {}, t('Governance')), h('p', { class: 'empty' }, this.empty(elements)), this.legend());
      return;
    }
    replace(this.root, this.head(), this.identity(), this.dimensions(), this.others(), this.agent());
    this.refresh();
  }

  // Where nothing is selected and the drawing has one pool, its process is meant.
  meant(element, count) {
    const bo = bearer(element, this.context.bearers);
    if (bo || count > 1 || element.parent) return { element, bo };
    const pools = (element.children ?? []).filter((child) => child.businessObject?.processRef);
    return pools.length === 1 ? { element: pools[0], bo: bearer(pools[0], this.context.bearers) } : { element, bo };
  }

  // The same elements, after a change or a new answer of the server. What is being typed stays.
  refresh() {
    for (const row of this.rows) row();
  }

  empty(elements) {
    if (elements.some((element) => element.parent)) return t('This element has no policy. Activities, events, gateways, flows, lanes, pools and processes have one.');
    return t('Select an element to see and change what its agent may know and when people are asked.');
  }

  // What the marks on the drawing mean.
  legend() {
    const rows = [
      ['badge plain own', t('policy'), t('has a policy of its own')],
      ['badge own level-DIFF_PREVIEW', t('shows'), t('people are involved from here on: written here')],
      ['badge inherited level-DIFF_PREVIEW', t('shows'), t('the same, inherited')],
      ['badge own level-EXPLICIT_APPROVAL', t('asks'), t('waits for an approval')],
    ];
    return h('ul', { class: 'legend' }, rows.map(([style, text, meaning]) => h('li', {}, h('span', { class: style }, text), ' ', meaning)));
  }

  head() {
    const [first] = this.targets;
    const several = this.targets.length > 1;
    const title = several ? t('{count} elements', { count: this.targets.length }) : first.bo.name || first.bo.id;
    const about = several ? t('An edit changes all of them, as one step.') : `${called(kind(first.bo))} · ${first.bo.id}`;
    const heading = h('h2', {}, title);
    const line = h('p', { class: 'about' }, about);
    if (!several) this.rows.push(() => {
      heading.textContent = first.bo.name || first.bo.id;
      line.textContent = `${called(kind(first.bo))} · ${first.bo.id}`;
    });
    return h('header', {}, heading, line);
  }

  identity() {
    return this.targets.length === 1 ? identityForm(this.targets[0], this.context, (row) => this.rows.push(row)) : null;
  }

  dimensions() {
    return DIMENSIONS.map((fields) => {
      const known = fields.map((name) => this.context.fields.get(name)).filter(Boolean);
      if (known.length === 1) return this.row(known[0], 'dimension');
      return h('fieldset', { class: 'dimension' }, h('legend', {}, t(TITLES[fields[0]])), known.map((field) => this.row(field, 'part')));
    });
  }

  others() {
    const shown = new Set(DIMENSIONS.flat());
    const fields = [...this.context.fields.values()].filter((field) => !shown.has(field.name));
    const said = fields.some((field) => this.own(field.name) !== '');
    return h('details', { class: 'others', open: said }, h('summary', {}, t('Budget, approval and more')), fields.map((field) => this.row(field, 'dimension')));
  }

  agent() {
    const able = this.targets.filter(({ bo }) => this.context.agentKinds.has(kind(bo)));
    return able.length ? agentForm(able, this.context, (row) => this.rows.push(row)) : null;
  }

  row(field, style) {
    const id = `field-${field.name.replace(/\W/g, '-')}`;
    const made = control(field, id, (text) => this.write(field.name, text), this.context);
    const told = h('p', { class: 'holds', id: `${id}-holds` });
    const clear = h('button', { type: 'button', class: 'clear', 'aria-label': t('Inherit {field} again', { field: t(field.label) }), title: t('Inherit again'), onclick: () => this.write(field.name, '') }, '↺');
    made.element.querySelectorAll('input, select, textarea').forEach((each) => each.setAttribute('aria-describedby', told.id));
    const name = made.isGroup ? h('span', { id: `${id}-label`, class: 'name', title: t(field.description) }, t(field.label)) : h('label', { for: id, title: t(field.description) }, t(field.label));
    const row = h('div', { class: style, 'data-field': field.name }, h('div', { class: 'label' }, name, clear), made.element, told);
    this.rows.push(() => this.update(field, made, told, clear, row));
    return row;
  }

  update(field, made, told, clear, row) {
    const texts = new Set(this.targets.map(({ bo }) => read(bo, field.name)));
    const mixed = texts.size > 1;
    const own = mixed ? '' : [...texts][0];
    const forms = new Set(this.targets.map(({ bo }) => this.context.sight.foreign(bo.id, field.name)).filter(Boolean));
    made.set(own, mixed, this.inherited(field.name));
    clear.hidden = !own && !mixed && !forms.size;
    row.classList.toggle('own', Boolean(own) || mixed);
    replace(told, ...this.told(field.name, own, mixed, [...forms]));
  }

  own(name) {
    return this.targets.map(({ bo }) => read(bo, name)).find(Boolean) ?? '';
  }

  // The value that would hold if nothing were written: known where nothing is.
  inherited(name) {
    const held = this.targets.map(({ bo }) => this.context.sight.holds(bo.id, name));
    const values = new Set(held.map((each) => (each && each.origin?.kind !== 'element' ? each.value : undefined)));
    return values.size === 1 ? [...values][0] : undefined;
  }

  // The resolved value and where it is from, as the server resolves it.
  told(name, own, mixed, forms) {
    if (forms.length && !own) return [h('strong', {}, t('Written as {form}', { form: forms.join(', ') })), ' ', t('in the file; an edit here writes it as gov:policy instead.'), ' ', this.holding(name)];
    if (mixed) return [t('Several values.')];
    const [{ bo }] = this.targets;
    const held = this.context.sight.holds(bo.id, name);
    if (!held) return this.isFlow() ? [t('Kept in the file; on a flow it has no effect.')] : [];
    if (own && normal(name, held.value) !== normal(name, own)) return [h('span', { class: 'pending' }, t('written here'))];
    return [this.holding(name)];
  }

  isFlow() {
    return this.targets.every(({ bo }) => bo.$type === 'bpmn:SequenceFlow');
  }

  holding(name) {
    const [{ bo }] = this.targets;
    const held = this.context.sight.holds(bo.id, name);
    if (!held || this.targets.length > 1) return null;
    const value = h('b', {}, held.value || t('none'));
    if (!held.origin) return h('span', {}, t('Holds:'), ' ', value, ' · ', t('default'));
    if (held.origin.element === bo.id) return h('span', { class: 'here' }, t('Holds:'), ' ', value, ' · ', t('written here'));
    const where = h('button', { type: 'button', class: 'origin', onclick: () => this.context.reveal(held.origin.element) }, `${called(held.origin.kind)} ${this.context.nameOf(held.origin.element)}`);
    return h('span', {}, t('Holds:'), ' ', value, ' · ', t('from'), ' ', where);
  }

  write(name, text) {
    const edits = this.targets.filter(({ bo }) => read(bo, name) !== text || this.context.sight.foreign(bo.id, name)).map(({ element, bo }) => ({ element, bo, changes: { [name]: text } }));
    try {
      this.context.governing.set(edits);
      return null;
    } catch (error) {
      return error.message;
    }
  }
}
