// What operators change of an instance: variables, tokens, its version, and back to an earlier state.

import { attempt, element, get, send, tell, turns } from "./api.js";
import { ask } from "./dialog.js";

const panel = document.querySelector("[data-operate]");
const place = panel.querySelector("[data-forms]");
let address = "";
let etagNow = () => "";
let refresh = async () => {};
let values = {};
const loads = turns();

export function wireOperating(at, etag, again) {
  [address, etagNow, refresh] = [at, etag, again];
  panel.addEventListener("toggle", () => (panel.open ? attempt(load) : place.replaceChildren()));
}

async function load() {
  const isNewest = loads();
  const [response, known] = await Promise.all([fetch(`${address}/operate`), get(`/v1${address}/variables`)]);
  const forms = await response.text();
  // Nobody loses what was written into forms that came earlier, or sees any in a panel that was shut again.
  if (!response.ok || !isNewest() || !panel.open) return;
  values = known;
  place.innerHTML = forms;
  const edit = place.querySelector("[data-edit]");
  if (edit) showValue(edit);
}

// Only as it was seen: where it has moved on since, nothing is done, and the page shows what stands now.
async function operate(what, body) {
  await attempt(async () => {
    const result = await send(`/v1${address}/${what}`, body, { headers: { "if-match": etagNow() } });
    const asked = (result.interventions ?? []).some((each) => each.kind === "operation" && each.status === "open");
    tell(asked ? panel.dataset.asked : panel.dataset.done);
    // Nobody fills in a form that is about to be replaced by one of what stands now.
    place.replaceChildren();
    panel.open = false;
  });
  await refresh();
}

// --- a variable ---

const nameOf = (form) => form.elements.variable.value || form.elements.name.value.trim();

function showValue(form) {
  const option = form.elements.variable.selectedOptions[0];
  const personal = option && "personal" in option.dataset;
  form.querySelector("[data-new]").hidden = form.elements.variable.value !== "";
  form.querySelector("[data-hidden]").hidden = !personal;
  form.querySelector("[data-preview]").hidden = true;
  form.elements.value.value = personal ? "" : textOf(values[form.elements.variable.value]);
}

const textOf = (value) => (value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value, null, 1));

// What is no JSON is text; a variable that is text stays text.
function valueOf(text, before) {
  if (typeof before === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function changeOf(form) {
  const name = nameOf(form);
  if (!name) throw new SyntaxError(form.querySelector("[data-new]").textContent);
  const branch = form.elements.branch?.value;
  const change = { reason: form.elements.reason.value, ...(branch === undefined ? {} : { branch }) };
  if (form.elements.gone.checked) return { ...change, delete: [name] };
  return { ...change, variables: { [name]: valueOf(form.elements.value.value, values[name]) } };
}

function preview(form) {
  const name = nameOf(form);
  const before = textOf(values[name]);
  const after = form.elements.gone.checked ? "" : textOf(valueOf(form.elements.value.value, values[name]));
  const shown = form.querySelector("[data-preview]");
  shown.replaceChildren(...differing(before.split(/(\s+)/), after.split(/(\s+)/)));
  shown.hidden = false;
}

// The words before and behind what differs stay; what is between them is taken for the other.
export function differing(before, after) {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const part = (words, kind) => {
    const text = words.slice(start, words.length - end).join("");
    return text ? [element(kind, { textContent: text })] : [];
  };
  const rest = end ? before.slice(-end).join("") : "";
  return [before.slice(0, start).join(""), ...part(before, "del"), ...part(after, "ins"), rest].filter((each) => each !== "");
}

// --- another version ---

async function plan(form) {
  await attempt(async () => {
    const definition = form.elements.definition.value;
    const found = await send(`/v1${address}/migrate/plan`, { definition });
    if (form.elements.definition.value !== definition) return;
    const told = ["problems", "mapped", "added", "removed", "dropped", "not_armed"].flatMap((name) => lines(form, name, found[name]));
    const shown = form.querySelector("[data-plan]");
    shown.replaceChildren(...(told.length ? told : [element("dd", { textContent: form.dataset.none })]));
    shown.hidden = false;
    form.querySelector("button.primary").disabled = Boolean(found.problems?.length);
  });
}

function lines(form, name, found = []) {
  const pairs = Array.isArray(found) ? found : Object.entries(found).filter(([old, now]) => old !== now).map((pair) => pair.join(" → "));
  return pairs.length ? [element("dt", { textContent: form.dataset[name] }), element("dd", { textContent: pairs.join(", ") })] : [];
}

// --- events ---

place.addEventListener("change", (event) => {
  const { form, name, value } = event.target;
  if (name === "variable") showValue(form);
  if (name === "token") for (const each of form.querySelectorAll("[data-targets]")) each.hidden = each.dataset.targets !== value;
  if (name === "definition") {
    form.querySelector("button.primary").disabled = true;
    form.querySelector("[data-plan]").hidden = true;
  }
});

place.addEventListener("click", (event) => {
  if (!event.target.matches("[data-show]")) return;
  const form = event.target.form;
  if ("edit" in form.dataset) preview(form);
  else plan(form);
});

place.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target;
  if ("edit" in form.dataset) attempt(() => operate("edit", changeOf(form)), SyntaxError);
  if ("move" in form.dataset) {
    const token = form.elements.token.selectedOptions[0];
    const to = form.querySelector(`[data-targets="${token.value}"] select`).value;
    operate("move", { element: token.dataset.element, branch: token.dataset.branch, to, reason: form.elements.reason.value });
  }
  if ("migrate" in form.dataset)
    operate("migrate", { definition: form.elements.definition.value, reason: form.elements.reason.value });
});

document.addEventListener("click", (event) => {
  const { rewind, ask: title, outside } = event.target.dataset ?? {};
  if (!rewind) return;
  attempt(async () => {
    const found = await get(`/v1${address}/rewind?snapshot=${encodeURIComponent(rewind)}`);
    const done = (found.done ?? []).map((each) => [each.key ?? each.element, each.effect].filter(Boolean).join(": "));
    const said = await ask(done.length ? `${title}\n${outside} ${done.join(", ")}` : title, event.target.textContent);
    if (said !== null) await operate("rewind", { snapshot: rewind, seen: found.seen, reason: said });
  });
});
