// What may be done to one column: a direction, a range, some values, a cost.

import { cellInput, choices } from "./inputs.js";
import { button, h } from "./dom.js";
import { cellText, labelOf, numberText, valueText } from "./format.js";
import { change, current } from "./state.js";
import { valuesOf } from "./values.js";
import { rangeWords } from "./words.js";
import { t } from "./texts.js";

const COSTS = [0, 0.25, 0.5, 1, 2, 4, 8, 16];
const NUMERIC = ["continuous", "integer", "date", "duration"];
const MANY = 8; // values beyond which there are short cuts

export function summaryOf(column, said) {
  const parts = [];
  if (said.way) parts.push(t(said.way === "up" ? "only_up" : "only_down"));
  if (said.low !== undefined || said.high !== undefined) parts.push(rangeWords(said, column));
  if (said.only) parts.push(t("only_some", { count: said.only.length, all: column.values.length }));
  if (said.cost !== undefined) parts.push(costWords(said.cost));
  return parts.join(" · ");
}

const costWords = (cost) => (cost === 0 ? t("cost_free") : t("cost_times", { cost: numberText(cost) }));

export function columnOptions(column, state) {
  const name = String(column.name);
  const said = state.columns[name] ?? {};
  return h(
    "div",
    { class: "option-list", role: "group", "aria-label": t("options_of", { column: labelOf(name) }) },
    column.ordered && direction(name, said),
    column.ordered && range(column, name, said),
    !NUMERIC.includes(column.kind) && allowed(column, name, said),
    cost(name, said),
  );
}

function set(name, entries, merge = null) {
  change(
    (next) => {
      const said = (next.columns[name] ??= {});
      for (const [key, value] of Object.entries(entries)) {
        if (value === null || value === undefined) delete said[key];
        else said[key] = value;
      }
      if (!Object.keys(said).length) delete next.columns[name];
    },
    { merge },
  );
}

function direction(name, said) {
  const options = [
    { value: null, text: t("either_way") },
    { value: "up", text: t("only_up") },
    { value: "down", text: t("only_down") },
  ];
  const chosen = choices(`way-${name}`, options, said.way ?? null, (way) => set(name, { way }));
  return h("div", { class: "option" }, h("span", { class: "option-name" }, t("direction")), chosen);
}

function range(column, name, said) {
  const ends = ["low", "high"].map((end) => {
    const label = t(end === "low" ? "at_least" : "at_most", { column: labelOf(name) });
    const attributes = { "aria-label": label, title: label, placeholder: column[end] === null ? t("open") : cellText(column[end], column) };
    const first = attributes.placeholder;
    const input = cellInput(column, said[end] ?? null, (value) => set(name, { [end]: value }, `${end}-${name}`), attributes);
    if (input.tagName === "SELECT") input.options[0].textContent = t("open");
    else input.placeholder = first;
    return input;
  });
  const between = h("span", { "aria-hidden": "true" }, "–");
  return h("div", { class: "option" }, h("span", { class: "option-name" }, t("range")), h("span", { class: "ends" }, ends[0], between, ends[1]));
}

function allowed(column, name, said) {
  const now = new Set(said.only ?? column.values);
  const boxes = column.values.map((value) => {
    const input = h("input", { type: "checkbox", checked: now.has(value) });
    input.addEventListener("change", () => {
      if (input.checked) now.add(value);
      else now.delete(value);
      const only = column.values.filter((one) => now.has(one));
      if (!only.length) {
        input.checked = true; // nothing at all is what a lock is for
        now.add(value);
        return;
      }
      set(name, { only: only.length === column.values.length ? null : only });
    });
    return h("label", { class: "check" }, input, h("span", {}, valueText(value)));
  });
  const tick = (values) => {
    now.clear();
    values.forEach((value) => now.add(value));
    column.values.forEach((value, place) => { boxes[place].firstChild.checked = now.has(value); });
    set(name, { only: values.length === column.values.length ? null : values });
  };
  const present = () => column.values.filter((value) => value === (valuesOf(current())[name] ?? column.values[0]));
  const short = column.values.length > MANY && h("div", { class: "short" }, button(t("values_all"), { onclick: () => tick(column.values) }), button(t("values_present"), { onclick: () => tick(present()) }));
  return h("fieldset", { class: "option values" }, h("legend", { class: "option-name" }, t("allowed_values")), short, h("div", { class: "boxes", tabindex: column.values.length > MANY ? 0 : null }, boxes));
}

function cost(name, said) {
  const place = Math.max(0, COSTS.indexOf(said.cost ?? 1));
  const output = h("output", {}, costWords(COSTS[place]));
  const input = h("input", {
    type: "range",
    min: 0,
    max: COSTS.length - 1,
    step: 1,
    "aria-label": t("cost_of", { column: labelOf(name) }),
    "aria-valuetext": costWords(COSTS[place]),
  });
  input.value = String(place);
  input.addEventListener("input", () => {
    const chosen = COSTS[Number(input.value)];
    output.textContent = costWords(chosen);
    input.setAttribute("aria-valuetext", output.textContent);
    set(name, { cost: chosen === 1 ? null : chosen }, `cost-${name}`);
  });
  return h("div", { class: "option" }, h("span", { class: "option-name" }, t("cost")), input, output);
}
