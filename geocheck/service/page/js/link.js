// The state of the page as the fragment of a link, and back: nothing that a link says is taken on trust.

import { KINDS } from "./answers.js";
import { EMPTY } from "./request.js";
import { GROUPS, PLACES } from "./words.js";

const PLAIN = "g0."; // of browsers that cannot compress
const PACKED = "g1.";
const MOST = 12_000;
const MOST_UNPACKED = 60_000;

/** Write a state as a fragment, without `#`. */
export async function encode(state) {
  const { skip } = state;
  const short = {
    c: state.city,
    p: place(state.spot),
    h: place(state.anchor),
    k: [skip.volume_m3, skip.length_m, skip.width_m, skip.height_m, skip.low_face_m, skip.name],
    s: state.start,
    e: state.end,
    w: state.where,
    a: state.authorised,
    r: state.answers.map((each) => [each.kind, each.layer, each.key, each.reach, each.code, each.group, each.text, each.value]),
  };
  const bytes = new TextEncoder().encode(JSON.stringify(short));
  if (!globalThis.CompressionStream) return PLAIN + base64(bytes);
  return PACKED + base64(await through(bytes, new CompressionStream("deflate-raw"), MOST_UNPACKED));
}

/** Read a fragment; null where it is empty, undefined where it is no state of ours. */
export async function decode(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text || /^[a-z-]{1,30}$/.test(text)) return null; // a place on the page
  const packed = text.startsWith(PACKED);
  if ((!packed && !text.startsWith(PLAIN)) || text.length > MOST) return undefined;
  try {
    const kept = Uint8Array.from(atob(text.slice(PACKED.length).replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
    const bytes = packed ? await through(kept, new DecompressionStream("deflate-raw"), MOST_UNPACKED) : kept;
    return stateOf(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    return undefined;
  }
}

function base64(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Send bytes through a stream; more than `most` of them are refused. */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const found = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    found.push(...part.value);
    if (found.length > most) throw new RangeError("too long");
  }
  return Uint8Array.from(found);
}

function stateOf(short) {
  const city = word(short.c, /^[a-z0-9-]{1,60}$/);
  if (city === null) return undefined;
  const [volume_m3, length_m, width_m, height_m, low_face_m, name] = Array.isArray(short.k) ? short.k : [];
  return {
    ...EMPTY,
    city,
    spot: lonlat(short.p),
    anchor: lonlat(short.h),
    skip: {
      name: text(name, 60),
      volume_m3: within(volume_m3, 0, 60),
      length_m: within(length_m, 0, 12),
      width_m: within(width_m, 0, 12),
      height_m: within(height_m, 0, 12),
      low_face_m: within(low_face_m, 0, 12),
    },
    start: word(short.s, TIME),
    end: word(short.e, TIME),
    where: Object.hasOwn(PLACES, short.w) ? short.w : EMPTY.where,
    authorised: list(short.a).map((each) => word(each, /^[A-Z]{2,4}-\d{2}$/)).filter(Boolean).slice(0, 50),
    answers: list(short.r).map(answer).filter(Boolean).slice(0, 100),
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

function answer(row) {
  const [kind, layer, key, reach, code, group, said, value] = list(row);
  if (!KINDS.includes(kind) || !Object.hasOwn(GROUPS, group) || text(said, 300) === null) return null;
  const kept = valueOf(kind, value);
  if (kept === null) return null;
  return {
    kind,
    layer: word(layer, /^[a-z_]{1,40}$/),
    key: word(key, /^[a-z0-9_.]{1,60}$/),
    reach: within(reach, -1, 2000),
    code: word(code, /^R-6[abc]$/),
    group,
    text: said,
    value: kept,
  };
}

function valueOf(kind, value) {
  if (kind === "none_near") return value === "none" ? value : null;
  if (kind === "look" || kind === "beside") return ["none", "present"].includes(value) ? value : null;
  if (kind === "lot") return ["whole", "part", "no"].includes(value) ? value : null;
  if (kind === "sign") return value === "none" ? value : signHours(value);
  if (kind === "yes") return typeof value === "boolean" ? value : null;
  if (kind === "date") return word(value, TIME);
  if (kind === "attribute") return ["boolean", "number"].includes(typeof value) ? value : word(value, /^[a-z_]{1,30}$/);
  return within(value, -1, 5000);
}

function signHours(value) {
  return typeof value === "object" && value ? { hours: text(value.hours, 120) } : null;
}

function place(spot) {
  return spot && [spot.lon, spot.lat].map((each) => Math.round(each * 1e8) / 1e8);
}

function lonlat(pair) {
  const lon = within(pair?.[0], -180, 180);
  const lat = within(pair?.[1], -90, 90);
  return lon === null || lat === null ? null : { lon, lat };
}

function within(value, above, most) {
  return typeof value === "number" && value > above && value <= most ? value : null;
}

function word(value, pattern) {
  return typeof value === "string" && pattern.test(value) ? value : null;
}

function text(value, most) {
  return typeof value === "string" && value.length > 0 && value.length <= most ? value : null;
}

function list(value) {
  return Array.isArray(value) ? value : [];
}
