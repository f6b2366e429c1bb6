// The map itself: Leaflet with Portuguese words, tiles where the service has some, and whose data it shows.

import { byId, el } from "./dom.js";

const FIRST_ZOOM = 17;
const SPOT_ZOOM = 20.5;
const SVG = "http://www.w3.org/2000/svg";

/** Make the map; `pressed` hears places that were tapped, `centred` the button for those without a pointer. */
export function createMap({ pressed, centred }) {
  const map = L.map(byId("map"), { zoomControl: false, attributionControl: false, minZoom: 11, maxZoom: 22, zoomSnap: 0.5, bounceAtZoomLimits: false });
  map.setView([-15.8, -47.9], 11, { animate: false });
  map.createPane("words").style.zIndex = 620;
  L.control.zoom({ position: "bottomright", zoomInTitle: "Aproximar", zoomOutTitle: "Afastar" }).addTo(map);
  L.control.scale({ position: "bottomleft", imperial: false, maxWidth: 120 }).addTo(map);
  addCentreButton(map, centred);
  const container = map.getContainer();
  container.setAttribute("role", "application");
  container.setAttribute("aria-label", "Mapa: setas movem, mais e menos aproximam e afastam");
  map.on("click", (event) => pressed({ lon: event.latlng.lng, lat: event.latlng.lat }));
  new ResizeObserver(() => map.invalidateSize({ animate: false, pan: true })).observe(container); // tells `resize`
  return map;
}

function addCentreButton(map, centred) {
  const control = L.control({ position: "bottomright" });
  control.onAdd = () => {
    const made = el("button", { type: "button", class: "centre", title: "Pôr a caçamba no centro do mapa", "aria-label": "Pôr a caçamba no centro do mapa" }, picture());
    made.addEventListener("click", () => {
      const { lng, lat } = map.getCenter();
      centred({ lon: lng, lat });
    });
    L.DomEvent.disableClickPropagation(made);
    return el("div", { class: "leaflet-bar" }, made);
  };
  control.addTo(map);
}

/** A skip under an arrow, drawn here: no script may come from elsewhere, and not every font has such a sign. */
function picture() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const [shape, filled] of [["M12 2v8M8.5 7l3.5 3.5L15.5 7", "none"], ["M3 14h18l-3 7H6z", "#f5b400"]]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", shape);
    path.setAttribute("fill", filled);
    path.setAttribute("stroke", "currentColor");
    path.setAttribute("stroke-width", "1.8");
    svg.append(path);
  }
  return svg;
}

/** Show tiles where the service was set up with some. */
export function addTiles(map, tiles) {
  if (tiles) L.tileLayer(tiles.url, { maxZoom: 22, maxNativeZoom: 19 }).addTo(map);
}

/** Say whose data is shown, each once; it stays text, whatever is written in it. */
export function credit(tiles, bundle) {
  const told = [bundle?.credit, tiles?.attribution?.replace(/<[^>]*>/g, ""), "Leaflet"];
  byId("attribution").textContent = [...new Set(told.filter(Boolean))].join(" · ");
}

/** Look at a city from its middle. */
export function lookAtCity(map, city) {
  const { west, south, east, north } = city.bounds;
  map.setMaxBounds(L.latLngBounds([south, west], [north, east]).pad(0.2));
  if (city.bundle?.centre) map.setView([city.bundle.centre[1], city.bundle.centre[0]], FIRST_ZOOM, { animate: false });
  else map.fitBounds([[south, west], [north, east]], { animate: false });
}

/** Look at a spot, near enough to see the skip. */
export function lookAtSpot(map, spot) {
  map.setView([spot.lat, spot.lon], Math.max(map.getZoom(), SPOT_ZOOM), { animate: false });
}

/** Move the map only if a spot is out of sight. */
export function keepInSight(map, spot) {
  const at = L.latLng(spot.lat, spot.lon);
  if (!map.getBounds().pad(-0.2).contains(at)) map.panTo(at, { animate: false });
}
