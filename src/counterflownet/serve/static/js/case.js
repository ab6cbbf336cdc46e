// The case: which row it is, its cells, and what may be done to each of them.

import { cellInput } from "./inputs.js";
import { columnOptions, summaryOf } from "./options.js";
import { h, icon, redrawn } from "./dom.js";
import { labelOf, probabilityText, valueText } from "./format.js";
import { change, current } from "./state.js";
import { ruleWords } from "./words.js";
import { t } from "./texts.js";
import { wishes } from "./wishes.js";

const opened = new Set(); // which columns' options are unfolded: not worth a place in the address

export function drawCase(container, { schema, rows }) {
  const state = current();
  redrawn(
    container,
    h("h2", { id: "case-heading" }, t("case")),
    rowChoice(state, rows, schema),
    wishes(state, schema),
    h("div", { class: "columns-head" }, h("h3", {}, t("columns")), h("p", { class: "hint" }, t("columns_hint"))),
    h("ul", { class: "columns" }, schema.columns.map((column) => line(column, state))),
    rules(state, schema),
  );
}

// After a change of one control the others stay as they are, so that nobody is interrupted while typing.
export function refreshCase(container, { schema, rows }) {
  const state = current();
  swap(container.querySelector(".row-choice"), rowChoice(state, rows, schema));
  for (const column of schema.columns) {
    const said = state.columns[column.name] ?? {};
    const item = container.querySelector(`[data-column="${CSS.escape(String(column.name))}"]`);
    item.className = said.lock ? "column locked" : "column";
    item.querySelector("small").textContent = summaryOf(column, said);
    showLock(item.querySelector(".lock"), String(column.name), said);
  }
}

function swap(old, fresh) {
  if (!old) return;
  const held = old.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  old.replaceWith(fresh);
  if (held === undefined) return;
  [fresh, ...fresh.querySelectorAll("[data-focus]")].find((element) => element.dataset.focus === held)?.focus();
}

function rowChoice(state, rows, schema) {
  if (!rows.length) return null;
  const select = h("select", { id: "row", "data-focus": "row" });
  const edited = state.values !== null;
  if (edited) select.append(h("option", { value: "" }, t("row_edited")));
  rows.forEach((row, place) => select.append(h("option", { value: place }, rowText(row, state, schema))));
  const place = rows.findIndex((row) => row.label === state.row);
  select.value = edited ? "" : String(place);
  select.addEventListener("change", () => {
    if (select.value === "") return;
    change(
      (next) => {
        next.row = rows[Number(select.value)].label;
        next.values = null;
        next.tried = null;
        next.pins = [];
      },
      { everything: true },
    );
  });
  return h("label", { class: "field row-choice" }, h("span", {}, t("row")), select);
}

function rowText(row, state, schema) {
  const place = schema.classes.indexOf(state.target);
  return `${valueText(row.label)} · ${probabilityText(row.probabilities[place])}`;
}

function line(column, state) {
  const name = String(column.name);
  const said = state.columns[name] ?? {};
  const id = `cell-${name}`;
  const input = cellInput(column, valuesOf(state)[name], (value) => setCell(name, value), { id, "data-focus": id });
  const details = h("details", { class: "options", open: opened.has(name) });
  details.addEventListener("toggle", () => {
    if (details.open) opened.add(name);
    else opened.delete(name);
    if (details.open && details.childElementCount === 1) details.append(columnOptions(column, current()));
  });
  details.append(
    h("summary", { "data-focus": `more-${name}`, "aria-label": t("options_of", { column: labelOf(name) }) }, icon("more")),
  );
  if (opened.has(name)) details.append(columnOptions(column, state));
  return h(
    "li",
    { class: said.lock ? "column locked" : "column", "data-column": name },
    lock(name, said),
    h("label", { for: id, class: "name", title: name }, labelOf(name), h("small", {}, summaryOf(column, said))),
    input,
    details,
  );
}

function lock(name, said) {
  const press = () =>
    change((next) => {
      const now = (next.columns[name] ??= {});
      if (now.lock) delete now.lock;
      else now.lock = true;
      if (!Object.keys(now).length) delete next.columns[name];
    });
  const element = h("button", { type: "button", class: "lock", "data-focus": `lock-${name}`, onclick: press });
  showLock(element, name, said);
  return element;
}

function showLock(element, name, said) {
  const label = t(said.lock ? "unlock" : "lock", { column: labelOf(name) });
  element.setAttribute("aria-pressed", String(Boolean(said.lock)));
  element.setAttribute("aria-label", label);
  element.title = label;
  element.replaceChildren(icon(said.lock ? "lock" : "open"));
}

let knownRows = [];
let knownSchema = null;

export function remember(rows, schema) {
  knownRows = rows;
  knownSchema = schema;
}

export function valuesOf(state) {
  if (state.values) return state.values;
  const row = knownRows.find((one) => one.label === state.row) ?? knownRows[0];
  if (row) return row.values;
  return Object.fromEntries(knownSchema.columns.map((column) => [String(column.name), column.usual]));
}

function setCell(name, value) {
  change(
    (next) => {
      next.values = { ...valuesOf(next), [name]: value };
      next.tried = null;
      next.pins = [];
    },
    { merge: `cell-${name}` },
  );
}

function rules(state, schema) {
  const all = new Map();
  for (const rule of [...schema.constraints, ...schema.relations, ...state.rules]) {
    if (["less_equal", "derived", "one_hot", "together", "if"].some((kind) => kind in rule)) all.set(JSON.stringify(rule), rule);
  }
  if (!all.size) return null;
  const on = new Set(state.rules.map((rule) => JSON.stringify(rule)));
  const items = [...all].map(([key, rule]) => {
    const input = h("input", { type: "checkbox", checked: on.has(key), "data-focus": `rule-${key}` });
    input.addEventListener("change", () =>
      change((next) => {
        next.rules = next.rules.filter((one) => JSON.stringify(one) !== key);
        if (input.checked) next.rules.push(rule);
      }),
    );
    return h("li", {}, h("label", { class: "check" }, input, h("span", {}, ruleWords(rule))));
  });
  return h("div", { class: "rules" }, h("h3", {}, t("rules")), h("ul", {}, items));
}
