// The case: which row it is, what matters, and what may be done to each of its cells.

import { columnList, refreshColumns } from "./columns.js";
import { h, redrawn } from "./dom.js";
import { rowChoice, rowKey } from "./rows.js";
import { change, current } from "./state.js";
import { ruleWords } from "./words.js";
import { t } from "./texts.js";
import { wishes } from "./wishes.js";

const JOINT = ["less_equal", "derived", "one_hot", "together", "if"];

export function drawCase(container, { schema, rows }) {
  const state = current();
  redrawn(container, h("h2", { id: "case-heading" }, t("case")), rowChoice(state, rows, schema), wishes(state, schema), columnList(state, schema), rules(state, schema));
}

// After a change of one control the others stay as they are, so that nobody is interrupted while typing.
export function refreshCase(container, { schema, rows }) {
  const state = current();
  const choice = container.querySelector(".row-choice");
  if (choice && choice.dataset.key !== rowKey(state)) swap(choice, rowChoice(state, rows, schema));
  refreshColumns(container, state, schema);
}

function swap(old, fresh) {
  const held = old.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  old.replaceWith(fresh);
  if (held === undefined) return;
  [...fresh.querySelectorAll("[data-focus]")].find((element) => element.dataset.focus === held)?.focus();
}

function rules(state, schema) {
  const all = new Map();
  for (const rule of [...schema.constraints, ...schema.relations, ...state.rules]) {
    if (JOINT.some((kind) => kind in rule)) all.set(JSON.stringify(rule), rule);
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
  return h("div", { class: "rules" }, h("h3", {}, t("rules")), h("p", { class: "hint" }, t("rules_hint")), h("ul", {}, items));
}
