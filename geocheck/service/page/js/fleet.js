// Asks for a skip of the company's own: its name and sizes.

import { button, el } from "./dom.js";
import { parseNumber, plain } from "./words.js";

const FIELDS = [
  ["volume_m3", "Capacidade (m³)", 60, false],
  ["length_m", "Comprimento (m)", 12, true],
  ["width_m", "Largura (m)", 12, true],
  ["height_m", "Altura das três faces altas (m)", 12, false],
  ["low_face_m", "Altura da face baixa (m)", 12, false],
];

/** Open the dialog; the skip, or null where the user closed it. */
export function askForSkip(known) {
  const name = el("input", { id: "own-name", maxlength: "60", required: true, autocomplete: "off", value: known.name ?? "" });
  const inputs = new Map(FIELDS.map(([key]) => [key, el("input", { id: `own-${key}`, inputmode: "decimal", autocomplete: "off", value: known[key] ? plain(known[key]) : "" })]));
  const trouble = el("p", { class: "alert", role: "alert", hidden: true });
  const form = el(
    "form",
    { method: "dialog", novalidate: true },
    el("h2", { id: "own-title", text: "Caçamba da minha frota" }),
    el("p", {}, el("small", { text: "Fica guardada só neste aparelho." })),
    row("own-name", "Nome ou número", name),
    ...FIELDS.map(([key, label, , needed]) => row(`own-${key}`, needed ? label : `${label}, se souber`, inputs.get(key))),
    trouble,
    el("div", { class: "buttons" }, el("button", { type: "submit", text: "Guardar", class: "main" }), button("Cancelar", () => dialog.close())),
  );
  const dialog = el("dialog", { "aria-labelledby": "own-title" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    let skip = null;
    form.addEventListener("submit", (event) => {
      const [read, wrong] = readSkip(name, inputs);
      if (wrong) {
        event.preventDefault();
        trouble.hidden = false;
        trouble.textContent = wrong.text;
        wrong.input.focus();
      }
      skip = wrong ? null : read;
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(skip);
    });
  });
}

function readSkip(name, inputs) {
  const skip = { name: name.value.trim() };
  if (!skip.name) return [null, { input: name, text: "Dê um nome ou número à caçamba." }];
  for (const [key, label, most, needed] of FIELDS) {
    const input = inputs.get(key);
    const value = parseNumber(input.value);
    if (!input.value.trim() && !needed) skip[key] = null;
    else if (value === null || value <= 0 || value > most) return [null, { input, text: `${label}: escreva um número entre 0 e ${most}, como 2,65.` }];
    else skip[key] = value;
  }
  if (skip.low_face_m && skip.height_m && skip.low_face_m > skip.height_m) return [null, { input: inputs.get("low_face_m"), text: "A face baixa não passa da altura das outras." }];
  return [skip, null];
}

function row(id, label, input) {
  return el("p", { class: "field" }, el("label", { for: id, text: label }), input);
}
