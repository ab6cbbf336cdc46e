// Pinned answers beside each other and beside the case as it is.

import { h, iconButton, redrawn } from "./dom.js";
import { cellText, labelOf, sameCell } from "./format.js";
import { measured, numberOf } from "./measure.js";
import { change, current } from "./state.js";
import { records } from "./constraints.js";
import { letterOf, same } from "./answers.js";
import { constraintWords } from "./words.js";
import { t } from "./texts.js";
import { valuesOf } from "./values.js";

export function drawCompared(container, { schema }, judgements) {
  const { pins } = current();
  if (!pins.length) {
    container.replaceChildren();
    return;
  }
  const before = valuesOf(current());
  const measure = measured(current(), schema);
  const touched = schema.columns.filter((column) => pins.some((pin) => !sameCell(pin[column.name], before[column.name], column)));
  const told = judgements.every(Boolean) ? judgements : null;
  const head = h("tr", {}, h("td", {}), h("th", { scope: "col" }, t("as_is")), pins.map((pin, place) => pinHead(pin, place)));
  const rows = touched.map((column) => line(column, before, pins));
  const likely = h("tr", { class: "likely" }, h("th", { scope: "row" }, measure.name), h("td", {}, told ? measure.text(told[0].before) : "…"), pins.map((_, place) => h("td", {}, told ? measure.text(numberOf(told[place].answer)) : "…")));
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

function line(column, before, pins) {
  const name = String(column.name);
  const cells = pins.map((pin) => h("td", { class: sameCell(pin[name], before[name], column) ? "same" : "other" }, cellText(pin[name], column)));
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
