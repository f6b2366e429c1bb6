// Builds elements from plain data. Text from data only ever becomes text.

/** Make an element: attributes by name, `on` with listeners, `text`; false, null and undefined leave one out. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "text") made.textContent = value;
    else if (name === "on") for (const [type, heard] of Object.entries(value)) made.addEventListener(type, heard);
    else if (name === "value") made.value = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== false));
  return made;
}

/** A button that does something. */
export function button(text, pressed, attributes = {}) {
  return el("button", { type: "button", text, on: { click: pressed }, ...attributes });
}

/** Find an element of the page that must be there. */
export function byId(id) {
  return document.getElementById(id);
}

/** A part that folds; whether it is open is remembered under a name while the page lives. */
const open = new Map();
export function fold(name, summary, children, opened = false) {
  const made = el("details", { open: open.get(name) ?? opened }, el("summary", { text: summary }), ...children);
  made.addEventListener("toggle", () => open.set(name, made.open));
  return made;
}
