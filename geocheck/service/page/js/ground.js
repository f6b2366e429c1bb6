// The ground of the map: kerbs, blocks, lots and names of the part that is looked at; what is behind is dropped.

import { getGround } from "./api.js";
import { byId } from "./dom.js";
import { placeNames } from "./labels.js";

const WIDEST_DEG = 0.0295; // the service refuses wider boxes
const LEAST_ZOOM = 14;
const PAD = 0.4;
const NEAR_ZOOM = 18.5; // farther out, kerbs are drawn thin and corners not at all
const WAIT_MS = 150;

const STYLES = {
  block: { color: "#b9b2a3", weight: 1, fillColor: "#d9d3c5", fillOpacity: 0.55 },
  lot: { color: "#b5ac9b", weight: 1, fill: false },
  building: { color: "#a79f90", weight: 1, fillColor: "#a79f90", fillOpacity: 0.4 },
  kerb: { color: "#2f343b", weight: 2.5 },
};
const ORDER = ["block", "lot", "building", "kerb", "corner"];

/** Follow the map of one city at a time: `ground.show(city)` or `ground.show(null)`. */
export function createGround(map) {
  const renderer = L.canvas({ padding: 0.3 });
  const names = [];
  let city = null;
  let held = null; // {box, layer, whole}
  let calling = null;
  let timer = null;
  let skipAt = null;

  function drop() {
    held?.layer.remove();
    held = null;
    names.splice(0).forEach((each) => each.made.remove());
  }

  function draw(found, box) {
    drop();
    const shapes = found.features.filter((each) => ORDER.includes(each.properties.layer));
    shapes.sort((one, other) => ORDER.indexOf(one.properties.layer) - ORDER.indexOf(other.properties.layer));
    const layer = L.geoJSON(shapes, {
      interactive: false,
      style: (feature) => ({ ...STYLES[feature.properties.layer], renderer }),
      pointToLayer: (_, at) => L.circleMarker(at, { renderer, radius: 3, color: "#2f343b", weight: 1.5, fill: false, interactive: false }),
    }).addTo(map);
    held = { box, layer, whole: !found.truncated };
    weigh();
    for (const each of found.features) {
      if (each.properties.layer === "street_name") names.push(nameOf(map, each));
    }
    placeNames(map, names, skipAt);
  }

  async function fetchGround() {
    if (!city) return;
    if (map.getZoom() < LEAST_ZOOM) {
      drop();
      say("Aproxime o mapa para ver as guias.");
      return;
    }
    const view = map.getBounds();
    if (held?.whole && held.box.contains(view)) return;
    const box = padded(view);
    calling?.abort();
    const mine = new AbortController();
    calling = mine;
    try {
      const found = await getGround(city, [box.getWest(), box.getSouth(), box.getEast(), box.getNorth()].map((each) => each.toFixed(6)), mine.signal);
      if (mine.signal.aborted) return;
      draw(found, box);
      say(found.truncated ? "Há mais guias aqui do que cabe mostrar: aproxime o mapa." : "");
    } catch (error) {
      if (!mine.signal.aborted) say(`O mapa pode estar incompleto. ${error.message}`);
    }
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(fetchGround, WAIT_MS);
  }

  function weigh() {
    const near = map.getZoom() >= NEAR_ZOOM;
    held?.layer.eachLayer((each) => {
      if (each.feature.properties.layer === "kerb") each.setStyle({ weight: near ? STYLES.kerb.weight : 1 });
      if (each.feature.properties.layer === "corner") each.setStyle({ opacity: near ? 1 : 0 });
    });
  }

  map.on("zoomend", weigh);
  map.on("moveend", soon);
  map.on("zoomend moveend resize", () => placeNames(map, names, skipAt));
  window.addEventListener("online", soon);

  return {
    /** Keep names off the skip. */
    clear(middle) {
      skipAt = middle && L.latLng(middle.lat, middle.lon);
      placeNames(map, names, skipAt);
    },
    show(next) {
      city = next;
      calling?.abort();
      drop();
      say(city ? "" : "Não há mapa desta cidade neste serviço: responda pelo que medir e vir no local.");
      if (city) void fetchGround();
    },
  };
}

function say(text) {
  byId("map-note").textContent = text;
}

/** The view and something around it, never wider than the service gives. */
function padded(view) {
  const half = (span) => Math.min(span * (0.5 + PAD), WIDEST_DEG / 2);
  const centre = view.getCenter();
  const x = half(view.getEast() - view.getWest());
  const y = half(view.getNorth() - view.getSouth());
  return L.latLngBounds([centre.lat - y, centre.lng - x], [centre.lat + y, centre.lng + x]);
}

function nameOf(map, feature) {
  const made = document.createElement("div");
  made.className = "street";
  made.textContent = feature.properties.name;
  made.setAttribute("aria-hidden", "true");
  map.getPane("words").append(made);
  const [lon, lat] = feature.geometry.coordinates;
  return { made, at: L.latLng(lat, lon), turn: Number(feature.properties.turn_deg) || 0 };
}
