// Answers belong to a spot: when the skip is moved on they are dropped, told of, and can be brought back.

import { ofTheSkip } from "./answers.js";
import { notify } from "./notice.js";
import { apart } from "./request.js";

const SAME_SPOT_M = 1;

/** Drop the answers of another spot, now that the skip stands in the middle of `middle`. */
export function placed({ store, before, middle, back }) {
  const { answers, anchor } = store.get();
  if (!anchor) {
    if (answers.length && middle) store.set({ anchor: middle }, "anchor");
    return;
  }
  const ofTheSpot = answers.filter((each) => !ofTheSkip(each));
  if (!middle || !ofTheSpot.length || apart(anchor, middle) <= SAME_SPOT_M) return;
  const kept = answers.filter(ofTheSkip);
  store.set({ answers: kept, anchor: null }, "moved");
  const many = ofTheSpot.length === 1 ? "A resposta dada valia" : `As ${ofTheSpot.length} respostas dadas valiam`;
  notify(`A caçamba mudou de lugar. ${many} para o lugar anterior e não ${ofTheSpot.length === 1 ? "vale" : "valem"} mais.`, {
    text: "Voltar ao lugar anterior",
    press: () => back({ answers, anchor, spot: before && apart(before, anchor) <= SAME_SPOT_M ? before : anchor }),
  });
}
