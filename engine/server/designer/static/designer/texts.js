// Fields of a policy as text, and the child elements that say the same: the grammar that the server reads, too.

import { t } from './words.js';

const listed = (text) => text.split(/[,\n]/).map((part) => part.trim()).filter(Boolean);

function json(text, what) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(t('{what} is no JSON', { what }));
  }
  return value;
}

export const names = {
  parse: (text) => (text.trim().startsWith('[') ? json(text, t('The list')).map(String) : listed(text)),
  print: (list) => (list.some((name) => /[,\n]/.test(name)) ? JSON.stringify(list) : list.join(', ')),
};

export const strategies = {
  parse(text) {
    if (text.trim().startsWith('{')) return Object.entries(json(text, t('The text')));
    return listed(text).map((part) => {
      const at = part.indexOf('=');
      if (at < 1 || at === part.length - 1) throw new Error(t('A strategy per key is written key=STRATEGY'));
      return [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
  },
  print: (pairs) => pairs.map(([key, strategy]) => `${key}=${strategy}`).join(', '),
};

export const requirements = {
  parse(text) {
    if (text.trim().startsWith('[')) return json(text, t('The list'));
    return text.split('\n').filter((line) => line.trim()).map((line) => {
      const [type, ...rest] = line.split('|').map((part) => part.trim());
      if (rest.length < 2) return { type, query: rest[0] ?? '' };
      return { type, count: rest[0], query: rest.slice(1).join('|') };
    });
  },
  print(items) {
    const plain = items.every((item) => !item.minConfidence && !/\n/.test(item.query ?? '') && !/\|/.test(item.type ?? ''));
    if (!plain) return JSON.stringify(items);
    return items.map((item) => [item.type, item.count ?? '', item.query ?? ''].join('|').replace('||', '|')).join('\n');
  },
};

export const approval = {
  parse(text) {
    const given = json(text, t('The approval'));
    const said = {};
    for (const [name, value] of Object.entries(given)) said[name] = Array.isArray(value) ? value.join(', ') : String(value);
    return said;
  },
  print(said) {
    const given = { ...said };
    if (given.roles) given.roles = listed(given.roles);
    if (given.fourEyes) given.fourEyes = given.fourEyes === 'true';
    return Object.keys(given).length ? JSON.stringify(given) : '';
  },
};

// One text for comparing: what differs only in how it is written is the same.
export function normal(field, text) {
  const grammar = { retainKeys: names, 'branchStrategy.keys': strategies, knowledgeRequirements: requirements, approval }[field];
  try {
    return grammar && text ? grammar.print(grammar.parse(text)) : text;
  } catch {
    return text;
  }
}
