// The inbox: by keyboard or by hand, change by change; who comes second is told who was first.

import { Problem, send, turns } from "./api.js";
import { showAges } from "./console.js";

const page = document.querySelector("[data-inbox]");
const question = document.querySelector("[data-question]");
const task = document.querySelector("[data-task]");

const renewals = turns();

markLate();
setInterval(renew, 5000);

async function renew() {
  if (document.hidden) return;
  const isNewest = renewals();
  const response = await fetch(`/inbox/lines?${page.dataset.query}&chosen=${encodeURIComponent(page.dataset.chosen)}`);
  if (!response.ok || response.redirected) return;
  const text = await response.text();
  const place = page.querySelector("[data-lines]");
  if (!isNewest() || place.dataset.last === text) return;
  const focused = document.activeElement?.closest?.("[data-line]")?.getAttribute("href");
  place.dataset.last = text;
  place.innerHTML = text;
  if (focused) place.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
  showAges(place);
  markLate();
}

function markLate() {
  for (const each of document.querySelectorAll("time[data-due]"))
    each.classList.toggle("late", new Date(each.dateTime) < Date.now());
}

// --- answers ---

const told = page.querySelector("[data-told]");

function complain(text) {
  told.textContent = text;
  told.hidden = false;
  told.scrollIntoView({ block: "nearest" });
}

async function answer(form, path, body) {
  told.hidden = true;
  const buttons = form.querySelectorAll("button");
  for (const each of buttons) each.disabled = true;
  try {
    await send(path, body);
    location.assign(`/inbox${page.dataset.query && `?${page.dataset.query}`}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const first = error.problem.by ?? error.problem.item?.completed_by;
    if (error.status === 409 && first) {
      complain(`${form.dataset.late.replace("{by}", first)} ${error.message}`);
      await renew();
      return;
    }
    complain(error.message);
    for (const each of buttons) each.disabled = false;
  }
}

question?.addEventListener("click", (event) => {
  const decision = event.target.dataset?.decide;
  if (decision) decide(decision);
  if ("delegate" in (event.target.dataset ?? {})) handOn();
});

function decide(decision) {
  const reason = question.elements.reason.value.trim();
  if (decision === "deny" && !reason) {
    question.elements.reason.focus();
    question.elements.reason.setAttribute("aria-invalid", "true");
    return;
  }
  let values = null;
  try {
    if (decision === "resolve") values = chosen();
    if (decision === "approve" && isChanged()) decision = "edit";
    if (decision === "edit") values = edited();
    if (decision === "approve") values = kept();
  } catch (error) {
    complain(error.message);
    return;
  }
  const id = encodeURIComponent(question.dataset.question);
  answer(question, `/v1/interventions/${id}/answer`, { decision, reason, values, shown_hash: question.dataset.shownHash });
}

function chosen() {
  const values = {};
  for (const choice of question.querySelectorAll("[data-choice]")) {
    const taken = choice.querySelector("input:checked");
    if (!taken) throw new Error(`${choice.querySelector("legend").textContent}: ?`);
    values[choice.dataset.choice] =
      taken.value === "take" ? { take: taken.dataset.branch } : { value: jsonOrText(choice.querySelector("[data-own]").value) };
  }
  return values;
}

function edited() {
  const values = {};
  for (const output of question.querySelectorAll("[data-output]")) {
    const text = output.querySelector("[data-edit]");
    const hunks = [...output.querySelectorAll("[data-hunk]")];
    if (text && text.value !== text.defaultValue)
      values[output.dataset.output] = output.dataset.json ? JSON.parse(text.value) : text.value;
    else if (hunks.some((each) => !each.checked))
      values[output.dataset.output] = { hunks: hunks.filter((each) => each.checked).map((each) => Number(each.dataset.hunk)) };
  }
  if (!Object.keys(values).length) throw new Error(question.querySelector("[data-decide]").textContent + ": ?");
  return values;
}

// Whether something of the proposal is left out, or written anew.
function isChanged() {
  const takes = question.dataset.options.split(" ").includes("edit");
  const left = question.querySelector("[data-hunk]:not(:checked)");
  const written = [...question.querySelectorAll("[data-edit]")].some((each) => each.value !== each.defaultValue);
  return takes && Boolean(left || written);
}

question?.addEventListener("input", () => {
  const button = question.querySelector("[data-decide=approve]");
  if (button) button.textContent = isChanged() ? button.dataset.part : button.dataset.whole;
});

function kept() {
  const marked = (name) => [...question.querySelectorAll(`[data-${name}]:checked`)].map((each) => each.dataset[name]);
  const values = {};
  if (marked("keep").length) values.keep = marked("keep");
  if (marked("release").length) values.release = marked("release");
  return Object.keys(values).length ? values : null;
}

function handOn() {
  const to = question.querySelector("[data-to]").value.trim();
  const id = encodeURIComponent(question.dataset.question);
  if (to) answer(question, `/v1/interventions/${id}/delegation`, { to, reason: question.elements.reason.value });
}

task?.addEventListener("submit", (event) => {
  event.preventDefault();
  const outputs = {};
  try {
    for (const field of task.querySelectorAll("[data-shape]")) {
      const value = valueOf(field);
      if (value !== undefined) outputs[field.name] = value;
    }
  } catch (error) {
    complain(error.message);
    return;
  }
  answer(task, `/v1/work-items/${encodeURIComponent(task.dataset.task)}/completion`, { outputs });
});

function valueOf(field) {
  const { shape } = field.dataset;
  if (shape === "yes-no") return field.checked;
  if (field.value === "") return undefined;
  if (shape === "number") return Number(field.value);
  if (shape === "any") return jsonOrText(field.value);
  return shape === "choice" || shape === "json" ? JSON.parse(field.value) : field.value;
}

function jsonOrText(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

// --- who is at it ---

page.addEventListener("click", async (event) => {
  const claims = event.target.matches("[data-claim]");
  if (!claims && !event.target.matches("[data-release]")) return;
  const kind = question ? "interventions" : "work-items";
  const path = `/v1/${kind}/${encodeURIComponent(page.dataset.chosen)}/claim`;
  try {
    await send(path, undefined, { method: claims ? "POST" : "DELETE" });
    location.reload();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    complain(error.message);
  }
});

// --- keys ---

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select")) return;
  const lines = [...page.querySelectorAll("[data-line]")];
  const at = lines.findIndex((each) => each === document.activeElement || each.hasAttribute("aria-current"));
  if (event.key === "j") lines[Math.min(lines.length - 1, at + 1)]?.focus();
  else if (event.key === "k") lines[Math.max(0, at - 1)]?.focus();
  else if (event.key === "a") page.querySelector("[data-decide=approve], [data-decide=resolve]")?.click();
  else if (event.key === "d") page.querySelector("[data-decide=deny]")?.click();
  else if (/^[1-9]$/.test(event.key)) page.querySelector(`[data-hunk="${event.key}"]`)?.click();
  else if (event.key === "n") page.querySelector("[data-next]")?.click();
  else if (event.key === "p") page.querySelector("[data-first]")?.click();
  else if (event.key === "m") mine();
  else return;
  event.preventDefault();
});

function mine() {
  const only = page.querySelector("[name=only]");
  only.value = only.value === "mine" ? "" : "mine";
  only.form.requestSubmit();
}

// Focus stays where somebody steps through the list.
page.addEventListener("focusin", (event) => {
  for (const each of page.querySelectorAll("[data-line].at")) each.classList.remove("at");
  event.target.closest?.("[data-line]")?.classList.add("at");
});
