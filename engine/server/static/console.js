// What every page of the console does.

import { send, tell } from "./api.js";

document.querySelector("[data-sign-out]")?.addEventListener("click", async () => {
  const token = document.querySelector('meta[name="csrf-token"]').content;
  await fetch("/sign-out", { method: "POST", headers: { "x-csrf-token": token }, redirect: "manual" });
  location.assign("/sign-in");
});

for (const field of document.querySelectorAll("[data-submits]"))
  field.addEventListener("change", () => field.form.requestSubmit());

const language = document.documentElement.lang;
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const units = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

export function age(at, now = Date.now()) {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? units[3];
  return relative.format(Math.round(seconds / size), unit);
}

// Moments as people say them; the exact one stays in the title.
export function showAges(root = document) {
  for (const each of root.querySelectorAll("time[data-age]")) {
    each.title ||= each.textContent;
    each.textContent = age(each.dateTime);
  }
}

showAges();
setInterval(showAges, 15000);

export { send, tell };
