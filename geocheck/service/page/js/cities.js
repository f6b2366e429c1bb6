// Which city: those with a map first.

import { byId, el } from "./dom.js";

/** Fill the field; `chosen(city)` hears the user. */
export function createCities(list, chosen) {
  const field = byId("city");
  const sorted = [...list].sort((one, other) => Number(!one.bundle) - Number(!other.bundle) || one.name.localeCompare(other.name, "pt-BR"));
  const options = (cities) => cities.map((city) => el("option", { value: city.id, text: city.name }));
  const [mapped, others] = [sorted.filter((each) => each.bundle), sorted.filter((each) => !each.bundle)];
  field.append(...options(mapped));
  if (others.length) field.append(el("optgroup", { label: "Sem mapa: pelo que se mede e vê" }, ...options(others)));
  const byName = (id) => sorted.find((each) => each.id === id) ?? null;
  field.addEventListener("change", () => chosen(byName(field.value)));
  return {
    current: () => byName(field.value),
    /** The one remembered, else the first. */
    first: (remembered) => (byName(remembered) ?? sorted[0]).id,
    show(id) {
      field.value = id;
      return byName(id);
    },
    holds({ lon, lat }) {
      const box = byName(field.value)?.bounds;
      return Boolean(box) && lon >= box.west && lon <= box.east && lat >= box.south && lat <= box.north;
    },
  };
}
