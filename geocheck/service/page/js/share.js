// The answer to take along: a link, the card, the map and the report as files.

import { checkAs } from "./api.js";
import { byId, button, el } from "./dom.js";
import { notify } from "./notice.js";

/** `now()` returns the request and the report of what is shown, `link()` its link. */
export function createShare({ now, link }) {
  const map = button("Baixar mapa", (event) => withFile(event, "text/html", (blob) => save(blob, `${nameOf(now())}.html`)));
  byId("share").querySelector(".buttons").append(
    button("Compartilhar link", shareLink, { class: "main" }),
    button("Cartão", (event) => withFile(event, "image/png", showCard)),
    map,
    button("Baixar JSON", () => save(new Blob([JSON.stringify(now().report, null, 1)], { type: "application/json" }), `${nameOf(now())}.json`)),
  );

  return {
    /** Offer what there is of a report: without a map of the city, none to take along. */
    offer: (report) => {
      map.hidden = !report.footprint;
    },
  };

  async function shareLink() {
    const url = await link();
    if (navigator.share) {
      try {
        await navigator.share({ title: document.title, url });
        return;
      } catch (error) {
        if (error.name === "AbortError") return;
      }
    }
    try {
      await navigator.clipboard.writeText(url);
      notify("Link copiado.");
    } catch {
      showLink(url);
    }
  }

  async function withFile(event, type, use) {
    const press = event.currentTarget;
    press.disabled = true;
    try {
      use(await checkAs(now().request, type));
    } catch (error) {
      notify(error.message);
    } finally {
      press.disabled = false;
    }
  }

  function showCard(blob) {
    const url = URL.createObjectURL(blob);
    const file = new File([blob], `${nameOf(now())}.png`, { type: "image/png" });
    const share = navigator.canShare?.({ files: [file] }) && button("Compartilhar", () => navigator.share({ files: [file] }).catch(() => {}), { class: "main" });
    const dialog = opened("Cartão", el("div", { class: "card", tabindex: "0", role: "region", "aria-label": "Cartão" }, el("img", { src: url, alt: `Cartão: ${now().report.summary}` })), [share, button("Baixar", () => save(blob, file.name))]);
    dialog.addEventListener("close", () => URL.revokeObjectURL(url));
  }
}

function showLink(link) {
  const field = el("input", { readonly: true, "aria-label": "Link", value: link });
  opened("Copie o link", field, []);
  field.select();
}

function opened(title, content, buttons) {
  const dialog = el("dialog", { "aria-label": title }, el("h2", { text: title }), content, el("div", { class: "buttons" }, ...buttons, button("Fechar", () => dialog.close())));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const anchor = el("a", { href: url, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function nameOf({ report }) {
  const street = (report.kerb?.street ?? report.city).normalize("NFD").replace(/\p{M}/gu, "").replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").toLowerCase();
  return `cacamba-${street.slice(0, 40) || report.city}-${report.start.slice(0, 10)}`;
}
