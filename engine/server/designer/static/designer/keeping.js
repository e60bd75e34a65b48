// Saves or deploys, and says what that came to. Nothing that was drawn is ever thrown away here.

import { h, replace } from './dom.js';
import { t } from './words.js';

const LEVELS = {
  AUTO_ALLOW: 'Nobody has to look at it.',
  MICRO_SUGGESTION: 'There are warnings; nobody has to look at it.',
  DIFF_PREVIEW: 'Policies change: somebody has to look at the change.',
  EXPLICIT_APPROVAL: 'Key rules change: somebody has to approve it, and say why.',
  AUTO_DENY: 'A policy is not valid: it is refused.',
};

export class Keeping {
  constructor(dialog, status, context) {
    this.dialog = dialog;
    this.status = status;
    this.context = context;
    this.busy = false;
    this.mayLose = false;
  }

  async drawing() {
    document.activeElement?.blur?.();
    const { xml } = await this.context.modeler.saveXML({ format: true });
    return { xml, untouched: this.context.untouched, opened: this.context.tag, not_understood: this.context.notUnderstood, may_lose: this.mayLose };
  }

  async save(agreed = {}) {
    if (this.busy) return;
    this.busy = true;
    try {
      const drawing = { ...(await this.drawing()), ...agreed };
      const at = this.context.position();
      const told = await this.context.server.keep(drawing);
      this.context.saved(told.tag, at, drawing.xml);
      this.say(this.told(told.is_whole), 'fine');
      this.dialog.close();
      if (told.address) location.replace(told.address);
    } catch (error) {
      this.refused(error);
    } finally {
      this.busy = false;
    }
  }

  told(isWhole) {
    if (this.context.verb === 'deploy') return t('Deployed as a version.');
    return isWhole ? t('Saved; the file was written anew.') : t('Saved; every byte but the policies is as it was.');
  }

  // Looks at what changes, with the choice to go on.
  async review() {
    try {
      const drawing = await this.drawing();
      this.open(await this.context.server.compare(drawing), null);
    } catch (error) {
      this.refused(error);
    }
  }

  refused(error) {
    if (error.title === 'NotAgreed' && error.facts.needs === 'loss') return this.askLoss(error.message);
    if (error.title === 'NotAgreed') return this.open(error.facts.compared, error.facts);
    if (error.title === 'Gone') return this.ask(t('The program has ended'), t('Your drawing is still here. Start the program again on the same file and copy it over, or keep it as a file now.'));
    if (error.title === 'SignedOut') return this.ask(t('You are not signed in any more'), t('Your drawing is still here. Sign in in another tab and try again, or keep it as a file now.'));
    if (error.title === 'Overtaken') return this.ask(t('Somebody else changed it'), t('What stands there now is not what you opened; nothing was written. Keep your drawing as a file, then reload to see what they changed.'));
    if (error.title) return this.ask(t('This was not possible'), error.message);
    throw error;
  }

  // Whoever says once that it may go is not asked again.
  askLoss(told) {
    const go = () => {
      this.mayLose = true;
      this.save();
    };
    this.show(t('Something would be lost'), [h('p', {}, told)], [h('button', { type: 'button', onclick: () => this.download() }, t('Keep it as a file')), h('button', { type: 'button', class: 'main', onclick: go }, t('Go on without it'))]);
  }

  ask(title, about) {
    this.say(title, 'error');
    this.show(title, [h('p', {}, about)], [h('button', { type: 'button', class: 'main', onclick: () => this.download() }, t('Keep it as a file'))]);
  }

  async download() {
    const { xml } = await this.drawing();
    const address = URL.createObjectURL(new Blob([xml], { type: 'application/xml' }));
    h('a', { href: address, download: this.context.name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  // What design time says of the change: level, reasons, policies before and after.
  open(compared, refused) {
    const { review, changes, seen, errors } = compared;
    const deploys = this.context.verb === 'deploy';
    const needsReason = deploys && review.level === 'EXPLICIT_APPROVAL';
    const reason = h('textarea', { id: 'reason', rows: 2, required: true });
    const may = !deploys || (review.level !== 'AUTO_DENY' && !errors.length && (!needsReason || this.context.mayApprove));
    const go = () => (needsReason && !reason.value.trim() ? reason.focus() : this.save({ seen, reason: reason.value.trim() || null }));
    const told = [
      h('p', { class: `level level-${review.level}` }, h('b', {}, review.level), ' ', t(LEVELS[review.level])),
      refused && h('p', { class: 'wrong', role: 'alert' }, this.needs(refused)),
      review.reasons.length ? h('ul', { class: 'reasons' }, review.reasons.map((each) => h('li', {}, each))) : null,
      this.changes(changes, compared.is_first),
      needsReason && may ? h('div', {}, h('label', { for: 'reason' }, t('Why this is right')), reason) : null,
    ];
    this.show(t('What changes'), told, may ? [h('button', { type: 'button', class: 'main', onclick: go }, deploys ? t('I have seen it: deploy') : t('Save'))] : []);
  }

  needs({ needs, detail }) {
    if (needs === 'look') return t('Look at the changes below before you deploy them.');
    if (needs === 'approver') return t('Somebody with the role approver has to deploy this.');
    if (needs === 'reason') return t('Say why this is right.');
    return detail;
  }

  changes(changes, isFirst) {
    if (isFirst) return h('p', {}, t('Nothing stands there yet: everything is new.'));
    if (!changes.length) return h('p', {}, t('No policy changes.'));
    const rows = changes.map((change) => h('tr', {}, h('th', { scope: 'row' }, change.name || change.element), h('td', {}, t(this.context.fields.get(change.field)?.label ?? change.field)),
      h('td', {}, h('del', {}, change.before ?? t('not there'))), h('td', {}, h('ins', {}, change.after ?? t('not there'))), h('td', {}, t(change.kind))));
    const head = ['Element', 'Field', 'Before', 'After', 'Where'].map((title) => h('th', { scope: 'col' }, t(title)));
    return h('div', { class: 'sheet', tabindex: '0' }, h('table', { class: 'changes' }, h('thead', {}, h('tr', {}, head)), h('tbody', {}, rows)));
  }

  show(title, content, actions) {
    replace(this.dialog, h('form', { method: 'dialog' }, h('h2', { id: 'dialog-title' }, title), content, h('div', { class: 'actions' }, h('button', { value: 'close' }, t('Close')), actions)));
    if (!this.dialog.open) this.dialog.showModal();
  }

  say(text, style) {
    this.status.textContent = text;
    this.status.className = style;
  }
}
