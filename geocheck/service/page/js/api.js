// Calls of the service; whatever goes wrong comes as one of two errors, with words for the user.

import { key } from "./device.js";
import { askForKey } from "./key.js";

const PATIENCE_MS = 20_000;

/** The service answered, but with a problem. */
export class Problem extends Error {
  constructor(status, detail, errors = [], retryAfter = null) {
    super(detail);
    this.status = status;
    this.errors = errors;
    this.retryAfter = retryAfter;
  }
}

/** No answer came. */
export class Offline extends Error {}

export const getConfig = () => json("v1/config");
export const getCities = () => json("v1/cities");
export const getPresets = () => json("v1/presets");
export const getCity = (city) => json(`v1/cities/${encodeURIComponent(city)}`);
export const findAddresses = (city, text, signal) =>
  json(`v1/cities/${encodeURIComponent(city)}/addresses?q=${encodeURIComponent(text)}`, { signal });
export const getGround = (city, box, signal) => json(`v1/cities/${encodeURIComponent(city)}/kerbs?bbox=${box.join(",")}`, { signal });

/** Check a placement: the report. */
export const check = (body) => json("v1/checks", posted(body, "application/json"));

/** Check a placement: the answer as a file of a type. */
export async function checkAs(body, type) {
  return (await call("v1/checks", posted(body, type))).blob();
}

function posted(body, type) {
  return { method: "POST", headers: { "Content-Type": "application/json", Accept: type }, body: JSON.stringify(body) };
}

async function json(path, options) {
  const answer = await call(path, options);
  try {
    return await answer.json();
  } catch {
    throw new Offline("A resposta do serviço não chegou inteira.");
  }
}

/** Call once; where a key is wanted that another call has not brought meanwhile, ask for it, and call again. */
async function call(path, options = {}) {
  const shown = key.get();
  const answer = await sent(path, options);
  if (answer.status === 401) {
    if (key.get() === shown) {
      const given = await askForKey();
      if (given) key.set(given);
    }
    if (key.get() && key.get() !== shown) return call(path, options);
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

async function sent(path, options) {
  const ending = new AbortController();
  const stop = () => ending.abort();
  const timer = setTimeout(stop, PATIENCE_MS);
  options.signal?.addEventListener("abort", stop);
  const headers = { ...options.headers, ...(key.get() ? { Authorization: `Bearer ${key.get()}` } : {}) };
  try {
    return await fetch(path, { cache: "no-store", ...options, headers, signal: ending.signal });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Offline(ending.signal.aborted ? "O serviço demora a responder." : "Sem conexão com o serviço.");
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", stop);
  }
}

async function problemOf(answer) {
  const retryAfter = Number(answer.headers.get("Retry-After")) || null;
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // The status alone then tells.
  }
  const busy = answer.status === 429 || answer.status === 503 ? "O serviço está ocupado; tente de novo em instantes." : null;
  const detail = typeof told.detail === "string" ? told.detail : busy ?? `O serviço respondeu com erro ${answer.status}.`;
  return new Problem(answer.status, detail, Array.isArray(told.errors) ? told.errors : [], retryAfter);
}
