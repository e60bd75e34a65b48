// Elements in one call, and nothing else: h('p', { class: 'told' }, 'text', child).

export function h(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'disabled') made[name] = value;
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

// Calls once things have been quiet for so many milliseconds.
export function quietly(milliseconds, call) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(call, milliseconds);
  };
}
