// What is preferred: few changes, near, usual, different; how certain, how many.

import { h } from "./dom.js";
import { probabilityText } from "./format.js";
import { isRegression } from "./measure.js";
import { change } from "./state.js";
import { t } from "./texts.js";

const WEIGHTS = ["sparsity", "proximity", "plausibility"];
const CONFIDENCES = [null, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

export function wishes(state, schema) {
  const weights = WEIGHTS.filter((name) => schema.terms.includes(name)).map((name) => {
    const now = state.weights[name] ?? schema.weights[name];
    return slider(`weight-${name}`, t(`wish_${name}`), `wish_${name}_hint`, now, (value, next) => {
      if (value === schema.weights[name]) delete next.weights[name];
      else next.weights[name] = value;
    });
  });
  const different = slider("diversity", t("wish_diversity"), "wish_diversity_hint", state.diversity, (value, next) => {
    next.diversity = value;
  });
  return h(
    "div",
    { class: "wishes" },
    h("h3", {}, t("wishes")),
    h("div", { class: "sliders" }, weights, different),
    h("div", { class: "numbers" }, !isRegression(schema) && confidence(state), count(state, schema), most(state, schema)),
  );
}

function slider(id, label, hint, value, apply) {
  const input = h("input", { type: "range", id, min: 0, max: 1, step: 0.05, title: t(hint), "data-focus": id });
  const output = h("output", { for: id, "aria-hidden": "true" });
  const show = () => {
    output.textContent = probabilityText(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.value = String(value);
  show();
  input.addEventListener("input", () => {
    show();
    change((next) => apply(Number(input.value), next), { merge: id });
  });
  return h("div", { class: "slider" }, h("label", { for: id, title: t(hint) }, label), input, output);
}

function confidence(state) {
  const text = (value) => (value === null ? t("confidence_any") : t("confidence_least", { p: probabilityText(value) }));
  const all = CONFIDENCES.includes(state.confidence) ? CONFIDENCES : [...CONFIDENCES, state.confidence];
  const select = h("select", { id: "confidence", "data-focus": "confidence" }, all.map((value, place) => h("option", { value: place }, text(value))));
  select.value = String(all.indexOf(state.confidence));
  select.addEventListener("change", () => change((next) => { next.confidence = all[Number(select.value)]; }));
  return h("label", { class: "field" }, h("span", {}, t("confidence")), select);
}

function count(state, schema) {
  const most = Math.min(12, schema.limits.count);
  return stepper("count", t("count"), state.count, 1, most, (value, next) => { next.count = value ?? 1; });
}

function most(state, schema) {
  return stepper("most", t("most_changes"), state.most, 1, schema.columns.length, (value, next) => { next.most = value; }, t("any"));
}

function stepper(id, label, value, low, high, apply, empty = "") {
  const input = h("input", { type: "number", id, min: low, max: high, step: 1, value: value ?? "", placeholder: empty, "data-focus": id });
  input.addEventListener("input", () => {
    const typed = input.value === "" ? null : Math.round(Number(input.value));
    if (typed !== null && (typed < low || typed > high)) return;
    change((next) => apply(typed, next), { merge: id });
  });
  return h("label", { class: "field small" }, h("span", {}, label), input);
}
