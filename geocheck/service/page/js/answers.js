// What is pending as questions, and what was answered as the fields of a request. No page in here.

import { asked } from "./words.js";

const COUNTS = new Set(["skips_on_lot", "bays_on_block", "bays_occupied_on_block", "bays_occupied"]);
const SIZES = new Set(["length_m", "width_m", "height_m", "low_face_m", "volume_m3"]);
const OF_THE_SKIP = new Set(["size", "date"]);
const ATTRIBUTES = new Set(["plates", "box", "identified", "kind", "of_served_lot"]);
const FAR_M = 50;
const BEYOND_M = 0.001; // what is not within some metres is farther than them

/** Kinds of question that an answer may be of; those of a number, of yes and no, and of a choice. */
export const KINDS = ["look", "none_near", "beside", "lot", "sign", "attribute", "measure", "yes", "count", "size", "date"];

/** Whether an answer is about the skip itself, and so holds wherever it stands. */
export function ofTheSkip(answer) {
  return OF_THE_SKIP.has(answer.kind);
}

/** What makes two questions the same one. */
export function identity({ kind, layer, key, code, reach }) {
  return [kind, layer, key, code, kind === "attribute" || kind === "measure" ? null : reach].join("|");
}

/** Of a distance to be measured: the question whether there is no such thing as near as that; else null. */
export function noneNear(question) {
  const near = question.kind === "measure" && question.layer && question.reach > 0 && question.key.startsWith(`${question.layer}_`);
  return near ? { ...question, kind: "none_near", key: null } : null;
}

/** Return the questions of a report, each once, with the rules that wait for it. */
export function questionsOf(report) {
  const found = new Map();
  for (const entry of report.pending) {
    for (const question of questions(entry, report)) {
      const id = identity(question);
      const known = found.get(id);
      if (known) known.rules.push(entry.rule);
      else found.set(id, { ...question, rules: [entry.rule] });
    }
  }
  return [...found.values()];
}

function questions(entry, report) {
  const base = { layer: entry.layer, key: entry.key, reach: entry.reach_m, code: null, group: entry.group ?? "block", text: asked(entry.text) };
  // A tape may measure the skip itself; a request has that among its own sizes.
  if (SIZES.has(entry.key)) return [{ ...base, kind: "size", layer: null, reach: null }];
  if (entry.action === "measure") return [{ ...base, kind: "measure" }];
  if (entry.action === "tell") return [{ ...base, kind: toldKind(entry.key ?? ""), layer: null, reach: null }];
  if (entry.key === "bounds_median") return [{ ...base, kind: "beside" }];
  if (ATTRIBUTES.has(entry.key)) return [{ ...base, kind: "attribute", reach: distance(entry, report) }];
  if (entry.layer === "lot") return [{ ...base, kind: "lot" }];
  // The codes of a sign stand in the question alone; each is a question of its own.
  const codes = entry.layer === "sign" ? [...new Set(entry.text.match(/R-6[abc]/g) ?? [])] : [];
  if (codes.length) return codes.map((code) => ({ ...base, kind: "sign", code, text: `Há placa ${code} (${SIGNS[code]}) que valha para este lugar da quadra?` }));
  return [{ ...base, kind: "look" }];
}

const SIGNS = { "R-6a": "proibido estacionar", "R-6b": "estacionamento regulamentado", "R-6c": "proibido parar e estacionar" };

function toldKind(key) {
  if (key.startsWith("site.")) return COUNTS.has(key.slice(5)) ? "count" : "yes";
  if (key.startsWith("in_zone.")) return "yes";
  if (key === "end" || key === "full_at") return "date";
  return /_(m|deg)$/.test(key) ? "measure" : "none";
}

/** How far away the thing is at most of which an attribute is asked: as the map has it, else within the block. */
function distance(entry, report) {
  const finding = report.findings.find((each) => each.rule === entry.rule && each.feature?.layer === entry.layer);
  if (typeof finding?.measured_m !== "number") return FAR_M;
  return Math.ceil((Math.max(finding.measured_m, 0) + (finding.uncertainty_m ?? 0)) * 100) / 100;
}

/** Put an answer in the place of an older one to the same question, or of one that it contradicts. */
export function answered(answers, question, value) {
  const { rules: _, ...kept } = question;
  const fresh = { ...kept, value };
  return [...answers.filter((each) => identity(each) !== identity(fresh) && !contradict(each, fresh)), fresh];
}

/** Whether two answers cannot both be true, as the service sees it. */
function contradict(one, other) {
  const [a, b] = [bounds(one), bounds(other)];
  return a !== null && b !== null && a.layer === b.layer && (a.least > b.most || b.least > a.most);
}

/** Between what distances the nearest thing of a layer then is; null where an answer tells nothing of that. */
function bounds({ kind, layer, key, reach, value }) {
  if (key?.startsWith("in_zone.")) return { layer: key.slice(8), least: value ? 0 : BEYOND_M, most: value ? 0 : Infinity };
  if (kind === "measure" && layer) return { layer, least: key === `${layer}_m` ? value : 0, most: value };
  if (kind !== "look" && kind !== "none_near") return null;
  return value === "none" ? { layer, least: (reach ?? FAR_M) + BEYOND_M, most: Infinity } : { layer, least: 0, most: reach ?? FAR_M };
}

/** Return the fields of a request that say what was answered. */
export function told(answers) {
  const fields = { measured: {}, observed: [], in_zone: {}, site: {} };
  for (const answer of answers) {
    const [head, tail] = (answer.key ?? "").split(".");
    if (answer.kind === "measure") fields.measured[answer.key] = answer.value;
    else if (head === "site" || head === "in_zone") fields[head][tail] = answer.value;
    else if (OF_THE_SKIP.has(answer.kind)) fields[answer.key] = answer.value;
    else if (answer.kind !== "attribute") fields.observed.push(observation(answer));
  }
  for (const answer of answers) if (answer.kind === "attribute") describe(fields.observed, answer);
  return fields;
}

function observation({ kind, layer, reach, code, value }) {
  if (kind === "sign") {
    const attributes = value === "none" ? { code } : { code, ...(value.hours ? { hours: value.hours } : {}) };
    return { layer, state: value === "none" ? "none" : "present", reach_m: 0, attributes };
  }
  if (kind === "lot") {
    const attributes = value === "no" ? { of_served_lot: false } : { of_served_lot: true, coverage: value };
    return { layer, state: "present", reach_m: 0, attributes };
  }
  const seen = { layer, state: value, reach_m: reach ?? FAR_M };
  return kind === "beside" && value === "present" ? { ...seen, attributes: { bounds_median: true } } : seen;
}

/** Say an attribute of the nearest thing seen of a layer; of one that only the map has, a new one is said. */
function describe(observed, { layer, key, reach, value }) {
  const seen = observed.filter((each) => each.layer === layer && each.state === "present" && !each.attributes?.code);
  const nearest = seen.sort((one, other) => one.reach_m - other.reach_m)[0];
  if (nearest) nearest.attributes = { ...nearest.attributes, [key]: value };
  else observed.push({ layer, state: "present", reach_m: reach, attributes: { [key]: value } });
}
