// What is remembered on this device only: the city, the size last used, the company's own skips, the access key.

const PREFIX = "geocheck.";

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    return null; // closed to us, or written by somebody else
  }
}

function write(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // A full or closed store: the page works without it.
  }
}

export const city = { get: () => (typeof read("city") === "string" ? read("city") : null), set: (id) => write("city", id) };

export const key = { get: () => (typeof read("key") === "string" ? read("key") : null), set: (text) => write("key", text) };

export const size = { get: () => sound(read("size")), set: (skip) => write("size", skip) };

export const fleet = {
  get: () => (Array.isArray(read("fleet")) ? read("fleet").map(sound).filter((each) => each?.name).slice(0, 100) : []),
  set: (skips) => write("fleet", skips),
};

/** Return a skip as far as it is one; null where it is none. */
function sound(skip) {
  if (typeof skip !== "object" || skip === null) return null;
  const size = (key, most) => (typeof skip[key] === "number" && skip[key] > 0 && skip[key] <= most ? skip[key] : null);
  const found = {
    name: typeof skip.name === "string" && skip.name ? skip.name.slice(0, 60) : null,
    volume_m3: size("volume_m3", 60),
    length_m: size("length_m", 12),
    width_m: size("width_m", 12),
    height_m: size("height_m", 12),
    low_face_m: size("low_face_m", 12),
  };
  return found.volume_m3 || (found.length_m && found.width_m) ? found : null;
}
