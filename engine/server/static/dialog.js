// Asks for a reason before something is done.

// What was said, or null: it is not to be done.
export function ask(title, go) {
  const dialog = document.querySelector("[data-dialog]");
  // One answer is for one question: what was asked for while it came up is not to be done.
  if (dialog.open) return Promise.resolve(null);
  dialog.querySelector("[data-title]").textContent = title;
  dialog.querySelector("[data-go]").textContent = go;
  const field = dialog.querySelector("textarea");
  field.value = "";
  dialog.returnValue = "cancel";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "go" ? field.value : null), { once: true });
  });
}
