// The designer's page, put together.

import { Findings } from './findings.js';
import { Governing } from './governing.js';
import { read } from './governance.js';
import { h, quietly, replace } from './dom.js';
import { Keeping } from './keeping.js';
import { Marks } from './marks.js';
import { Matrix } from './matrix.js';
import { Panel } from './panel.js';
import { Server } from './server.js';
import { Sight } from './sight.js';
import { frame } from './frame.js';
import { speak, t } from './words.js';
import { translating } from './translate.js';

const QUIET = 350;
const MARGIN = 24;

class Designer {
  constructor(root, server, start) {
    this.server = server;
    this.sight = new Sight();
    this.name = start.name;
    this.verb = start.verb;
    this.tag = start.tag;
    this.mayApprove = start.may_approve;
    this.merges = start.merges;
    this.defaults = start.defaults;
    this.fields = new Map(fields(start).map((field) => [field.name, field]));
    this.bearers = new Set(start.bearers);
    this.agentKinds = new Set(start.agent_kinds);
    this.agentFields = start.moddle.types.find((type) => type.name === 'Agent').properties.map((property) => property.name);
    this.page = frame(root, start);
    this.modeler = new window.BpmnJS({
      container: this.page.canvas,
      additionalModules: [{ __init__: ['governing'], governing: ['type', Governing] }, translating],
      moddleExtensions: { gov: start.moddle },
      bpmnRenderer: { defaultFillColor: 'var(--ground)', defaultStrokeColor: 'var(--ink)', defaultLabelColor: 'var(--ink)' },
    });
  }

  async open(start) {
    const { warnings } = await this.modeler.importXML(start.xml);
    this.notUnderstood = warnings.length;
    this.governing = this.modeler.get('governing');
    this.canvas = this.modeler.get('canvas');
    this.registry = this.modeler.get('elementRegistry');
    this.stack = this.modeler.get('commandStack');
    this.untouched = (await this.modeler.saveXML({ format: true })).xml;
    this.panel = new Panel(this.page.panel, this);
    this.matrix = new Matrix(this.page.matrix, this);
    this.marks = new Marks(this.modeler, this);
    this.findings = new Findings(this.page.findings, this.page.summary, this);
    this.keeping = new Keeping(this.page.dialog, this.page.status, this);
    this.kept = this.position();
    this.listen();
    const { diagrams = [] } = this.modeler.getDefinitions();
    if (diagrams.length > 1) this.page.diagrams(diagrams.map((each) => each.plane?.bpmnElement?.name || each.plane?.bpmnElement?.id || each.id));
    this.fit();
    this.panel.show(this.chosen());
    this.changed();
    if (start.note) this.keeping.say(t(start.note), '');
    if (warnings.length) this.keeping.say(t('{count} parts of the file are not understood here: {first}', { count: warnings.length, first: warnings[0].message.split('\n')[0] }), 'warning');
    await this.look();
  }

  listen() {
    const bus = this.modeler.get('eventBus');
    const look = quietly(QUIET, () => this.look());
    bus.on('selection.changed', () => this.panel.show(this.chosen()));
    bus.on('root.set', () => this.panel.show(this.chosen()));
    bus.on('commandStack.changed', () => {
      this.changed();
      this.panel.refresh();
      if (!this.page.matrix.hidden) this.matrix.show();
      look();
    });
    bus.on('shape.changed', 3000, () => this.chosenAnew());
    this.page.on({
      undo: () => this.stack.undo(), redo: () => this.stack.redo(),
      save: () => this.keeping.save(), review: () => this.keeping.review(),
      view: (name) => this.view(name), fit: () => this.fit(),
      pick: (number) => this.pick(number),
      zoom: (by) => this.modeler.get('zoomScroll').stepZoom(by),
    });
    addEventListener('beforeunload', (event) => {
      if (this.position() !== this.kept) event.preventDefault();
    });
  }

  // Of several diagrams in a file one is shown.
  async pick(number) {
    await this.modeler.open(this.modeler.getDefinitions().diagrams[number]);
    this.fit();
    this.panel.show(this.chosen());
    this.marks.draw();
  }

  // A change of type puts another element in the place of the selected one.
  chosenAnew() {
    queueMicrotask(() => {
      const now = this.chosen();
      const shown = this.panel.elements ?? [];
      if (now.length !== shown.length || now.some((element, index) => element !== shown[index] || element.businessObject !== this.panel.targets[index]?.element.businessObject)) this.panel.show(now);
    });
  }

  chosen() {
    const chosen = this.modeler.get('selection').get();
    return chosen.length ? chosen : [this.canvas.getRootElement()];
  }

  // Where the command stack is: the same again after an undo.
  position() {
    return this.stack._stackIdx < 0 ? -1 : this.stack._stack[this.stack._stackIdx].id;
  }

  changed() {
    this.page.dirty(this.position() !== this.kept, this.stack.canUndo(), this.stack.canRedo());
  }

  // All of the drawing, beside the palette.
  fit() {
    const { inner, outer } = this.canvas.viewbox();
    const palette = this.page.canvas.querySelector('.djs-palette');
    const left = palette?.offsetWidth ? palette.offsetLeft + palette.offsetWidth + MARGIN / 2 : MARGIN;
    const scale = Math.min((outer.width - left - MARGIN) / inner.width, (outer.height - 2 * MARGIN) / inner.height, 1);
    const [width, height] = [outer.width / scale, outer.height / scale];
    const x = inner.x - left / scale - Math.max(0, (outer.width - left - MARGIN) / scale - inner.width) / 2;
    this.canvas.viewbox({ x, y: inner.y - (height - inner.height) / 2, width, height });
  }

  // What was written is what later changes are told from.
  saved(tag, at, xml) {
    this.tag = tag;
    this.kept = at;
    this.untouched = xml;
    this.changed();
  }

  async look() {
    const number = (this.looks = (this.looks ?? 0) + 1);
    const { xml } = await this.modeler.saveXML({ format: true });
    let told;
    try {
      told = await this.server.look(xml, this.position() !== this.kept);
    } catch (error) {
      if (number === this.looks) this.keeping.refused(error);
      return;
    }
    if (number !== this.looks) return;
    this.sight.take(told);
    this.findings.show();
    this.marks.draw();
    this.panel.refresh();
    if (!this.page.matrix.hidden) this.matrix.show();
    document.documentElement.dataset.looked = number;
  }

  view(name) {
    this.page.view(name);
    if (name === 'matrix') this.matrix.show();
    else this.panel.show(this.chosen());
  }

  // Shows an element in the drawing and its policy beside it.
  reveal(id) {
    const element = this.registry.get(id) ?? this.registry.find((each) => each.businessObject?.processRef?.id === id);
    if (!element) return;
    this.view('diagram');
    const root = this.canvas.findRoot(element);
    if (root) this.canvas.setRootElement(root);
    if (element === root) return void this.modeler.get('selection').select([]);
    this.modeler.get('selection').select(element);
    this.canvas.scrollToElement(element, 80);
  }

  nameOf(id) {
    const found = this.registry.get(id)?.businessObject ?? this.modeler.getDefinitions().rootElements.find((each) => each.id === id);
    return found?.name || id;
  }

  elements() {
    return this.registry.getAll().filter((element) => !element.labelTarget && !element.isImplicit);
  }

  rename(element, bo, properties) {
    const modeling = this.modeler.get('modeling');
    if (element.businessObject === bo) modeling.updateProperties(element, properties);
    else modeling.updateModdleProperties(element, bo, properties);
  }

  isTaken(id) {
    return Boolean(this.registry.get(id)) || this.modeler.getDefinitions().rootElements.some((each) => each.id === id);
  }

  own(bo) {
    return [...this.fields.keys()].some((name) => read(bo, name));
  }
}

function fields({ fields: offered }) {
  const approval = { name: 'approval', label: 'Approval', description: 'Who may answer what the activity asks, and by when.', values: [], is_number: false };
  return offered.some((field) => field.name === 'approval') ? offered : [...offered, approval];
}

async function main() {
  const root = document.getElementById('designer');
  const server = new Server(root.dataset.base, document.querySelector('meta[name="csrf-token"]').content);
  try {
    const start = await server.start();
    speak(start.words, start.rules);
    const designer = new Designer(root, server, start);
    await designer.open(start);
    window.governorDesigner = designer;
  } catch (error) {
    replace(root, h('main', { class: 'failed' }, h('h1', {}, t('This cannot be shown')), h('p', { role: 'alert' }, error.message), h('p', {}, h('a', { href: '' }, t('Try again')))));
  }
}

main();
