// Which skip, from when to when, where on the ground, and the acts that are held.

import { fleet } from "./device.js";
import { byId, button, el } from "./dom.js";
import { askForSkip } from "./fleet.js";
import { moment, number, plain, PLACES } from "./words.js";

/** Show the form: `changed(fields)` hears what the user sets. */
export function createForm({ presets, changed }) {
  const kind = el("select", { id: "skip" });
  const drop = button("Tirar da frota", removeOwn, { class: "link", hidden: true });
  const start = el("input", { id: "start", type: "datetime-local", required: true });
  const end = el("input", { id: "end", type: "datetime-local", "aria-describedby": "end-hint" });
  const where = el("select", { id: "where" }, ...Object.entries(PLACES).map(([value, text]) => el("option", { value, text })));
  const permits = el("fieldset", { hidden: true }, el("legend", { text: "Autorizações que já tem" }));
  const line = el("span", { class: "line" });
  let state = null;

  const fold = el(
    "details",
    {},
    el("summary", {}, el("span", { class: "caption", text: "Caçamba, datas e lugar" }), line),
    field("skip", "Caçamba", kind),
    el("div", { class: "buttons" }, button("Adicionar à minha frota", addOwn, { class: "link" }), drop),
    field("start", "Colocação", start),
    field("end", "Retirada", end, "Em branco: o fim do prazo permitido."),
    field("where", "Onde fica", where),
    permits,
  );
  byId("form").append(fold);

  function skips() {
    return [...presets.map((each) => ofVolume(each.volume_m3)), ...fleet.get()];
  }

  function fill() {
    const known = skips();
    if (!known.some((each) => same(each, state.skip))) known.push(state.skip);
    const options = known.map((each, index) => ({ skip: each, option: el("option", { value: String(index), text: nameOf(each, presets) }) }));
    const group = (label, kept) => {
      const inside = options.filter(({ skip }) => kept(skip)).map(({ option }) => option);
      return inside.length ? [el("optgroup", { label }, ...inside)] : [];
    };
    const preset = (skip) => presets.some((each) => same(ofVolume(each.volume_m3), skip));
    const own = (skip) => fleet.get().some((each) => same(each, skip));
    kind.replaceChildren(
      ...group("Minha frota", own),
      ...group("Usuais (medidas supostas, só para o desenho)", (skip) => preset(skip) && !own(skip)),
      ...group("Do link", (skip) => !preset(skip) && !own(skip)),
    );
    kind.value = String(known.findIndex((each) => same(each, state.skip)));
    drop.hidden = !own(state.skip);
  }

  kind.addEventListener("change", () => {
    const known = skips();
    const skip = known[Number(kind.value)];
    if (skip) changed({ skip });
  });
  start.addEventListener("change", () => changed({ start: start.value || null }));
  end.addEventListener("change", () => changed({ end: end.value || null }));
  where.addEventListener("change", () => changed({ where: where.value }));

  async function addOwn() {
    const skip = await askForSkip(state.skip);
    if (!skip) return;
    fleet.set([...fleet.get().filter((each) => each.name !== skip.name), skip]);
    changed({ skip });
  }

  function removeOwn() {
    fleet.set(fleet.get().filter((each) => !same(each, state.skip)));
    fill();
    kind.focus();
  }

  return {
    show(next) {
      state = next;
      fill();
      if (start.value !== next.start) start.value = next.start ?? "";
      if (end.value !== (next.end ?? "")) end.value = next.end ?? "";
      where.value = next.where;
      for (const box of permits.querySelectorAll("input")) box.checked = next.authorised.includes(box.value);
      line.textContent = [nameOf(next.skip, presets), `${moment(next.start) || "agora"} → ${moment(next.end) || "fim do prazo"}`, PLACES[next.where]].join(" · ");
    },
    permits(told) {
      const boxes = told.map(({ rule, text }) => {
        const box = el("input", { type: "checkbox", value: rule });
        box.checked = state?.authorised.includes(rule) ?? false;
        box.addEventListener("change", () => changed({ authorised: toggled(state.authorised, rule, box.checked) }));
        return el("label", { class: "check" }, box, el("span", { text: `${text} (${rule})` }));
      });
      permits.replaceChildren(permits.firstElementChild, ...boxes);
      permits.hidden = !boxes.length;
    },
    /** Say what the service refused, beside the field that it names. */
    refuse(errors) {
      for (const each of [start, end, kind, where]) each.removeAttribute("aria-invalid");
      for (const { field: name } of errors) byId(name)?.closest("#form") && byId(name).setAttribute("aria-invalid", "true");
      if (errors.some(({ field: name }) => ["start", "end", "where"].includes(name))) fold.open = true;
    },
  };
}

/** Put an entry in a list or take it out. */
export function toggled(list, entry, held) {
  return held ? [...new Set([...list, entry])] : list.filter((each) => each !== entry);
}

function field(id, label, control, hint = null) {
  return el("p", { class: "field" }, el("label", { for: id, text: label }), control, hint && el("small", { id: `${id}-hint`, text: hint }));
}

const COMPARED = ["name", "volume_m3", "length_m", "width_m", "height_m", "low_face_m"];
function same(one, other) {
  return COMPARED.every((key) => (one[key] ?? null) === (other[key] ?? null));
}

/** A usual skip: only its capacity is said; the service supposes an outline and asks for the true sizes. */
export function ofVolume(volume_m3) {
  return { name: null, volume_m3, length_m: null, width_m: null, height_m: null, low_face_m: null };
}

function nameOf(skip, presets) {
  const usual = !skip.length_m && presets.find((each) => each.volume_m3 === skip.volume_m3);
  if (usual) return `${plain(skip.volume_m3)} m³ · uns ${number(usual.length_m)} × ${number(usual.width_m)} m`;
  const size = skip.length_m && skip.width_m ? `${number(skip.length_m)} × ${number(skip.width_m)} m` : "medidas por informar";
  return [skip.name, skip.volume_m3 && `${plain(skip.volume_m3)} m³`, size].filter(Boolean).join(" · ");
}
