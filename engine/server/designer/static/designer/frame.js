// The page around the drawing: bar, canvas, panel, matrix, findings, dialog.

import { h, replace } from './dom.js';
import { t } from './words.js';

const LANGUAGES = { en: 'English', zh: '中文' };

export function frame(root, { name, verb, language }) {
  const button = (label, text, more = {}) => h('button', { type: 'button', 'aria-label': label, title: label, ...more }, text);
  const undo = button(t('Undo'), '↶');
  const redo = button(t('Redo'), '↷');
  const save = button(verb === 'deploy' ? t('Deploy') : t('Save'), verb === 'deploy' ? t('Deploy') : t('Save'), { class: 'main' });
  const review = button(t('Show what changes'), t('Changes'));
  const status = h('p', { id: 'status', role: 'status' });
  const title = h('h1', {}, name);
  const dirty = h('span', { class: 'dirty', hidden: true, title: t('not saved yet') }, t('changed'));
  const views = { diagram: h('button', { type: 'button', 'aria-pressed': 'true' }, t('Diagram')), matrix: h('button', { type: 'button', 'aria-pressed': 'false' }, t('Policy matrix')) };
  const canvas = h('div', { class: 'canvas', role: 'region', 'aria-label': t('Drawing of the process') });
  const panel = h('aside', { class: 'panel', 'aria-label': t('Governance'), tabindex: '-1' });
  const matrix = h('section', { class: 'matrix', hidden: true, 'aria-label': t('Policy matrix') });
  const findings = h('ul', {});
  const summary = h('span', { 'aria-live': 'polite' });
  const found = h('details', { class: 'findings' }, h('summary', {}, h('b', {}, t('Findings')), ' ', summary), findings);
  const dialog = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const draw = h('button', { type: 'button', class: 'draw', 'aria-pressed': 'false' }, t('Tools'));
  const pick = h('select', { 'aria-label': t('Diagrams'), hidden: true });
  const tools = { fit: button(t('Fit to the window'), '⤢'), out: button(t('Smaller'), '−'), in: button(t('Larger'), '+') };
  const others = Object.entries(LANGUAGES).filter(([code]) => code !== language).map(([code, label]) => h('a', { href: `/language/${code}?next=${encodeURIComponent(location.pathname)}`, lang: code, hreflang: code }, label));
  const bar = h('header', { class: 'bar' }, h('div', { class: 'file' }, title, dirty), h('div', { class: 'views', role: 'group', 'aria-label': t('View') }, Object.values(views)),
    h('div', { class: 'tools' }, pick, draw, tools.out, tools.in, tools.fit), status, h('div', { class: 'edits' }, undo, redo, review, save), h('div', { class: 'languages' }, others));
  const drawing = h('div', { class: 'drawing' }, canvas, panel);
  replace(root, bar, h('main', {}, drawing, matrix, found), dialog);
  return {
    canvas, panel, matrix, findings, summary, status, dialog,
    on(does) {
      undo.addEventListener('click', does.undo);
      redo.addEventListener('click', does.redo);
      save.addEventListener('click', () => does.save());
      review.addEventListener('click', does.review);
      tools.fit.addEventListener('click', does.fit);
      pick.addEventListener('change', () => does.pick(pick.selectedIndex));
      draw.addEventListener('click', () => draw.setAttribute('aria-pressed', canvas.classList.toggle('with-tools')));
      tools.in.addEventListener('click', () => does.zoom(1));
      tools.out.addEventListener('click', () => does.zoom(-1));
      for (const [which, each] of Object.entries(views)) each.addEventListener('click', () => does.view(which));
      document.addEventListener('keydown', (event) => shortcut(event, does));
    },
    diagrams(names) {
      replace(pick, names.map((label) => h('option', {}, label)));
      pick.hidden = false;
    },
    view(which) {
      for (const [one, each] of Object.entries(views)) each.setAttribute('aria-pressed', one === which);
      drawing.hidden = which !== 'diagram';
      matrix.hidden = which !== 'matrix';
      bar.classList.toggle('no-drawing', which !== 'diagram');
    },
    dirty(isDirty, canUndo, canRedo) {
      dirty.hidden = !isDirty;
      undo.disabled = !canUndo;
      redo.disabled = !canRedo;
      document.title = `${isDirty ? '● ' : ''}${name} · Governor`;
    },
  };
}

function shortcut(event, does) {
  if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  const key = event.key.toLowerCase();
  const writing = event.target.closest?.('input, textarea, [contenteditable="true"]');
  if (key === 's') does.save();
  else if (writing || event.target.closest?.('.djs-container')) return;
  else if (key === 'z') (event.shiftKey ? does.redo : does.undo)();
  else if (key === 'y') does.redo();
  else return;
  event.preventDefault();
}
