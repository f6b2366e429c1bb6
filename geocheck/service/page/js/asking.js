// Asks for the check of what the page holds: one at a time, the newest wins; trouble is told and tried again.

import { check, Offline, Problem } from "./api.js";
import { latest } from "./latest.js";

const AGAIN_S = 5;
const PACE_MS = 250; // while the skip is dragged: a service may count requests

/** `ask()` asks with what `request()` then returns; `arrived(report, request)` hears the answer. */
export function createAsking({ request, arrived, trouble, refused, old }) {
  let last = null; // what was answered last, as text
  let wanted = null; // what is to be answered, as text
  let broken = false; // the newest got no answer
  let timer = null;

  const next = latest(async (body) => {
    try {
      const report = await check(body);
      last = JSON.stringify(body);
      broken = false;
      trouble(null);
      refused([]);
      old(false);
      arrived(report, body);
    } catch (error) {
      failed(error);
    }
  });

  function failed(error) {
    if (!(error instanceof Problem || error instanceof Offline)) throw error;
    last = null;
    broken = true;
    old(true);
    const again = error instanceof Offline || [429, 502, 503, 504].includes(error.status);
    trouble(again ? `${error.message} O que se vê é a resposta de antes; tentamos de novo sozinhos.` : error.message, again ? retry : null);
    if (error instanceof Problem) refused(error.errors);
    clearTimeout(timer);
    if (again) timer = setTimeout(retry, 1000 * Math.min(error.retryAfter ?? AGAIN_S, 60));
  }

  function retry() {
    clearTimeout(timer);
    const body = request();
    if (body) next(body);
  }
  window.addEventListener("online", retry);

  return {
    ask(cause) {
      const body = request();
      const text = body && JSON.stringify(body);
      if (text === wanted && !broken) return; // is answered, or on its way
      wanted = text;
      broken = false;
      if (!body) return;
      clearTimeout(timer);
      if (cause !== "drag") old(last !== wanted);
      next(body, cause === "drag" ? PACE_MS : 0);
    },
    waiting: () => last !== wanted,
  };
}
