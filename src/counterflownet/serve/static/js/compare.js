// Pinned answers beside each other and beside the case as it is.

import { h, iconButton, redrawn } from "./dom.js";
import { cellText, labelOf, probabilityText } from "./format.js";
import { change, current } from "./state.js";
import { records } from "./constraints.js";
import { same } from "./answers.js";
import { constraintWords } from "./words.js";
import { t } from "./texts.js";
import { valuesOf } from "./case.js";

export function drawCompared(container, { schema }, judgements) {
  const { pins, confidence } = current();
  if (!pins.length) {
    container.replaceChildren();
    return;
  }
  const before = valuesOf(current());
  const touched = schema.columns.filter((column) => pins.some((pin) => pin[column.name] !== before[column.name]));
  const told = judgements?.length === pins.length ? judgements : null;
  const head = h("tr", {}, h("td", {}), h("th", { scope: "col" }, t("as_is")), pins.map((pin, place) => pinHead(pin, place)));
  const rows = touched.map((column) => line(column, before, pins));
  const likely = h("tr", { class: "likely" }, h("th", { scope: "row" }, t("probability_of", { target: current().target })), h("td", {}, told ? probabilityText(told[0].before, confidence) : "…"), pins.map((_, place) => h("td", {}, told ? probabilityText(told[place].answer.probability, confidence) : "…")));
  const holds = h("tr", {}, h("th", { scope: "row" }, t("holds")), h("td", {}, ""), pins.map((_, place) => verdict(told?.[place], schema)));
  redrawn(
    container,
    h("div", { class: "compared", role: "region", "aria-labelledby": "compared-heading", tabindex: 0 }, h("h3", { id: "compared-heading" }, t("compared")), h("table", {}, h("thead", {}, head), h("tbody", {}, rows, likely, holds))),
  );
}

function pinHead(pin, place) {
  const label = t("unpin_pinned", { letter: letterOf(place) });
  const press = () => change((next) => { next.pins = next.pins.filter((one) => !same(one, pin)); });
  return h("th", { scope: "col" }, letterOf(place), iconButton(label, "close", { "data-focus": `unpin-${place}`, onclick: press }));
}

const letterOf = (place) => String.fromCharCode(65 + (place % 26));

function line(column, before, pins) {
  const name = String(column.name);
  const cells = pins.map((pin) => h("td", { class: pin[name] === before[name] ? "same" : "other" }, cellText(pin[name], column)));
  return h("tr", {}, h("th", { scope: "row" }, labelOf(name)), h("td", {}, cellText(before[name], column)), cells);
}

function verdict(told, schema) {
  if (!told) return h("td", {}, "…");
  const all = records(current(), schema);
  const broken = told.answer.broken.map((position) => all[position]).filter(Boolean);
  if (!told.answer.valid) return h("td", { class: "no" }, t("no"));
  if (!broken.length) return h("td", { class: "yes" }, t("yes"));
  return h("td", { class: "no" }, broken.map((entry) => constraintWords(entry, schema)).join("; "));
}
