// The list of what is wrong, errors first; each leads to its element.

import { h, replace } from './dom.js';
import { ruleOf, t } from './words.js';

export class Findings {
  constructor(root, summary, context) {
    this.root = root;
    this.summary = summary;
    this.context = context;
  }

  show() {
    const found = [...this.context.sight.findings].sort((one, other) => (one.severity === other.severity ? 0 : one.severity === 'error' ? -1 : 1));
    const errors = found.filter((finding) => finding.severity === 'error').length;
    const warnings = found.length - errors;
    const told = [errors && t(errors === 1 ? '1 error' : '{count} errors', { count: errors }), warnings && t(warnings === 1 ? '1 warning' : '{count} warnings', { count: warnings })];
    this.summary.textContent = told.filter(Boolean).join(', ') || t('Nothing found: it can be run');
    this.summary.className = errors ? 'error' : warnings ? 'warning' : 'fine';
    replace(this.root, found.map((finding) => this.row(finding)));
  }

  row(finding) {
    const name = finding.element && this.context.nameOf(finding.element);
    const more = [finding.found && t('found {found}', { found: finding.found }), finding.allowed.length && t('allowed: {allowed}', { allowed: finding.allowed.join(', ') })].filter(Boolean).join('; ');
    return h('li', { class: finding.severity }, h('button', { type: 'button', disabled: !finding.element, onclick: () => this.context.reveal(finding.element) },
      h('span', { class: 'severity' }, t(finding.severity)), ' ', name ? h('b', {}, name) : '', name ? ' ' : '', ruleOf(finding.rule) ? h('span', {}, ruleOf(finding.rule)) : '', h('span', ruleOf(finding.rule) ? { lang: 'en', class: 'detail' } : {}, finding.message), more ? h('small', {}, more) : '', h('code', {}, finding.rule)));
  }
}
