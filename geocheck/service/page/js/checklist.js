// What is pending as a checklist: one tap, a number or a date for each question; what was answered can be undone.

import { identity, noneNear, questionsOf } from "./answers.js";
import { button, el, fold } from "./dom.js";
import { capital, GROUPS, moment, number, parseNumber, plain } from "./words.js";
import { hoursField } from "./hours.js";

const CHOICES = {
  plates: [[0, "Só abrigo"], [1, "Uma placa"], [2, "Duas (início e fim)"]],
  kind: [["bay_line", "Linha de vaga"], ["channelisation", "Canalização"], ["stop_line", "Linha de retenção"], ["disabled", "Pessoa com deficiência"], ["elderly", "Idoso"], ["emergency", "Emergência"], ["exclusive", "Exclusiva"], ["paid_parking", "Rotativo pago"], ["irregular", "Irregular"], ["other", "Outra"]],
};
const STILL_OPEN = "O que foi respondido ainda não decide tudo: veja em “O que pesa” o que falta, e meça no local.";
const NO_YES = [[false, "Não"], [true, "Sim"]];

/** Return a function that makes the checklist of a report; `tell`, `tellAll` and `undo` hear the user. */
export function createChecklist(heard) {
  let before = new Map();
  return function checklist(report, answers, waiting) {
    const now = new Map();
    // A question that stays is the same element: what is typed in it stays as well.
    const item = (question) => {
      const name = JSON.stringify([identity(question), question.text, question.rules]);
      now.set(name, before.get(name) ?? made(question, heard.tell));
      return now.get(name);
    };
    const parts = list(report, answers, waiting, { ...heard, item });
    before = now;
    return parts;
  };
}

function list(report, answers, waiting, heard) {
  const known = new Set(answers.map(identity));
  const open = questionsOf(report).filter((each) => !known.has(identity(each)));
  const parts = Object.entries(GROUPS).map(([group, title]) => errand(title, open.filter((each) => each.group === group), heard));
  if (!open.length && !answers.length) return [];
  return [
    el("h2", { id: "open-title", tabindex: "-1", text: open.length ? `Falta saber (${open.length})` : waiting ? "Um instante…" : "Nada mais a perguntar" }),
    open.length === 0 && !waiting && el("p", { text: report.pending.length ? STILL_OPEN : "A resposta acima é a final para o que foi dito." }),
    ...parts.filter(Boolean),
    answers.length > 0 && fold("answered", `Respondido (${answers.length})`, [el("ul", { class: "answered" }, ...answers.map((each) => given(each, heard.undo)))], true),
  ].filter(Boolean);
}

function errand(title, questions, { item, tellAll }) {
  if (!questions.length) return null;
  const plainLooks = questions.filter((each) => each.kind === "look");
  const none = plainLooks.length > 1 && button(`Nada disso: “não” às ${plainLooks.length}`, () => tellAll(plainLooks, "none"), { class: "all" });
  const rest = questions.filter((each) => each.kind !== "look");
  const box = none && el("div", { class: "together" }, ...together(plainLooks, item), none);
  return el("section", { class: "errand" }, el("h3", { text: title }), box, el("ul", {}, ...(none ? rest : questions).map(item)));
}

const LEADS = [...["sobre", "diante de"].map((where) => `A caçamba fica ${where} `), "Há "];

/** Questions that begin alike stand under their beginning, which only a screen reader then hears again. */
function together(questions, item) {
  const groups = [...LEADS, ""].map((lead) => [lead, questions.filter((each) => leadOf(each.text) === lead)]);
  return groups
    .filter(([, alike]) => alike.length)
    .map(([lead, alike]) => el("div", {}, lead && el("p", { class: "lead", "aria-hidden": "true", text: `${lead.trim()}…` }), el("ul", {}, ...alike.map(item))));
}

function leadOf(text) {
  return LEADS.find((each) => text.startsWith(each)) ?? "";
}

function made(question, tell) {
  const lead = leadOf(question.text);
  const words = [lead && el("span", { class: "begin", text: lead }), el("span", { text: question.text.slice(lead.length) })];
  const name = identity(question);
  const rules = question.rules.map((each) => el("small", { class: "rule", text: each }));
  return el("li", { class: "question", "data-question": name }, el("p", {}, ...words, " ", ...rules.flatMap((each) => [each, " "])), control(question, (value, other = question) => tell(other, value)));
}

function control(question, told) {
  switch (question.kind) {
    case "look":
      return taps(question, question.text.startsWith("Há ") ? [["none", "Não há"], ["present", "Há"]] : [["none", "Não"], ["present", "Sim"]], told);
    case "beside":
      return taps(question, [["none", "Não"], ["present", "Sim"]], told);
    case "lot":
      return taps(question, [["no", "Não"], ["part", "Só parte"], ["whole", "Inteira"]], told);
    case "yes":
      return taps(question, NO_YES, told);
    case "attribute":
      return taps(question, CHOICES[question.key] ?? NO_YES, told);
    case "sign":
      return signControl(question, told);
    case "count":
      return numberField(question, "", (value) => (Number.isInteger(value) ? value : null), told);
    case "measure":
      return tape(question, told);
    case "size":
      return numberField(question, unitOf(question.key), (value) => value, told);
    case "date":
      return dateField(question, told);
    default:
      return null;
  }
}

function taps(question, choices, told) {
  return el("div", { class: "taps", role: "group", "aria-label": question.text }, ...choices.map(([value, text]) => button(text, () => told(value))));
}

function signControl(question, told) {
  const more = el("div", { hidden: true });
  const row = el("div", { class: "taps", role: "group", "aria-label": question.text }, button("Não há", () => told("none")), button("Há", () => {
    more.hidden = false;
    more.querySelector("select").focus();
  }, { "aria-expanded": "false" }));
  more.append(hoursField(identity(question), (hours) => told({ hours })));
  row.lastChild.addEventListener("click", () => row.lastChild.setAttribute("aria-expanded", "true"));
  return el("div", {}, row, more);
}

/** A field for the distance, and a tap for those who see that there is nothing so near. */
function tape(question, told) {
  const near = noneNear(question);
  const field = numberField(question, unitOf(question.key), (value) => value, (value) => told(value));
  if (!near) return field;
  return el("div", {}, field, el("div", { class: "taps" }, button(capital(noneWords(near)), () => told("none", near), { "aria-label": `${question.text}: ${noneWords(near)}` })));
}

const SIDED = ["corner", "driveway"];

function noneWords({ layer, reach }) {
  return `não há até ${number(reach)} m${SIDED.includes(layer) ? ", de nenhum lado" : ""}`;
}

function unitOf(key) {
  if (key.endsWith("_m3")) return "m³";
  return key.endsWith("_deg") ? "°" : "m";
}

function numberField(question, unit, sound, told) {
  const input = el("input", { inputmode: unit ? "decimal" : "numeric", autocomplete: "off", "aria-label": unit ? `${question.text}, em ${unit}` : question.text });
  const wrong = el("small", { class: "wrong", role: "alert" });
  const form = el("form", { class: "number", novalidate: true }, input, unit && el("span", { text: unit, "aria-hidden": "true" }), el("button", { type: "submit", text: "Pronto" }), wrong);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const read = parseNumber(input.value);
    const value = read === null ? null : sound(read);
    input.setAttribute("aria-invalid", String(value === null));
    wrong.textContent = value === null ? (unit ? "Escreva um número, como 6,20." : "Escreva um número inteiro.") : "";
    if (value !== null) told(value);
  });
  return form;
}

function dateField(question, told) {
  const input = el("input", { type: "datetime-local", required: true, "aria-label": question.text });
  const form = el("form", { class: "number" }, input, el("button", { type: "submit", text: "Pronto" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    told(input.value);
  });
  return form;
}

/** One answer with its undoing. */
function given(answer, undo) {
  const said = wordOf(answer);
  return el("li", {}, el("span", {}, `${answer.text} `, el("b", { text: said })), button("Desfazer", () => undo(answer), { class: "link", "aria-label": `Desfazer: ${answer.text} ${said}` }));
}

function wordOf(answer) {
  const { kind, key, text, value } = answer;
  if (kind === "none_near") return noneWords(answer);
  if (kind === "sign") return value === "none" ? "não há" : `há, ${value.hours ?? "o tempo todo"}`;
  if (kind === "look" && text.startsWith("Há ")) return value === "none" ? "não há" : "há";
  if (kind === "look" || kind === "beside") return value === "none" ? "não" : "sim";
  if (kind === "lot") return { whole: "inteira", part: "só parte", no: "não" }[value];
  if (typeof value === "boolean") return value ? "sim" : "não";
  if (kind === "attribute") return (CHOICES[key]?.find(([known]) => known === value)?.[1] ?? capital(String(value))).toLowerCase();
  if (kind === "date") return moment(value);
  if (kind === "count") return String(value);
  return `${kind === "measure" ? number(value) : plain(value)} ${unitOf(key)}`;
}
