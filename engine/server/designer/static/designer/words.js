// What the page says: the English text is the key, `{name}` in it is a value.

let words = {};
let rules = {};

export function speak(given, asked) {
  words = given;
  rules = asked ?? {};
}

// What a rule of the check asks for; undefined where findings are told in the page's language themselves.
export const ruleOf = (code) => rules[code];

export function t(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// What a kind of element is called: 'userTask' is a user task, where the language has no word of its own.
export function called(kind) {
  return words[kind] ?? kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
