// The sheet from below on a phone: low, half or high; on a wide screen it stands beside the map as it is.

import { byId } from "./dom.js";

const HEIGHTS = ["low", "half", "high"];
const FLICK_PX = 30;

/** Return `lift(height)`, `isHigh()` and `isLow()`. */
export function createSheet() {
  const panel = byId("panel");
  const handle = byId("handle");
  let from = null;
  let flicked = false;

  function lift(height) {
    panel.dataset.height = height;
    handle.setAttribute("aria-expanded", String(height !== "low"));
  }

  function step(way) {
    const next = HEIGHTS.indexOf(panel.dataset.height) + way;
    lift(HEIGHTS[Math.min(Math.max(next, 0), HEIGHTS.length - 1)]);
  }

  handle.addEventListener("pointerdown", (event) => {
    from = event.clientY;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener("pointerup", (event) => {
    const moved = from === null ? 0 : event.clientY - from;
    from = null;
    flicked = Math.abs(moved) >= FLICK_PX;
    if (flicked) step(moved < 0 ? 1 : -1);
  });
  handle.addEventListener("click", () => {
    // A flick ends in a click as well, and has moved it already.
    if (!flicked) lift({ low: "half", half: "high", high: "low" }[panel.dataset.height]);
    flicked = false;
  });
  return { lift, isHigh: () => panel.dataset.height === "high", isLow: () => panel.dataset.height === "low" };
}
