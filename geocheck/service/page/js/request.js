// The state of the page as the request of a check. No page in here.

import { told } from "./answers.js";

/** What the page holds of a placement; all of it goes into a link. */
export const EMPTY = {
  city: null,
  spot: null, // {lon, lat} where the user pointed
  anchor: null, // {lon, lat} of the skip for which the answers were given
  skip: { name: null, volume_m3: null, length_m: null, width_m: null, height_m: null, low_face_m: null },
  start: null,
  end: null,
  where: "carriageway",
  authorised: [],
  answers: [],
};

const SIZES = ["volume_m3", "length_m", "width_m", "height_m", "low_face_m"];

/** Return the body of a check; a city without a map is judged by what is told alone. */
export function requestOf(state, hasMap) {
  const body = { city: state.city, start: state.start, where: state.where };
  if (state.end) body.end = state.end;
  if (hasMap && state.spot) Object.assign(body, { mode: "planned", lon: round(state.spot.lon), lat: round(state.spot.lat) });
  for (const key of SIZES) if (state.skip[key] !== null) body[key] = state.skip[key];
  if (state.authorised.length) body.authorised = [...state.authorised];
  for (const [key, value] of Object.entries(told(state.answers))) {
    if (typeof value !== "object" || Object.keys(value).length) body[key] = value;
  }
  return body;
}

function round(degrees) {
  return Math.round(degrees * 1e8) / 1e8;
}

/** The middle of a footprint as {lon, lat}; null without one. */
export function middleOf(footprint) {
  const ring = footprint?.coordinates?.[0];
  if (!ring) return null;
  const corners = ring.slice(0, -1);
  const mean = (axis) => corners.reduce((sum, each) => sum + each[axis], 0) / corners.length;
  return { lon: mean(0), lat: mean(1) };
}

const DEGREE_M = 111_320;

/** Metres between two places some metres apart. */
export function apart(one, other) {
  const x = (one.lon - other.lon) * Math.cos((one.lat * Math.PI) / 180);
  return Math.hypot(x, one.lat - other.lat) * DEGREE_M;
}

/** A place moved some metres east and north. */
export function shifted(place, east, north) {
  const lat = place.lat + north / DEGREE_M;
  return { lon: place.lon + east / (DEGREE_M * Math.cos((place.lat * Math.PI) / 180)), lat };
}

/** The local time of this device, as a field for date and time has it. */
export function localNow() {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
