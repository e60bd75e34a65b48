// Knowledge and experience: vouch for, retire, end, and write down.

import { attempt, send, tell } from "./api.js";
import { ask } from "./dialog.js";

document.addEventListener("click", async (event) => {
  const { call, reason } = event.target.dataset ?? {};
  if (!call) return;
  const said = reason ? await ask(reason, event.target.textContent) : "";
  if (said === null) return;
  await attempt(async () => {
    await send(call, reason ? { reason: said } : undefined);
    location.reload();
  });
});

document.querySelector("[data-new-knowledge]")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { text, type, title } = event.target.elements;
  attempt(async () => {
    const kept = await send("/v1/knowledge", { text: text.value, type: type.value, title: title.value });
    if (kept.result === "known") tell(event.target.querySelector("[data-known]").dataset.known);
    else location.reload();
  });
});
