// Asks for the access key of a service that wants one; it is kept on this device only.

import { button, el } from "./dom.js";

let asking = null;

/** Open the dialog; the key, or null where the user closed it. Who asks meanwhile waits for the same answer. */
export function askForKey() {
  asking ??= opened().finally(() => {
    asking = null;
  });
  return asking;
}

function opened() {
  const input = el("input", { id: "key", type: "password", autocomplete: "current-password", spellcheck: "false" });
  const form = el(
    "form",
    { method: "dialog" },
    el("h2", { id: "key-title", text: "Chave de acesso" }),
    el("p", { text: "Este serviço pede uma chave. Quem o mantém pode dar uma; ela fica guardada só neste aparelho." }),
    el("p", { class: "field" }, el("label", { for: "key", text: "Chave" }), input),
    el("div", { class: "buttons" }, el("button", { type: "submit", text: "Entrar", class: "main" }), button("Cancelar", () => dialog.close())),
  );
  const dialog = el("dialog", { "aria-labelledby": "key-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    let key = null;
    form.addEventListener("submit", () => {
      key = input.value.trim() || null;
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(key);
    });
  });
}
