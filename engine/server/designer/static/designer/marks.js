// What the drawing shows of governance: who is involved, where a policy is written, and what is wrong.

import { h } from './dom.js';
import { bearer } from './governing.js';
import { t } from './words.js';

const LEVEL = 'interactionLevel';
const SHORT = { MICRO_SUGGESTION: 'tells', DIFF_PREVIEW: 'shows', EXPLICIT_APPROVAL: 'asks', AUTO_DENY: 'denies' };

export class Marks {
  constructor(modeler, context) {
    this.canvas = modeler.get('canvas');
    this.overlays = modeler.get('overlays');
    this.registry = modeler.get('elementRegistry');
    this.context = context;
    this.marked = new Map();
  }

  draw() {
    this.overlays.remove({ type: 'governor' });
    this.findings();
    for (const element of this.registry.getAll()) {
      if (element.labelTarget || element.waypoints || !element.parent) continue;
      const bo = bearer(element, this.context.bearers);
      if (bo) this.badge(element, bo);
    }
  }

  findings() {
    const worst = new Map();
    for (const { element, severity } of this.context.sight.findings) {
      if (element && worst.get(element) !== 'error') worst.set(element, severity);
    }
    for (const [id, severity] of this.marked) {
      if (worst.get(id) !== severity && this.registry.get(id)) this.canvas.removeMarker(id, `governor-${severity}`);
    }
    for (const [id, severity] of worst) {
      if (this.registry.get(id)) this.canvas.addMarker(id, `governor-${severity}`);
    }
    this.marked = worst;
  }

  badge(element, bo) {
    const level = this.context.sight.holds(bo.id, LEVEL);
    const short = SHORT[level?.value];
    const own = this.context.own(bo);
    if (!short && !own) return;
    const isOwn = level?.origin?.element === bo.id;
    const title = [short && `${t('Interaction level')}: ${level.value}`, own && t('has a policy of its own')].filter(Boolean).join('; ');
    const badge = h('div', { class: `badge ${short ? `level-${level.value}` : 'plain'} ${isOwn || !short ? 'own' : 'inherited'}`, title }, short ? t(short) : t('policy'));
    this.overlays.add(element.id, 'governor', { position: { top: -11, left: bo.$type === 'bpmn:Lane' ? 64 : 8 }, html: badge, show: { minZoom: 0.3 }, scale: { min: 0.62, max: 1.2 } });
  }
}
