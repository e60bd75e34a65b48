// The page of an instance: follows what happens, shows other heats and differences, and does what operators ask.

import { remember, sourceOf } from "./sources.js";
import { Problem, element, get, send, tell, turns } from "./api.js";
import { showAges } from "./console.js";
import { ask } from "./dialog.js";
import "./learned.js";
import { wireOperating } from "./operate.js";
import { wire } from "./page.js";

const acts = document.querySelector(".acts");
const holder = document.querySelector("[data-sections]");
const id = acts.dataset.instance;
const address = `/instances/${encodeURIComponent(id)}`;
const ENDED = ["completed", "cancelled"];
let heat = "attention";

const LEVELS = ["healthy", "watch", "warning", "danger", "emergency"];

showActs();
wireHeat();
wireOperating(address, () => acts.dataset.etag, refresh);

// --- following ---

const live = document.querySelector("[data-live]");
let stream = null;
let waiting = 0;
const sections = turns();
const differences = turns();

follow();

function follow() {
  if (ENDED.includes(acts.dataset.status)) {
    live.classList.add("ended");
    return;
  }
  const last = Number(document.querySelector("[data-last-event]")?.dataset.lastEvent ?? -1);
  stream = new EventSource(`/v1${address}/stream?after=${last}`);
  stream.onopen = () => live.classList.remove("lost");
  stream.onerror = () => live.classList.add("lost");
  for (const type of stream_types()) stream.addEventListener(type, soon);
}

function stream_types() {
  return (document.querySelector("[data-event-types]")?.dataset.eventTypes ?? "").split(" ").filter(Boolean);
}

// Many events at once are one change of the page.
function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 150);
}

async function refresh() {
  const isNewest = sections();
  const response = await fetch(`${address}/sections`, { headers: { "if-none-match": acts.dataset.etag } });
  if (response.status === 304 || !response.ok) return;
  const text = await response.text();
  if (!isNewest()) return;
  acts.dataset.etag = response.headers.get("etag");
  put(text);
}

// Only sections that changed are replaced; what was open or scrolled stays so.
function put(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").body;
  const chosen = chosenSnapshots();
  const compared = holder.querySelector("[data-differences]");
  const scroll = [...holder.querySelectorAll(".sheet")].map((each) => [each.scrollLeft, each.scrollTop]);
  const open = new Set([...holder.querySelectorAll("details[open]")].map(nameOf));
  const before = [...holder.children].map(keyOf).join();
  const after = [...fresh.children].map(keyOf).join();
  if (before !== after) {
    for (const each of fresh.querySelectorAll(":scope > *, main > *")) remember(each);
    holder.replaceChildren(...fresh.children);
    wire(holder);
  }
  else swap([...holder.children], [...fresh.children]);
  for (const each of holder.querySelectorAll("details")) if (open.has(nameOf(each))) each.open = true;
  holder.querySelectorAll(".sheet").forEach((each, index) => each.scrollTo(...(scroll[index] ?? [0, 0])));
  chooseSnapshots(chosen);
  const place = holder.querySelector("[data-differences]");
  if (place && compared && place !== compared) place.replaceChildren(...compared.childNodes);
  acts.dataset.status = holder.querySelector("[data-status-now]")?.dataset.statusNow ?? acts.dataset.status;
  showActs();
  showAges(holder);
  wireHeat();
  if (ENDED.includes(acts.dataset.status)) {
    stream?.close();
    live.classList.add("ended");
  }
}

function swap(old, fresh) {
  old.forEach((each, index) => {
    if (each.localName === "main") swap([...each.children], [...fresh[index].children]);
    else if (sourceOf(each) !== fresh[index].outerHTML) {
      remember(fresh[index]);
      each.replaceWith(fresh[index]);
      wire(fresh[index]);
    }
  });
}

const keyOf = (each) => `${each.localName}#${each.id}`;
const nameOf = (each) => `${each.closest("section")?.id}/${each.parentNode.id}/${each.querySelector("summary")?.textContent}`;

function chosenSnapshots() {
  return ["before", "after"].map((name) => holder.querySelector(`[data-${name}]`)?.value);
}

function chooseSnapshots(values) {
  ["before", "after"].forEach((name, index) => {
    const field = holder.querySelector(`[data-${name}]`);
    if (field && [...field.options].some((each) => each.value === values[index])) field.value = values[index];
  });
}

// --- heat ---

function wireHeat() {
  const chosen = holder.querySelector("[data-heat-by]");
  if (!chosen) return;
  chosen.value = heat;
  paint();
}

holder.addEventListener("change", (event) => {
  if (!event.target.matches("[data-heat-by]")) return;
  heat = event.target.value;
  paint();
});

function paint() {
  const scales = JSON.parse(holder.querySelector("[data-heat]")?.textContent ?? "{}");
  for (const node of holder.querySelectorAll(".sheet .node")) {
    node.dataset.own ??= LEVELS.find((level) => node.classList.contains(`heat-${level}`)) ?? "";
    node.classList.remove(...LEVELS.map((level) => `heat-${level}`));
    const level = heat === "attention" ? node.dataset.own : LEVELS[(scales[heat]?.[node.dataset.node] ?? 0) - 1];
    if (level) node.classList.add(`heat-${level}`);
  }
  for (const each of holder.querySelectorAll("[data-heat-legend]")) each.hidden = (heat === "attention") !== (each.dataset.heatLegend === "attention");
}

// --- what operators do ---

function showActs() {
  const status = acts.dataset.status;
  const fits = {
    resume: !ENDED.includes(status) && status !== "suspended",
    suspend: !ENDED.includes(status) && status !== "suspended",
    unsuspend: status === "suspended",
    cancel: !ENDED.includes(status),
  };
  for (const [act, shown] of Object.entries(fits)) acts.querySelector(`[data-act=${act}]`).hidden = !shown;
  document.querySelector("[data-operate]").hidden = ENDED.includes(status);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-act]");
  if (!button) return;
  const { act, reason, element: place, snapshot, branch, layer, entry } = button.dataset;
  let body = {};
  if (reason) {
    const said = await ask(reason, button.textContent);
    if (said === null) return;
    body = { reason: said };
  }
  if (act === "retry" || act === "skip") body = { ...body, element: place };
  if (act === "restore") body = { snapshot, branch: branch || null };
  const headers = ["cancel", "suspend"].includes(act) ? { "if-match": acts.dataset.etag } : {};
  button.disabled = true;
  try {
    if (act === "decompress")
      await send(`/v1${address}/tools/context_compress`, {
        arguments: { mode: "decompress", layer, retain_keys: [entry] },
        branch: branch || null,
      });
    else await send(`/v1${address}/${act}`, body, { headers });
    tell(button.dataset.done ?? button.textContent.trim() + " ✓");
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    tell(error.message, { bad: true });
  } finally {
    button.disabled = false;
  }
  await refresh();
});

// --- differences between two snapshots ---

holder.addEventListener("click", async (event) => {
  if (!event.target.matches("[data-show-diff]")) return;
  const [before, after] = chosenSnapshots();
  const isNewest = differences();
  try {
    const found = await get(`/v1${address}/diff?before=${before}&after=${after}`);
    if (!isNewest()) return;
    // Looked up only now: what happened meanwhile may have replaced the section.
    const place = holder.querySelector("[data-differences]");
    place.replaceChildren(...found.changes.map((change) => difference(change, place.dataset)));
    if (!found.changes.length) place.textContent = place.dataset.none;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    tell(error.message, { bad: true });
  }
});

function difference(change, words) {
  const kind = element("small", { textContent: words[change.change] ?? change.change });
  const text = element("pre");
  if (change.before === null || change.after === null)
    text.append(element(change.before === null ? "ins" : "del", { textContent: change.after ?? change.before }));
  else if (change.change === "shown") text.append(`${change.fidelity_before} → ${change.fidelity_after}`);
  else text.append(...hunks(change.before, change.hunks));
  return element("div", { className: "difference" }, element("code", { textContent: change.key }), kind, text);
}

// Offsets count code points, not units of UTF-16.
export function hunks(before, changes) {
  const letters = [...before];
  const parts = [];
  let place = 0;
  const same = (text) => parts.push(text.length > 360 ? `${text.slice(0, 160)} … ${text.slice(-160)}` : text);
  for (const hunk of changes) {
    same(letters.slice(place, hunk.start).join(""));
    if (hunk.removed) parts.push(element("del", { textContent: hunk.removed }));
    if (hunk.added) parts.push(element("ins", { textContent: hunk.added }));
    place = hunk.end;
  }
  same(letters.slice(place).join(""));
  return parts;
}

// --- older events ---

holder.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-older]");
  if (!button) return;
  const first = Number(button.dataset.older);
  const after = Math.max(-1, first - 201);
  const found = await get(`/v1${address}/events?after=${after}&limit=${first - after - 1}`);
  const body = holder.querySelector(".log tbody");
  const again = holder.querySelector("[data-older]") ?? button;
  // They were asked for twice, or what stood below them is no longer what is shown.
  if (Number(again.dataset.older) !== first) return;
  body.prepend(...found.events.map(row));
  again.dataset.older = String(after + 1);
  again.hidden = after < 0;
});

function row(event) {
  const data = Object.keys(event.data).length ? JSON.stringify(event.data) : "";
  const cells = [event.seq, event.at.slice(11, 23), event.type, event.element ?? "", event.branch];
  const made = element("tr", {}, ...cells.map((each) => element("td", { textContent: each })));
  made.dataset.type = event.type;
  made.append(element("td", {}, element("code", { textContent: data.length > 420 ? `${data.slice(0, 420)} …` : data })));
  return made;
}
