// The answer beside the map: verdict, notices, findings by gravity, what to keep, what is required, when to leave.

import { el, fold } from "./dom.js";
import { measuredAgainst, moment, OUTCOMES, PLACES, VERDICTS } from "./words.js";

const GRAVITY = Object.keys(OUTCOMES);
const GRAVE_NOTICES = ["revoked", "not_yet_in_force", "law_changes", "rules_change"];
const OF_THE_SPOT = ["off_map", "no_kerb", "size_missing"]; // then the map tells nothing at all

/** The verdict in word, sign and colour, with its reason, the leave-by date and the notices nobody may miss. */
export function verdict(report) {
  const { sign, word } = VERDICTS[report.verdict];
  const grave = report.notices.filter((each) => GRAVE_NOTICES.includes(each.code));
  grave.sort((one, other) => GRAVE_NOTICES.indexOf(one.code) - GRAVE_NOTICES.indexOf(other.code));
  return [
    el("p", { class: `verdict ${report.verdict}`, "data-verdict": report.verdict }, el("span", { class: "sign", "aria-hidden": "true", text: sign }), el("b", { text: word })),
    el("p", { class: "summary", text: report.summary }),
    report.stay.leave_by && el("p", { class: "leave" }, "Retirar até ", el("b", { text: moment(report.stay.leave_by) }), report.stay.basis && el("small", { text: ` ${report.stay.basis}` })),
    ...grave.map((each) => fold(`notice ${each.code}`, headline(each.text), [el("p", { text: each.text })], false)).map(warned),
    ...report.notices.filter((each) => OF_THE_SPOT.includes(each.code)).map((each) => el("p", { class: "alert", text: each.text })),
    report.kerb && el("p", { class: "kerb" }, el("small", { text: kerbLine(report) })),
  ].filter(Boolean);
}

function warned(made) {
  made.className = "grave";
  return made;
}

/** The first words of a notice, up to where it goes into detail. */
function headline(text) {
  const end = text.search(/[;.](\s|$)/);
  return end > 0 ? text.slice(0, end) : text;
}

function kerbLine({ kerb, where }) {
  const place = PLACES[where] ?? where;
  return `${kerb.street ?? "Rua sem nome no mapa"}, ${place.toLowerCase()}; guia do mapa com ± ${kerb.accuracy_m.toLocaleString("pt-BR", { maximumFractionDigits: 2 })} m`;
}

const aside = (each) => each.outcome === "not_applicable" || each.displaced_by;

/** What weighs, the gravest first, what to keep, what is required. */
export function details(report, { pointable, point, hold }) {
  const weighs = report.findings.filter((each) => !aside(each) && each.outcome !== "compliant");
  weighs.sort((one, other) => GRAVITY.indexOf(one.outcome) - GRAVITY.indexOf(other.outcome));
  return [
    ...section("O que pesa", weighs.map((each) => found(each, pointable, point)), "findings"),
    ...section("Manter", report.conditions.map((each) => el("li", { text: each.text })), "kept"),
    ...section("Exige", report.requires.map((each) => required(each, hold)), "required"),
    ...fines(report.penalties),
  ];
}

function fines({ total_brl, total_ufm, notes }) {
  const sums = [total_brl && `R$ ${total_brl.replace(".", ",")}`, total_ufm && `${total_ufm.replace(".", ",")} unidades fiscais`].filter(Boolean);
  if (!sums.length) return [];
  return section("Multas em vigor, somadas", [sums.join(" e "), ...notes].map((text) => el("li", { text })), "fines");
}

/** What is read by whoever wants to know more. */
export function folds(report, { pointable, point }) {
  const item = (finding) => found(finding, pointable, point);
  const passed = report.findings.filter((each) => !aside(each) && each.outcome === "compliant");
  const notices = report.notices.filter((each) => ![...GRAVE_NOTICES, ...OF_THE_SPOT].includes(each.code));
  return [
    ...folded("Conformes", passed.map(item)),
    ...folded("Segunda opinião (Código de Trânsito)", report.second_opinion.filter((each) => !aside(each)).map(item)),
    ...folded("Não se aplicam", report.findings.filter(aside).map(item)),
    ...folded("Papéis, marcas e conduta", report.checklist.map((each) => el("li", { text: `${each.text} (${each.law.locator})` }))),
    ...folded("Quem pode decidir de outro modo", report.powers.map((each) => el("li", { text: `${each.authority}: ${each.effect} (${each.rule})` }))),
    ...folded("Prazo, dia a dia", [...report.stay.counted, ...report.stay.shortens].map((text) => el("li", { text }))),
    ...folded("Como foi lido o pedido", notices.map((each) => el("li", { text: each.text }))),
    ...folded("Normas", report.rulebooks.map((each) => el("li", { text: each.title }))),
  ];
}

function section(title, items, name) {
  return items.length ? [el("section", { class: name }, el("h2", { text: title }), el("ul", {}, ...items))] : [];
}

function folded(title, items) {
  return items.length ? [fold(title, `${title} (${items.length})`, [el("ul", {}, ...items)])] : [];
}

function found(finding, pointable, point) {
  const { sign, word } = OUTCOMES[finding.outcome];
  const value = measuredAgainst(finding);
  const look = pointable(finding.rule) && el("button", { type: "button", class: "link", text: "ver no mapa", "aria-label": `Ver no mapa: ${finding.title}` });
  if (look) look.addEventListener("click", () => point(finding.rule));
  return el(
    "li",
    { class: `finding ${finding.outcome}`, "data-rule": finding.rule },
    el("p", {}, el("span", { class: `mark ${finding.outcome}` }, el("span", { "aria-hidden": "true", text: `${sign} ` }), word), " ", el("b", { text: finding.title })),
    el("p", { text: finding.message }),
    el("p", { class: "cited" }, el("small", { text: [`${finding.law.locator} (${finding.rule})`, value].filter(Boolean).join(" · ") }), look && " ", look),
  );
}

function required(entry, hold) {
  const box = el("input", { type: "checkbox" });
  box.checked = entry.held;
  box.addEventListener("change", () => hold(entry.rule, box.checked));
  return el("li", {}, el("label", { class: "check" }, box, el("span", {}, el("span", { text: entry.text }), " ", el("small", { text: `${entry.rule}; marque se já tem` }))));
}
