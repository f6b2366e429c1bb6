// Shows a report in the panel and keeps the focus where the user was.

import { answered, identity } from "./answers.js";
import { details, folds, verdict } from "./answer.js";
import { createChecklist } from "./checklist.js";
import { button, byId, el } from "./dom.js";
import { speak } from "./notice.js";
import { VERDICTS } from "./words.js";

const QUIET_MS = 700;

/** `answer(answers)` hears what is known now; `hold(rule, held)` which acts. */
export function createPanel({ answer, answers, hold, pointable, point }) {
  const content = byId("content");
  let timer = null;

  function spoken(report) {
    clearTimeout(timer);
    timer = setTimeout(() => speak(`${VERDICTS[report.verdict].word}. ${report.summary}`), QUIET_MS);
  }

  const heard = {
    tell: (question, value) => answer(answered(answers(), question, value)),
    tellAll: (questions, value) => answer(questions.reduce((known, each) => answered(known, each, value), answers())),
    undo: (gone) => answer(answers().filter((each) => identity(each) !== identity(gone))),
  };

  const checklist = createChecklist(heard);

  // A tap that has begun is to end on what it began on.
  let held = false;
  let late = null;
  content.addEventListener("pointerdown", () => {
    held = true;
  });
  for (const type of ["pointerup", "pointercancel"]) {
    window.addEventListener(type, () => setTimeout(() => {
      held = false;
      late?.();
      late = null;
    }));
  }

  function show(report, waiting) {
    late = null;
    const focus = focused(content);
    byId("verdict").replaceChildren(...verdict(report));
    byId("checklist").replaceChildren(...checklist(report, answers(), waiting));
    byId("checklist").hidden = !byId("checklist").childElementCount;
    byId("details").replaceChildren(...details(report, { pointable, point, hold }));
    byId("folds").replaceChildren(...folds(report, { pointable, point }));
    byId("share").hidden = false;
    focus();
    if (!waiting) spoken(report);
  }

  function whenFree(report, waiting) {
    if (held) late = () => show(report, waiting);
    else show(report, waiting);
  }

  return {
    show: (report) => whenFree(report, false),
    /** Take what was just answered out of the questions; the new report is on its way. */
    answered: (report) => whenFree(report, true),
    welcome(hasMap) {
      clearTimeout(timer);
      for (const part of ["checklist", "details", "folds"]) byId(part).replaceChildren();
      byId("share").hidden = true;
      const text = hasMap ? "Busque a rua e o número, use a sua posição ou toque no mapa onde a caçamba vai ficar." : "";
      byId("verdict").replaceChildren(el("p", { class: "welcome", text }));
    },
    trouble(text, retry = null) {
      const made = byId("trouble");
      if (text === null) {
        made.hidden = true;
        made.replaceChildren();
        return;
      }
      made.replaceChildren(el("span", { text }), ...(retry ? [" ", button("Tentar agora", retry)] : []));
      made.hidden = false;
    },
    dim: (old) => content.classList.toggle("old", old),
  };
}

/** Remember what has the focus; the function returned gives it back, or to the next question. */
function focused(content) {
  const at = document.activeElement;
  const question = at?.closest?.("[data-question]");
  const list = at?.closest?.("#checklist, #details, #folds");
  if (!content.contains(at) || !list) return () => {};
  const name = question?.dataset.question;
  const questions = [...content.querySelectorAll("[data-question]")];
  const after = questions.slice(questions.indexOf(question) + 1).map((each) => each.dataset.question);
  const label = at.getAttribute("aria-label") ?? at.textContent;
  const scroll = content.scrollTop;
  return () => {
    content.scrollTop = scroll;
    if (at.isConnected) {
      at.focus({ preventScroll: true });
      return;
    }
    const wanted = [name, ...after].filter(Boolean);
    const next = wanted.map((each) => content.querySelector(`[data-question="${CSS.escape(each)}"]`)).find(Boolean);
    const same = [...list.querySelectorAll("button, input, summary")].find((each) => !name && (each.getAttribute("aria-label") ?? each.textContent) === label && label);
    const target = same ?? next?.querySelector("button, input, select") ?? byId("open-title");
    target?.focus({ preventScroll: target.id === "open-title" ? false : true });
  };
}
