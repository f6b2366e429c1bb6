// Words, signs and numbers as Brazilians write them; outcomes are told apart by word, sign, dash and colour.

export const VERDICTS = {
  prohibited: { sign: "✕", word: "Proibido" },
  inconclusive: { sign: "?", word: "Inconclusivo" },
  conditional: { sign: "!", word: "Depende" },
  no_impediment_found: { sign: "✓", word: "Nenhum impedimento encontrado" },
};

/** By outcome, the gravest first. */
export const OUTCOMES = {
  violation: { sign: "✕", word: "não conforme", colour: "#b00020", dash: null, weight: 6 },
  borderline: { sign: "≈", word: "limítrofe", colour: "#8f5200", dash: "14 7", weight: 5 },
  conditional: { sign: "!", word: "depende", colour: "#6b3fa0", dash: "14 5 2 5", weight: 4 },
  not_evaluated: { sign: "?", word: "não avaliada", colour: "#4a4a4a", dash: "2 9", weight: 4 },
  compliant: { sign: "✓", word: "conforme", colour: "#14702f", dash: "6 6", weight: 3 },
  not_applicable: { sign: "–", word: "não se aplica", colour: "#5f5f5f", dash: "1 14", weight: 2 },
};

export const PLACES = {
  carriageway: "Pista",
  parking_bay: "Remanso ou baia de estacionamento",
  shoulder: "Acostamento",
  footway: "Calçada",
  property: "Dentro do imóvel",
};

export const GROUPS = {
  around: "Um olhar em volta da caçamba",
  block: "Uma caminhada pela quadra",
  tape: "Com a trena",
  facts: "Perguntar ou informar",
};

/** Write a number with a decimal comma. */
export function number(value, decimals = 2) {
  return value.toLocaleString("pt-BR", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Write a number with no more decimals than it has. */
export function plain(value) {
  return value.toLocaleString("pt-BR", { maximumFractionDigits: 2 });
}

/** Read a number written with comma or point; null where it is none. */
export function parseNumber(text) {
  const written = text.trim().replace(/\s*(m³|m|°)$/i, "");
  if (!/^\d{1,4}([.,]\d{1,3})?$/.test(written)) return null;
  return Number(written.replace(",", "."));
}

const UNITS = { m: " m", m3: " m³", deg: "°", h: " h", days: " dias", kg: " kg" };

/** Say what a finding measured against what limit; empty where there are no such numbers. */
export function measuredAgainst(finding) {
  const told = [];
  for (const [unit, sign] of Object.entries(UNITS)) {
    const value = finding[`measured_${unit}`];
    const limit = finding[`limit_${unit}`];
    if (typeof value === "number") told.push(`medido ${number(value)}${sign}${unit === "m" ? doubt(finding) : ""}`);
    if (typeof limit === "number" && limit > 0) told.push(`limite ${number(limit)}${sign}`);
  }
  return told.join(" · ");
}

function doubt({ uncertainty_m: u }) {
  return typeof u === "number" && u >= 0.005 ? ` ± ${number(u)} m` : "";
}

/** Turn what is to be done into a question (`ver se há hidrante` → `Há hidrante?`). */
export function asked(text) {
  const found = /^(ver|informar) (se |quantas |quantos )(.*)$/.exec(text);
  if (found) return capital(`${found[2] === "se " ? "" : found[2]}${found[3]}?`);
  return capital(text.replace(/^(medir|informar) /, ""));
}

export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Write an instant as the city's clocks show it (`sex, 14/08/2026 23:59`). */
export function moment(iso) {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?/.exec(iso ?? "");
  if (!found) return "";
  const [, year, month, day, hour, minute] = found;
  const week = ["dom", "seg", "ter", "qua", "qui", "sex", "sáb"];
  const name = week[new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()];
  return `${name}, ${day}/${month}/${year}${hour ? ` ${hour}:${minute}` : ""}`;
}
