// Search of a street and number: a combobox whose list is walked with the arrow keys.

import { findAddresses } from "./api.js";
import { byId, el } from "./dom.js";

const WAIT_MS = 250;
const LEAST = 3;
const KINDS = { address: "", lot: "lote", street: "rua, sem número" };

/** `cityOf()` tells where to search; `chosen(place)` hears what was picked. */
export function createSearch({ cityOf, chosen }) {
  const input = byId("query");
  const list = byId("found");
  let places = [];
  let active = -1;
  let timer = null;
  let calling = null;

  function say(text, aside = false) {
    byId("search-note").textContent = text;
    byId("search-note").classList.toggle("hidden", aside); // a list that is seen needs no words
  }

  function close() {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    active = -1;
  }

  function choose(index) {
    const place = places[index];
    if (!place) return;
    stop();
    input.value = place.label;
    close();
    say("");
    input.blur();
    chosen(place);
  }

  function highlight(index) {
    active = index;
    [...list.children].forEach((each, number) => each.setAttribute("aria-selected", String(number === index)));
    const option = list.children[index];
    if (!option) return;
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function show(found) {
    places = found;
    list.replaceChildren(
      ...found.map((place, index) => {
        const aside = [KINDS[place.kind] ?? "", place.certain || place.kind === "street" ? "" : "posição aproximada", place.left_out ? `não achado: ${place.left_out}` : ""].filter(Boolean).join("; ");
        const option = el("li", { id: `found-${index}`, role: "option", "aria-selected": "false" }, el("span", { text: place.label }), aside && el("small", { text: aside }));
        option.addEventListener("pointerdown", (event) => event.preventDefault()); // or the field would lose focus first
        option.addEventListener("click", () => choose(index));
        return option;
      }),
    );
    list.hidden = !found.length;
    input.setAttribute("aria-expanded", String(found.length > 0));
    if (found.length) say(`${found.length} ${found.length === 1 ? "endereço encontrado" : "endereços encontrados"}`, true);
    else say("Nada encontrado: confira o nome, ou toque no mapa.");
  }

  function stop() {
    clearTimeout(timer);
    calling?.abort();
    calling = null;
  }

  async function search(pick) {
    stop();
    const text = input.value.trim();
    const city = cityOf();
    if (!city || text.length < LEAST) {
      close();
      say("");
      return;
    }
    const mine = new AbortController();
    calling = mine;
    try {
      const found = await findAddresses(city, text.slice(0, 120), mine.signal);
      if (mine.signal.aborted) return;
      show(found);
      if (pick && found.length === 1) choose(0);
    } catch (error) {
      if (!mine.signal.aborted) {
        close();
        say(`Busca sem resposta: ${error.message}`);
      }
    }
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, WAIT_MS, false);
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (list.hidden) void search(true);
      else choose(Math.max(active, 0));
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = active < 0 && step < 0 ? 0 : active;
      highlight((from + step + places.length) % places.length);
    }
  });
  input.addEventListener("blur", close);
  return {
    enable(is) {
      input.disabled = !is;
      input.placeholder = is ? "Rua e número" : "Cidade sem mapa";
      if (is && document.activeElement === input) void search(false); // typed before the city was known
    },
    clear() {
      stop();
      close();
      say("");
      input.value = "";
    },
  };
}
