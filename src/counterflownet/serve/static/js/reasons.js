// Why nothing was found, in words, with the constraints to loosen.

import { button, h, redrawn } from "./dom.js";
import { change, current } from "./state.js";
import { counted, t } from "./texts.js";
import { labelOf, probabilityText, valueText } from "./format.js";
import { loosen } from "./constraints.js";
import { constraintWords, listed } from "./words.js";

export function drawAlready(container, { answers, schema }) {
  const row = answers.rows[0];
  const others = schema.classes.filter((label) => label !== row.target);
  const flips = others.map((label) =>
    button(t("ask_for", { target: valueText(label) }), { "data-focus": `ask-${label}`, onclick: () => change((next) => { next.target = label; }, { everything: true }) }),
  );
  redrawn(
    container,
    h("div", { class: "empty" }, h("h3", {}, t("already", { target: valueText(row.target) })), h("p", {}, t("already_hint")), h("div", { class: "actions" }, flips)),
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
    const press = () => change((next) => loosen(next, entry), { everything: true });
    const words = counted("loosened", way.found, { columns: listed(way.changed.map(labelOf)), p: probabilityText(way.probability, current().confidence) });
    return h("li", {}, button(t("without", { constraint: constraintWords(entry, schema) }), { "data-focus": `loosen-${way.constraint}`, onclick: press }), h("span", {}, words));
  });
  if (loosening.without_confidence) {
    const press = () => change((next) => { next.confidence = null; }, { everything: true });
    items.push(h("li", {}, button(t("without_confidence"), { "data-focus": "loosen-confidence", onclick: press }), h("span", {}, counted("found", loosening.without_confidence))));
  }
  if (items.length) return h("div", {}, h("p", {}, t("loosen")), h("ul", { class: "ways" }, items));
  return h("p", {}, t(loosening.without_all ? "loosen_several" : "loosen_hopeless"));
}

export function drawFailure(container, error, retry) {
  const text = error.status === 0 ? t("offline") : error.message;
  redrawn(
    container,
    h("div", { class: "empty failed", role: "alert" }, h("h3", {}, t(error.status === 422 ? "cannot" : "failed")), h("p", {}, text), h("div", { class: "actions" }, button(t("again"), { onclick: retry, "data-focus": "again" }))),
  );
}
