// A short notice with, where there is one, a way back; and words for those who do not see the page.

import { byId, button, el } from "./dom.js";

/** Tell something; `action` is `{text, press}`. It stays until it is closed or another one comes. */
export function notify(text, action = null) {
  const close = () => byId("notice").replaceChildren();
  const act = action && button(action.text, () => {
    close();
    action.press();
  }, { class: "act" });
  byId("notice").replaceChildren(el("div", { class: "notice" }, el("span", { text }), act ?? "", button("✕", close, { "aria-label": "Fechar o aviso", class: "close" })));
}

export function closeNotice() {
  byId("notice").replaceChildren();
}

/** Say something to a screen reader. */
export function speak(text) {
  byId("spoken").textContent = text;
}
