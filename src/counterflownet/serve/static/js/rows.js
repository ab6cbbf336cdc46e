// Which row it is: a list, and the one before and after.

import { h, iconButton } from "./dom.js";
import { valueText } from "./format.js";
import { measured } from "./measure.js";
import { change } from "./state.js";
import { t } from "./texts.js";

export const rowKey = (state) => JSON.stringify([state.row, state.values !== null, state.target, state.confidence, state.language]);

export function rowChoice(state, rows, schema) {
  if (!rows.length) return null;
  const measure = measured(state, schema);
  const edited = state.values !== null;
  const now = rows.findIndex((row) => row.label === state.row);
  const select = h("select", { id: "row", "data-focus": "row" }, edited && h("option", { value: "" }, t("row_edited")));
  select.append(...rows.map((row, place) => h("option", { value: place }, `${valueText(row.label)} · ${measure.text(measure.before(row))}`)));
  select.value = edited ? "" : String(now);
  select.addEventListener("change", () => {
    if (select.value !== "") choose(rows[Number(select.value)]);
  });
  const step = (by, symbol, words) => iconButton(words, symbol, { disabled: !rows[now + by], "data-focus": `row-${symbol}`, onclick: () => choose(rows[now + by]) });
  return h(
    "div",
    { class: "field row-choice", "data-key": rowKey(state) },
    h("label", { for: "row" }, t("row"), h("small", {}, t("row_of", { place: now + 1, all: rows.length }))),
    h("span", { class: "stepped" }, select, step(-1, "previous", t("row_previous")), step(1, "next", t("row_next"))),
  );
}

function choose(row) {
  change(
    (next) => {
      next.row = row.label;
      next.values = null;
      next.tried = null;
      next.pins = [];
    },
    { everything: true },
  );
}
