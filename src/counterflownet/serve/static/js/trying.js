// Try it yourself: any cell of an answer can be edited, and the page says at once whether it still holds.

import { button, h, iconButton, redrawn } from "./dom.js";
import { cellInput } from "./inputs.js";
import { cellText, labelOf } from "./format.js";
import { change, current } from "./state.js";
import { letterOf, number, same, terms } from "./answers.js";
import { numberOf, targetText } from "./measure.js";
import { constraintWords } from "./words.js";
import { records } from "./constraints.js";
import { t } from "./texts.js";
import { valuesOf } from "./values.js";

let drawn = null;

export function drawTried(container, { schema }, judgement) {
  const { tried } = current();
  const shape = tried && JSON.stringify([tried.open, current().language, current().row, valuesOf(current())]);
  if (!tried) {
    drawn = null;
    container.replaceChildren();
    return;
  }
  if (drawn !== shape) {
    redrawn(container, editor(tried, schema));
    drawn = shape;
  }
  verdict(container.querySelector(".verdict"), judgement, schema);
}

export const redraw = () => {
  drawn = null;
};

function editor(tried, schema) {
  const before = valuesOf(current());
  const open = tried.open.map((name) => schema.columns.find((column) => String(column.name) === name));
  return h(
    "div",
    { class: "card own", role: "group", "aria-labelledby": "own-heading" },
    h("header", {}, h("h3", { id: "own-heading" }, t("own")), iconButton(t("close"), "close", { "data-focus": "own-close", onclick: close })),
    h("p", { class: "hint" }, t("own_hint")),
    h("ul", { class: "edits" }, open.map((column) => edit(column, tried, before))),
    another(tried, schema),
    h("div", { class: "verdict", "aria-live": "polite" }),
  );
}

function edit(column, tried, before) {
  const name = String(column.name);
  const id = `own-${name}`;
  const set = (value) => change((next) => { next.tried.values[name] = value; }, { merge: id });
  return h(
    "li",
    {},
    h("label", { for: id }, labelOf(name), h("small", {}, t("now", { value: cellText(before[name], column) }))),
    cellInput(column, tried.values[name], set, { id, "data-focus": id }),
  );
}

function another(tried, schema) {
  const left = schema.columns.filter((column) => !tried.open.includes(String(column.name)));
  if (!left.length) return null;
  const select = h("select", { "data-focus": "own-more", "aria-label": t("own_more") }, h("option", { value: "" }, t("own_more")), left.map((column) => h("option", { value: String(column.name) }, labelOf(column.name))));
  select.addEventListener("change", () => {
    const name = select.value;
    if (name === "") return;
    change((next) => next.tried.open.push(name));
    document.getElementById(`own-${name}`)?.focus(); // what is new is what one goes on with
  });
  return select;
}

function verdict(place, judgement, schema) {
  if (!judgement) return;
  const state = current();
  const { answer, before } = judgement;
  const broken = answer.broken.map((position) => records(state, schema)[position]).filter(Boolean);
  const how = answer.valid && answer.changed.length ? (broken.length ? "warn" : "good") : "bad";
  const sentence = !answer.changed.length ? t("own_same") : answer.valid ? t("own_holds", { target: targetText(state.target) }) : t("own_fails", { target: targetText(state.target) });
  const pinned = state.pins.findIndex((pin) => same(pin, state.tried.values));
  redrawn(
    place,
    h("p", { class: `says ${how}` }, sentence),
    broken.map((entry) => h("p", { class: "says warn" }, t("own_breaks", { constraint: constraintWords(entry, schema) }))),
    number(before, numberOf(answer), schema),
    terms(answer),
    h("div", { class: "actions" }, button(pinned < 0 ? t("pin") : t("pinned", { letter: letterOf(pinned) }), { "aria-pressed": String(pinned >= 0), "data-focus": "own-pin", onclick: () => pin(pinned >= 0) }, "pin")),
  );
}

function pin(pinned) {
  change((next) => {
    next.pins = pinned ? next.pins.filter((one) => !same(one, next.tried.values)) : [...next.pins, next.tried.values];
  });
}

function close() {
  change((next) => { next.tried = null; }, { everything: true });
  document.getElementById("answers").focus();
}
