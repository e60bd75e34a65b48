// Keys and people.

import { attempt, send } from "./api.js";

const words = (text) => text.split(/[\s,]+/).filter(Boolean);

document.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  attempt(async () => {
    if ("newKey" in form.dataset) {
      const days = form.elements.days.value ? Number(form.elements.days.value) : null;
      const made = await send("/v1/keys", { label: form.elements.label.value, days });
      const place = document.querySelector("[data-secret]");
      place.querySelector("code").textContent = made.secret;
      place.hidden = false;
      form.reset();
      return;
    }
    if ("newUser" in form.dataset) {
      const { name, password, roles } = form.elements;
      await send("/v1/users", { name: name.value, password: password.value, roles: words(roles.value) });
    } else {
      const address = `/v1/users/${encodeURIComponent(form.dataset.roles)}`;
      await send(address, { roles: words(form.elements.roles.value) }, { method: "PATCH" });
    }
    location.reload();
  });
});

document.addEventListener("click", (event) => {
  const { revoke, disable, now } = event.target.dataset ?? {};
  if (!revoke && !disable) return;
  attempt(async () => {
    if (revoke) await send(`/v1/keys/${encodeURIComponent(revoke)}`, undefined, { method: "DELETE" });
    else await send(`/v1/users/${encodeURIComponent(disable)}`, { disabled: Boolean(now) }, { method: "PATCH" });
    location.reload();
  });
});
