// The decision: what the model says of the case, what is wanted instead, and how far that is.

import { bar, h, redrawn } from "./dom.js";
import { endsOf, isRegression, measured } from "./measure.js";
import { probabilityText, valueText } from "./format.js";
import { change, current } from "./state.js";
import { marks } from "./answers.js";
import { t } from "./texts.js";

let drawn = null;

export function drawDecision(container, { schema }, prediction) {
  if (!prediction) return;
  const state = current();
  const key = JSON.stringify([prediction, state.target, state.confidence, state.language]);
  if (key === drawn) return;
  drawn = key;
  const measure = measured(state, schema);
  const number = measure.before(prediction);
  const meter = bar(measure.share(number), "likely wide");
  meter.append(...marks(measure));
  const told = isRegression(schema) ? measure.text(prediction.predicted) : valueText(prediction.predicted);
  redrawn(
    container,
    h(
      "div",
      { class: "says-what" },
      h("h2", { id: "decision-heading" }, t(isRegression(schema) ? "predicts" : "decides"), " ", h("strong", { class: measure.reached(prediction) ? "good" : "bad", id: "predicted" }, told)),
      h("p", { class: "wanted" }, h("span", {}, t("asked_for")), isRegression(schema) ? numberTarget(state, schema) : classTarget(state, schema)),
    ),
    h("div", { class: "how-likely" }, h("p", {}, h("span", {}, measure.name), h("strong", { id: "probability" }, measure.text(number))), meter, ends(schema, measure), others(prediction, state, schema)),
  );
}

// Of a regressor, from where to where the predictions of known rows go.
function ends(schema, measure) {
  if (!isRegression(schema)) return null;
  const { least, most } = schema.predictions;
  return h("p", { class: "ends-told" }, h("span", { title: t("least_known") }, measure.text(least)), h("span", { title: t("most_known") }, measure.text(most)));
}

// Of three classes or more, what the others get.
function others(prediction, state, schema) {
  if (schema.classes.length < 3) return null;
  const ranked = schema.classes
    .map((label, place) => ({ label, share: prediction.probabilities[place] }))
    .filter(({ label }) => label !== state.target)
    .sort((one, other) => other.share - one.share);
  const shown = ranked.slice(0, 4).map(({ label, share }) => h("li", {}, `${valueText(label)} `, h("b", {}, probabilityText(share))));
  return h("ul", { class: "others", "aria-label": t("other_classes") }, shown, ranked.length > 4 && h("li", {}, "…"));
}

function classTarget(state, schema) {
  const select = h("select", { "aria-label": t("target"), id: "target", "data-focus": "target" }, schema.classes.map((label, place) => h("option", { value: place }, valueText(label))));
  select.value = String(schema.classes.indexOf(state.target));
  select.addEventListener("change", () => change((next) => { next.target = schema.classes[Number(select.value)]; }, { everything: true }));
  return select;
}

const WAYS = ["at_least", "at_most", "between"];

function numberTarget(state, schema) {
  const now = WAYS.find((way) => way in state.target);
  const ways = h("select", { "aria-label": t("target"), id: "target", "data-focus": "target" }, WAYS.map((way) => h("option", { value: way }, t(`target_${way}`))));
  ways.value = now;
  ways.addEventListener("change", () => change((next) => { next.target = turned(ways.value, state.target, schema); }, { everything: true }));
  const ends = endsOf(state.target).flatMap((end, place) => (end === null ? [] : [endInput(end, place, now, state)]));
  return h("span", { class: "number-target" }, ways, ends);
}

function endInput(end, place, way, state) {
  const label = t(place === 0 ? "target_low" : "target_high");
  const input = h("input", { type: "number", step: "any", value: end, "aria-label": label, title: label, id: `target-${place}`, "data-focus": `target-${place}` });
  input.addEventListener("change", () => {
    const typed = input.value === "" ? NaN : Number(input.value);
    const between = way === "between" ? state.target.between.map((one, other) => (other === place ? typed : one)) : null;
    if (!Number.isFinite(typed) || (between && between[0] > between[1])) {
      input.value = String(end);
      return;
    }
    change((next) => { next.target = between ? { between } : { [way]: typed }; }, { everything: true });
  });
  return input;
}

// The same numbers as far as they fit, for another way of asking.
function turned(way, target, schema) {
  const [low, high] = endsOf(target);
  const usual = [schema.predictions.low, schema.predictions.high].map((number) => Number(number.toPrecision(3)));
  if (way !== "between") return { [way]: low ?? high };
  const first = low ?? Math.min(usual[0], high);
  return { between: [first, high ?? Math.max(usual[1], first)] };
}

