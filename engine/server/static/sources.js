// What sections of the page were made of, before any script changes them: imported before all others.

const sources = new WeakMap();

export const remember = (section) => sources.set(section, section.outerHTML);
export const sourceOf = (section) => sources.get(section);

for (const section of document.querySelectorAll("[data-sections] > *, [data-sections] main > *")) remember(section);
