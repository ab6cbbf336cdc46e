// The columns: the cell of each, its lock, and what else may be said of it. Where there are many, they can be sought.

import { cellInput } from "./inputs.js";
import { columnOptions, summaryOf } from "./options.js";
import { button, h, icon } from "./dom.js";
import { labelOf } from "./format.js";
import { change, current } from "./state.js";
import { counted, t } from "./texts.js";
import { setCell, valuesOf } from "./values.js";

const MANY = 12; // columns that are seen at a glance
const opened = new Set(); // which columns' options are unfolded, and what is sought: not worth a place in the address
let sought = "";

export function columnList(state, schema) {
  const list = h("ul", { class: "columns" }, schema.columns.map((column) => line(column, state)));
  const none = h("p", { class: "hint", hidden: true }, t("columns_none"));
  const show = () => {
    const found = seek(list);
    none.hidden = found > 0;
  };
  show();
  return [h("div", { class: "columns-head" }, head(state, schema, show)), list, none];
}

function head(state, schema, show) {
  const title = h("h3", {}, t("columns"));
  const said = h("p", { class: "hint", id: "columns-said" }, saidWords(state, schema));
  if (schema.columns.length <= MANY) return [title, h("p", { class: "hint" }, t("columns_hint")), said];
  const input = h("input", { type: "search", value: sought, placeholder: t("columns_seek"), "aria-label": t("columns_seek"), "data-focus": "seek", autocomplete: "off" });
  input.addEventListener("input", () => {
    sought = input.value;
    show();
  });
  const all = (lock) => () => lockAll(schema, lock);
  const locks = [button(t("lock_all"), { "data-focus": "lock-all", onclick: all(true) }, "lock"), button(t("unlock_all"), { "data-focus": "unlock-all", onclick: all(false) }, "open")];
  return [title, h("p", { class: "hint" }, t("columns_hint")), h("div", { class: "seek" }, input), h("div", { class: "all" }, said, locks)];
}

// Of the columns that are shown.
function lockAll(schema, lock) {
  change(
    (next) => {
      for (const { name } of schema.columns.filter((column) => matches(column.name))) {
        const said = (next.columns[name] ??= {});
        if (lock) said.lock = true;
        else delete said.lock;
        if (!Object.keys(said).length) delete next.columns[name];
      }
    },
    { everything: true },
  );
}

const matches = (name) => labelOf(name).toLowerCase().includes(sought.trim().toLowerCase());

function seek(list) {
  let found = 0;
  for (const item of list.children) {
    item.hidden = !matches(item.dataset.column);
    if (!item.hidden) found += 1;
  }
  return found;
}

function saidWords(state, schema) {
  const said = schema.columns.map((column) => state.columns[column.name] ?? {});
  const locked = said.filter((one) => one.lock).length;
  const limited = said.filter((one) => !one.lock && ["way", "low", "high", "only"].some((name) => name in one)).length;
  const free = t("columns_free", { count: schema.columns.length - locked - limited });
  return [free, locked && counted("columns_locked", locked), limited && counted("columns_limited", limited)].filter(Boolean).join(" · ");
}

export function refreshColumns(container, state, schema) {
  container.querySelector("#columns-said").textContent = saidWords(state, schema);
  for (const item of container.querySelectorAll("[data-column]")) {
    const column = schema.columns.find(({ name }) => String(name) === item.dataset.column);
    const said = state.columns[column.name] ?? {};
    item.className = said.lock ? "column locked" : "column";
    item.querySelector("small").textContent = summaryOf(column, said);
    showLock(item.querySelector(".lock"), said);
  }
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
  const label = t("options_of", { column: labelOf(name) });
  details.append(h("summary", { "data-focus": `more-${name}`, "aria-label": label, title: label }, icon("more")));
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
  const label = t("lock", { column: labelOf(name) });
  const element = h("button", { type: "button", class: "lock", "aria-label": label, title: label, "data-focus": `lock-${name}`, onclick: press });
  showLock(element, said);
  return element;
}

// The name stays; that it is pressed tells those who listen that the column is locked.
function showLock(element, said) {
  const pressed = String(Boolean(said.lock));
  if (element.getAttribute("aria-pressed") === pressed) return;
  element.setAttribute("aria-pressed", pressed);
  element.replaceChildren(icon(said.lock ? "lock" : "open"));
}
