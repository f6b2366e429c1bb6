// The skip on the map: its outline, and a handle that is dragged with a finger or moved with the arrow keys.

import { el } from "./dom.js";
import { apart, middleOf, shifted } from "./request.js";

const STEP_M = 1;
const LONG_STEP_M = 5;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const OUTLINE = { color: "#1d1d1f", weight: 2, fillColor: "#f5b400", fillOpacity: 0.85, interactive: false };

/** `dragging(spot)` hears where it is drawn to, `dropped(spot)` where it is let go or moved by a key. */
export function createSkip(map, { dragging, dropped }) {
  const outline = L.polygon([], OUTLINE).addTo(map);
  const handle = el("div", { class: "grip", tabindex: "0", role: "application", "aria-roledescription": "caçamba móvel", "aria-label": "Caçamba: setas movem 1 metro; com Shift, 5 metros" });
  const marker = L.marker([0, 0], { icon: L.divIcon({ className: "grip-holder", html: handle, iconSize: [48, 48] }), keyboard: false, interactive: false });
  let at = null; // where it is shown
  let pushed = null; // where keys pushed it to, while the answer is not there yet
  let drag = null;

  function show(spot) {
    at = spot;
    marker.setLatLng([spot.lat, spot.lon]);
    if (!map.hasLayer(marker)) marker.addTo(map);
  }

  function underPointer(event) {
    const point = map.mouseEventToContainerPoint(event).subtract(drag.grabbed);
    const { lng, lat } = map.containerPointToLatLng(point);
    return { lon: lng, lat };
  }

  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !at || drag) return;
    event.preventDefault();
    event.stopPropagation();
    handle.focus({ preventScroll: true });
    handle.setPointerCapture(event.pointerId);
    const from = map.latLngToContainerPoint([at.lat, at.lon]);
    drag = { id: event.pointerId, grabbed: map.mouseEventToContainerPoint(event).subtract(from), moved: false };
    map.dragging.disable();
    handle.classList.add("held");
  });
  handle.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    drag.moved = true;
    const spot = underPointer(event);
    show(spot);
    dragging(spot);
  });
  function release(event) {
    if (drag?.id !== event.pointerId) return;
    const spot = drag.moved ? underPointer(event) : null;
    drag = null;
    map.dragging.enable();
    handle.classList.remove("held");
    if (spot) dropped(spot);
  }
  handle.addEventListener("pointerup", release);
  handle.addEventListener("pointercancel", release);
  L.DomEvent.disableClickPropagation(handle);

  handle.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key];
    if (!way || !at || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // or the map would move as well
    const step = event.shiftKey ? LONG_STEP_M : STEP_M;
    pushed = shifted(pushed ?? at, way[0] * step, way[1] * step);
    dropped(pushed);
  });

  return {
    /** Show the skip where the answer puts it: beside its kerb, or nowhere. */
    stand(report, spot) {
      const middle = middleOf(report?.footprint);
      outline.setLatLngs(middle ? report.footprint.coordinates[0].map(([lon, lat]) => [lat, lon]) : []);
      if (drag) return;
      if (spot) show(middle ?? spot);
      else {
        marker.remove();
        at = null;
      }
    },
    /** Keys push on from where they pushed to, until the skip followed: so it can be pushed across a street. */
    followed(before, after) {
      if (before && after && apart(before, after) >= STEP_M / 2) pushed = null;
    },
    /** A pointer or a search put it elsewhere. */
    forget() {
      pushed = null;
    },
    focus: () => handle.focus({ preventScroll: true }),
    dim(old) {
      handle.classList.toggle("old", old);
    },
  };
}
