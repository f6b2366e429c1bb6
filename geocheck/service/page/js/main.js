// Puts the parts of the page together: what the user sets goes into one state, and each change asks anew.

import { addTiles, createMap, credit, keepInSight, lookAtCity, lookAtSpot } from "./map.js";
import { getCities, getCity, getConfig, getPresets } from "./api.js";
import { createAsking } from "./asking.js";
import { createCities } from "./cities.js";
import { createForm, ofVolume, toggled } from "./form.js";
import { createGround } from "./ground.js";
import { createLocate } from "./locate.js";
import { createMeasures } from "./measures.js";
import { createSearch } from "./search.js";
import { createShare } from "./share.js";
import { createSheet } from "./sheet.js";
import { createSkip } from "./skip.js";
import { createStore } from "./store.js";
import { byId } from "./dom.js";
import { decode, encode } from "./link.js";
import { notify } from "./notice.js";
import { placed } from "./spot.js";
import { createPanel } from "./panel.js";
import { EMPTY, localNow, middleOf, requestOf } from "./request.js";
import * as device from "./device.js";

async function start() {
  const [config, list, presets] = await Promise.all([getConfig(), getCities(), getPresets()]);
  byId("engine").textContent = config.engine;
  const store = createStore({ ...EMPTY, start: localNow(), skip: device.size.get() ?? usual(presets) });
  const { get, set } = store;
  const shown = { report: null, request: null };
  const hasMap = () => cities.current()?.bundle !== null && cities.current() !== null;

  const map = createMap({ pressed: move, centred: move });
  const ground = createGround(map);
  const measures = createMeasures(map);
  const skip = createSkip(map, { dragging: (spot) => set({ spot }, "drag"), dropped: (spot) => move(spot, "key") });
  const sheet = createSheet();
  const form = createForm({ presets, changed: (fields) => change(fields) });
  const panel = createPanel({
    answer(answers) {
      set({ answers, anchor: get().anchor ?? middleOf(shown.report?.footprint) }, "answer");
      panel.answered(shown.report);
    },
    answers: () => get().answers,
    hold: (rule, held) => set({ authorised: toggled(get().authorised, rule, held) }, "answer"),
    pointable: measures.has,
    point(rule) {
      if (sheet.isHigh()) sheet.lift("half");
      measures.point(rule);
    },
  });
  const search = createSearch({ cityOf: () => get().city, chosen: (place) => settle(place, `${place.label}`) });
  createLocate({ say: notify, found: settleDevice });
  const share = createShare({ now: () => shown, link: () => linkOf(get()) });
  addTiles(map, config.tiles);
  map.on("resize", () => {
    const middle = middleOf(shown.report?.footprint);
    if (middle) keepInSight(map, middle);
  });

  const cities = createCities(list, (city) => {
    search.clear();
    change({ ...EMPTY, skip: get().skip, start: get().start, city: city.id });
  });

  const asking = createAsking({
    request: () => (get().city && (get().spot || !hasMap()) ? requestOf(get(), hasMap()) : null),
    trouble: panel.trouble,
    refused(errors) {
      form.refuse(errors);
      if (errors.length && shown.report) panel.show(shown.report); // or what was refused could not be undone
    },
    old: (is) => {
      panel.dim(is);
      skip.dim(is);
    },
    arrived(report, request) {
      if (request.city !== get().city || (hasMap() && !get().spot)) return; // of a city that was left meanwhile
      const before = middleOf(shown.report?.footprint);
      Object.assign(shown, { report, request });
      const middle = middleOf(report.footprint);
      skip.followed(before, middle);
      if (middle && !asking.waiting()) keepInSight(map, middle);
      skip.stand(report, get().spot);
      ground.clear(middle);
      measures.show(report, middle);
      panel.show(report);
      share.offer(report);
      if (!before && sheet.isLow()) sheet.lift("half");
      placed({ store, before, middle, back: returnTo });
      if (!asking.waiting()) void remember();
    },
  });

  async function remember() {
    const state = get();
    const fragment = await encode(state);
    if (state === get()) history.replaceState(null, "", `#${fragment}`);
  }

  function change(fields) {
    if (fields.skip) device.size.set(fields.skip);
    // What the form says takes the place of what was answered of the same.
    const said = { size: "skip" in fields, date: "end" in fields };
    set({ answers: get().answers.filter((each) => !said[each.kind]), ...fields }, "form");
  }

  /** Put the skip somewhere: with a finger, a key, or the button in the middle of the map. */
  function move(spot, how = "press") {
    if (!hasMap()) return;
    if (how !== "key") skip.forget();
    set({ spot }, how);
    keepInSight(map, spot);
  }

  function settle(place) {
    // In front of a corner lot lies its own street; the lot itself may be nearer to the other.
    const [lon, lat] = place.front || [place.lon, place.lat];
    const spot = { lon, lat };
    lookAtSpot(map, spot);
    move(spot, "search");
    skip.focus();
  }

  function settleDevice(spot) {
    if (cities.holds(spot)) settle(spot);
    else notify(`A posição do aparelho fica fora de ${cities.current()?.name ?? "qualquer cidade daqui"}. Escolha a cidade, ou busque o endereço.`);
  }

  function returnTo(fields) {
    skip.forget();
    set(fields, "back");
    lookAtSpot(map, fields.spot);
  }

  async function showCity(id) {
    const city = cities.show(id);
    device.city.set(id);
    lookAtCity(map, city);
    ground.show(city.bundle ? id : null);
    credit(config.tiles, city.bundle);
    search.enable(city.bundle !== null);
    byId("locate").disabled = city.bundle === null;
    document.body.classList.toggle("unmapped", city.bundle === null);
    form.permits([]);
    try {
      const told = await getCity(id);
      if (get().city === id) form.permits(told.fields.permits);
    } catch {
      // Without the list, what is required is asked for in the answer itself.
    }
  }

  let city = null;
  store.listen((state, cause) => {
    if (state.city !== city) {
      city = state.city;
      Object.assign(shown, { report: null, request: null });
      measures.clear();
      skip.stand(null, null);
      panel.welcome(list.find((each) => each.id === city)?.bundle);
      void showCity(city);
      if (state.spot) lookAtSpot(map, state.spot);
    }
    if (cause !== "drag") {
      form.show(state);
      skip.stand(shown.report, state.spot);
    }
    asking.ask(cause);
  });

  async function open(fragment) {
    const linked = await decode(fragment);
    if (linked === null) return false;
    if (linked && list.some((each) => each.id === linked.city)) {
      set({ ...linked, start: linked.start ?? localNow(), skip: linked.skip }, "link");
      return true;
    }
    notify("O link está incompleto ou estragado. Escolha a cidade e o lugar de novo.");
    return false;
  }
  window.addEventListener("hashchange", async () => {
    if (location.hash === `#${await encode(get())}`) return;
    if ((await decode(location.hash)) === null) void remember(); // a jump within the page
    else void open(location.hash);
  });
  if (!(await open(location.hash))) set({ city: cities.first(device.city.get()) }, "form");
}

async function linkOf(state) {
  return `${location.href.split("#")[0]}#${await encode(state)}`;
}

function usual(presets) {
  return ofVolume((presets.find((each) => each.volume_m3 === 5) ?? presets[0]).volume_m3);
}

start().catch((error) => {
  byId("trouble").textContent = `A página não pôde começar: ${error.message} Verifique a conexão e abra-a de novo.`;
  byId("trouble").hidden = false;
  throw error;
});
