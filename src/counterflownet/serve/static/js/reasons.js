// Why nothing was found, in words, with the constraints to loosen.

import { button, h, redrawn } from "./dom.js";
import { change, current } from "./state.js";
import { t } from "./texts.js";
import { labelOf, probabilityText, valueText } from "./format.js";
import { isRegression, measured, numberOf, targetText } from "./measure.js";
import { loosened } from "./loosened.js";
import { listed } from "./words.js";

export function drawAlready(container, { schema }) {
  const { target } = current();
  const others = schema.classes.filter((label) => label !== target);
  const flips = others.map((label) =>
    button(t("ask_for", { target: valueText(label) }), { "data-focus": `ask-${label}`, onclick: () => change((next) => { next.target = label; }, { everything: true }) }),
  );
  redrawn(
    container,
    h("div", { class: "empty" }, h("h3", {}, t(isRegression(schema) ? "already_number" : "already", { target: targetText(target) })), h("p", {}, t(isRegression(schema) ? "already_number_hint" : "already_hint")), h("div", { class: "actions" }, flips)),
  );
}

export function drawNothing(container, { answers, schema }, loosening) {
  const row = answers.rows[0];
  redrawn(
    container,
    h(
      "div",
      { class: "empty" },
      h("h3", {}, t("nothing")),
      h("p", {}, t(`outcome_${row.outcome}`)),
      loosening ? ways(loosening, schema) : h("p", { class: "hint" }, t("looking")),
      h("details", { class: "exact" }, h("summary", {}, t("exactly")), h("p", {}, row.reason)),
    ),
  );
}

function ways(loosening, schema) {
  const items = loosening.ways.map((way) => {
    const entry = loosening.entries[way.constraint];
    const less = loosened(entry, way, schema);
    return item(less.words, way, schema, `loosen-${way.constraint}`, less.edit);
  });
  const { surest } = loosening;
  if (surest) {
    const words = surest.confidence === null ? t("surest_any") : t("surest", { p: probabilityText(surest.confidence) });
    items.push(item(words, surest, schema, "loosen-confidence", (next) => { next.confidence = surest.confidence; }));
  }
  if (items.length) return h("div", {}, h("p", {}, t("loosen")), h("ul", { class: "ways" }, items));
  return h("p", {}, t(loosening.without_all ? "loosen_several" : "loosen_hopeless"));
}

function item(words, way, schema, focus, edit) {
  const columns = listed(way.changed.map(labelOf));
  const p = measured(current(), schema).text(numberOf(way));
  const press = () => change(edit, { everything: true });
  return h("li", {}, button(words, { "data-focus": focus, onclick: press }), h("span", {}, t("loosened", { columns, p })));
}

export function drawFailure(container, error, retry) {
  const text = error.status === 0 ? t("offline") : error.message;
  redrawn(
    container,
    h("div", { class: "empty failed", role: "alert" }, h("h3", {}, t(error.status === 422 ? "cannot" : "failed")), h("p", {}, text), h("div", { class: "actions" }, button(t("again"), { onclick: retry, "data-focus": "again" }))),
  );
}
