// Asks for a reason before something is done.

// What was said, or null: it is not to be done.
export function ask(title, go) {
  const dialog = document.querySelector("[data-dialog]");
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
