// The lines along which was measured, each in the sign, dash and colour of its finding's outcome.

import { el } from "./dom.js";
import { placeValues } from "./labels.js";
import { measuredAgainst, OUTCOMES } from "./words.js";

const GRAVITY = Object.keys(OUTCOMES);

/** Draw the lines of a report: `show(report, middle)`; `point(rule)` looks at that of one rule. */
export function createMeasures(map) {
  const group = L.featureGroup().addTo(map);
  let values = [];
  let lines = new Map();
  let skipAt = null;

  function place() {
    placeValues(map, values, skipAt);
  }
  map.on("zoomend moveend resize", place);

  function clear() {
    group.clearLayers();
    values.forEach((each) => each.made.remove());
    values = [];
    lines = new Map();
  }

  function draw(finding) {
    const { colour, dash, weight, sign } = OUTCOMES[finding.outcome];
    const style = { color: colour, dashArray: dash, weight, interactive: false, lineCap: "butt" };
    const layer = L.geoJSON(finding.witness, { style, pointToLayer: (_, at) => L.circleMarker(at, { ...style, radius: 7, weight: 3 }) });
    layer.addTo(group);
    lines.set(finding.rule, layer);
    if (finding.outcome === "compliant") return;
    const text = measuredAgainst(finding).replace("medido ", "");
    const made = el("div", { class: `value ${finding.outcome}`, "aria-hidden": "true" }, el("b", { text: `${sign} ${finding.title}` }), text && el("span", { text }));
    map.getPane("words").append(made);
    values.push({ made, at: layer.getBounds().getCenter() });
  }

  return {
    show(report, middle) {
      clear();
      skipAt = middle && L.latLng(middle.lat, middle.lon);
      for (const finding of drawn(report)) draw(finding);
      place();
    },
    clear,
    has: (rule) => lines.has(rule),
    point(rule) {
      const bounds = lines.get(rule)?.getBounds();
      if (bounds && skipAt) map.fitBounds(bounds.extend(skipAt), { maxZoom: 21, padding: [40, 40], animate: false });
    },
  };
}

/** Findings with a line, each line once, the gravest drawn last; what passes only where it was near. */
function drawn(report) {
  const found = new Map();
  const every = report.findings.filter((each) => each.witness && each.outcome !== "not_applicable" && !each.displaced_by);
  every.sort((one, other) => GRAVITY.indexOf(one.outcome) - GRAVITY.indexOf(other.outcome));
  for (const finding of every) {
    if (finding.outcome === "compliant" && !(finding.measured_m > 0 && finding.measured_m <= Math.max(3 * (finding.limit_m ?? 0), 5))) continue;
    const key = JSON.stringify(finding.witness.coordinates);
    if (!found.has(key)) found.set(key, finding);
  }
  return [...found.values()].reverse();
}
