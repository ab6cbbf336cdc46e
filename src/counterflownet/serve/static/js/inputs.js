// One cell as a control of its kind: a number, a date, a list, an ordered list; any of them may be missing.

import { h } from "./dom.js";
import { cellText, daysOf, valueText } from "./format.js";
import { t } from "./texts.js";

export function cellInput(column, value, onChange, attributes = {}) {
  if (column.kind === "continuous" || column.kind === "integer") return numberInput(column, value, onChange, attributes);
  if (column.kind === "date") return dateInput(column, value, onChange, attributes);
  if (column.kind === "duration") return durationInput(value, onChange, attributes);
  return listInput(column.values, value, onChange, attributes);
}

export function numberInput(column, value, onChange, attributes = {}) {
  return h("input", {
    type: "number",
    step: column.whole ? 1 : "any",
    inputmode: column.whole ? "numeric" : "decimal",
    value: value ?? "",
    placeholder: t("missing"),
    oninput: ({ target }) => {
      if (target.value === "" && target.validity.badInput) return;
      onChange(target.value === "" ? null : Number(target.value));
    },
    ...attributes,
  });
}

// A day, or a moment where the column has times of day.
export function dateInput(column, value, onChange, attributes = {}) {
  const text = value === null || value === undefined ? "" : String(value).replace(" ", "T");
  return h("input", {
    type: column.timed ? "datetime-local" : "date",
    value: column.timed ? text.slice(0, 19) : text.slice(0, 10),
    oninput: ({ target }) => onChange(target.value === "" ? null : momentText(target.value)),
    ...attributes,
  });
}

const momentText = (typed) => `${typed.slice(0, 10)} ${typed.slice(11) || "00:00"}${typed.length > 16 ? "" : ":00"}`;

export function durationInput(value, onChange, attributes = {}) {
  return h("input", {
    type: "number",
    step: "any",
    value: daysOf(value) ?? "",
    placeholder: t("missing"),
    title: t("in_days"),
    oninput: ({ target }) => {
      if (target.value === "" && target.validity.badInput) return;
      onChange(target.value === "" ? null : `${target.value} days`);
    },
    ...attributes,
  });
}

export function listInput(values, value, onChange, attributes = {}) {
  const unknown = value !== null && value !== undefined && !values.includes(value);
  const all = unknown ? [...values, value] : values;
  const missing = h("option", { value: "" }, t("missing"));
  const options = all.map((one, place) => h("option", { value: place }, valueText(one)));
  const place = all.indexOf(value);
  const element = h("select", attributes, missing, options);
  element.value = place < 0 ? "" : String(place);
  element.addEventListener("change", () => onChange(element.value === "" ? null : all[Number(element.value)]));
  return element;
}

export function choices(name, options, chosen, onChange) {
  const buttons = options.map(({ value, text }) => {
    const input = h("input", { type: "radio", name, value: String(value), checked: value === chosen });
    input.addEventListener("change", () => onChange(value));
    return h("label", { class: "choice" }, input, h("span", {}, text));
  });
  return h("span", { class: "choices" }, buttons);
}

export const shown = (value, column) => cellText(value, column);
