// Edits one cell in its place. `done(text, step)`: the text, null where nothing is to change, and where to go on (null: focus went elsewhere).

import { h } from './dom.js';
import { t } from './words.js';

export function editor(cell, field, text, typed, done) {
  const input = field.values.length ? choice(field, text, typed) : h('textarea', { rows: 1, spellcheck: 'false', value: typed ?? text });
  input.setAttribute('aria-label', t(field.label));
  input.classList.add('editor');
  cell.replaceChildren(input);
  input.focus();
  if (input.tagName === 'TEXTAREA' && typed === undefined) input.select();
  let over = false;
  const finish = (value, step) => {
    if (over) return;
    over = true;
    input.remove();
    done(value, step);
  };
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') finish(null, [0, 0]);
    else if (event.key === 'Enter' && !event.altKey) finish(input.value, [event.shiftKey ? -1 : 1, 0]);
    else if (event.key === 'Tab') finish(input.value, [0, event.shiftKey ? -1 : 1]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  input.addEventListener('blur', () => finish(input.value, null));
}

// Of a list the first that begins with what was typed.
function choice(field, text, typed) {
  const select = h('select', {}, h('option', { value: '' }, t('inherited')), field.values.map((value) => h('option', { value }, value)));
  const begun = typed && field.values.find((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
  select.value = begun || text;
  return select;
}
