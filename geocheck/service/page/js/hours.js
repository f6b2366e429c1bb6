// On which days and at what hours a sign holds, as `opening_hours` words.

import { el } from "./dom.js";

const DAYS = [
  ["", "o tempo todo"],
  ["Mo-Su", "todos os dias, das"],
  ["Mo-Fr", "de segunda a sexta, das"],
  ["Mo-Sa", "de segunda a sábado, das"],
  ["Sa", "aos sábados, das"],
  ["Su", "aos domingos, das"],
];

/** Return the fields; `told(hours)` hears the words, null for always. */
export function hoursField(name, told) {
  const days = el("select", { "aria-label": "Quando a placa vale" }, ...DAYS.map(([value, text]) => el("option", { value, text })));
  const from = el("input", { type: "time", value: "07:00", "aria-label": "Vale das" });
  const to = el("input", { type: "time", value: "19:00", "aria-label": "Vale até as" });
  const hours = el("span", { class: "hours", hidden: true }, from, " às ", to);
  days.addEventListener("change", () => {
    hours.hidden = !days.value;
  });
  const form = el("form", { class: "number", "data-hours": name }, el("span", { text: "Vale" }), days, hours, el("button", { type: "submit", text: "Pronto" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (days.value && (!from.value || !to.value)) return;
    told(days.value ? `${days.value} ${from.value}-${to.value}` : null);
  });
  return form;
}
