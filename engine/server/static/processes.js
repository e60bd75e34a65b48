// Checks and deploys files, and starts instances.

import { Problem, element, send, tell, turns } from "./api.js";

const deploy = document.querySelector("[data-deploy]");
const found = document.querySelector("[data-findings]");
const answers = turns();

async function file() {
  const chosen = deploy.elements.file.files[0];
  return chosen ? { file: chosen.name, source: await chosen.text() } : null;
}

deploy?.querySelector("[data-check]").addEventListener("click", async () => {
  const given = await file();
  if (!given) return deploy.reportValidity();
  await attempt(async (isNewest) => {
    const checked = await send("/v1/checks", given);
    if (isNewest()) findings(checked.findings);
  });
});

deploy?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = await file();
  if (given) await keep(given);
});

async function keep(given) {
  await attempt(async () => {
    const version = await send("/v1/definitions", given);
    location.assign(`/processes/${encodeURIComponent(version.process)}`);
  }, given);
}

async function attempt(act, given) {
  const isNewest = answers();
  try {
    await act(isNewest);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (!isNewest()) return;
    if (Array.isArray(error.problem.findings)) findings(error.problem.findings);
    else if (given && error.problem.needs) ask(error.problem, given);
    else {
      found.replaceChildren();
      tell(error.message, { bad: true });
    }
  }
}

// What design time asks for before the file becomes a version: who agrees sends it again with what they saw.
function ask({ detail, needs, compared }, given) {
  const form = document.querySelector("[data-agree]").content.cloneNode(true).firstElementChild;
  const approval = compared.review.level === "EXPLICIT_APPROVAL";
  form.querySelector("[data-message]").textContent = detail;
  form.querySelector("[data-changes]").append(
    ...compared.changes.map(({ element: where, field, before, after }) =>
      element("li", {}, element("b", { textContent: where }), ` ${field}: ${before || "–"} → ${after || "–"}`),
    ),
  );
  form.elements.reason.required = true;
  if (!approval) form.querySelector("[data-reason]").remove();
  if (!["look", "reason"].includes(needs)) form.querySelector(".buttons").remove();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    keep({ ...given, seen: compared.seen, reason: form.elements.reason?.value ?? "" });
  });
  found.replaceChildren(form);
}

function findings(all) {
  document.querySelector(".toast").hidden = true;
  const { rules, error, warning } = { rules: JSON.parse(document.querySelector("[data-rules]")?.textContent ?? "{}"), ...found.dataset };
  const lines = all.map((each) =>
    element(
      "li",
      { className: each.severity },
      element("b", { textContent: { error, warning }[each.severity] }),
      ` ${each.line ? `${each.line}: ` : ""}${each.element ?? ""} ${rules[each.rule] ?? ""} `,
      element("span", { lang: "en", textContent: `${each.message}${each.found ? ` (${each.found})` : ""}` }),
      element("small", { textContent: each.rule }),
    ),
  );
  if (lines.length) found.replaceChildren(element("ul", { className: "findings" }, ...lines));
  else found.replaceChildren(element("p", { className: "none", textContent: found.dataset.fine }));
}

document.querySelector("[data-start]")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const told = form.querySelector("[data-told]");
  const button = form.querySelector("button.primary");
  told.hidden = true;
  button.disabled = true;
  try {
    const variables = JSON.parse(form.elements.variables.value || "{}");
    const given = { process: form.dataset.start, variables, simulate: form.elements.simulate.checked };
    const headers = { prefer: "respond-async", "idempotency-key": crypto.randomUUID?.() ?? String(Math.random()) };
    const begun = await send("/v1/instances", given, { headers });
    location.assign(`/instances/${encodeURIComponent(begun.instance)}`);
  } catch (error) {
    told.textContent = error.message;
    told.hidden = false;
    button.disabled = false;
  }
});
