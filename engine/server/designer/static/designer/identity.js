// Name and id of the one element that is selected.

import { h } from './dom.js';
import { t } from './words.js';

const ID = /^[A-Za-z_][\w.-]*$/;

// `onRefresh` takes what brings the fields up to date.
export function identityForm({ element, bo }, context, onRefresh) {
  const name = h('input', { id: 'element-name', type: 'text', autocomplete: 'off' });
  const id = h('input', { id: 'element-id', type: 'text', autocomplete: 'off', spellcheck: 'false' });
  const wrong = h('span', { class: 'wrong', role: 'alert' });
  name.addEventListener('change', () => context.rename(element, bo, { name: name.value.trim() || undefined }));
  id.addEventListener('change', () => {
    const wanted = id.value.trim();
    const told = !ID.test(wanted) ? t('An id begins with a letter and has letters, digits, _ - . in it') : wanted !== bo.id && context.isTaken(wanted) ? t('Another element has this id') : '';
    wrong.textContent = told;
    id.toggleAttribute('aria-invalid', Boolean(told));
    if (!told && wanted !== bo.id) context.rename(element, bo, { id: wanted });
  });
  onRefresh(() => {
    if (document.activeElement !== name) name.value = bo.name ?? '';
    if (document.activeElement !== id) id.value = bo.id;
  });
  return h('details', { class: 'identity' }, h('summary', {}, t('Name and id')), h('div', { class: 'form' },
    h('label', { for: 'element-name' }, h('span', {}, t('Name')), name), h('label', { for: 'element-id' }, h('span', {}, t('Id')), id)), wrong);
}
