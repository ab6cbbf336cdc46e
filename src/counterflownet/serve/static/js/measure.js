// The number that answers are judged by: the probability of what is wanted, or what a regressor predicts.

import { numberText, probabilityText, valueText } from "./format.js";
import { t } from "./texts.js";

export const isRegression = (schema) => schema.task === "regression";
export const numberOf = (answer) => answer.prediction ?? answer.probability;
export const numberBefore = (row) => row.prediction_before ?? row.probability_before;

export function targetText(target) {
  if (target === null || typeof target !== "object") return valueText(target);
  if ("at_least" in target) return t("range_low", { low: numberText(target.at_least) });
  if ("at_most" in target) return t("range_high", { high: numberText(target.at_most) });
  const [low, high] = target.between;
  return t("range_both", { low: numberText(low), high: numberText(high) });
}

export function endsOf(target) {
  return [target.at_least ?? target.between?.[0] ?? null, target.at_most ?? target.between?.[1] ?? null];
}

// What it is called, how it is written, where it lies on a bar from 0 to 1, and where the bar has marks to be reached.
export function measured(state, schema) {
  if (isRegression(schema)) return ofNumbers(state, schema);
  const least = state.confidence;
  const half = schema.classes.length === 2 ? [0.5] : []; // of three classes one wins with less, and may lose with more
  return {
    name: t("probability_of", { target: targetText(state.target) }),
    text: (number) => probabilityText(number, least),
    share: (number) => number,
    marks: least === null ? half : [least],
    before: (prediction) => prediction.probabilities[schema.classes.indexOf(state.target)],
    reached: (prediction) => prediction.predicted === state.target,
  };
}

function ofNumbers(state, schema) {
  const ends = endsOf(state.target);
  const given = ends.filter((end) => end !== null);
  const low = Math.min(schema.predictions.least, ...given);
  const width = Math.max(schema.predictions.most, ...given) - low || 1;
  const share = (number) => Math.max(0, Math.min(1, (number - low) / width));
  return {
    name: t("prediction"),
    text: (number) => besideEnds(number, given),
    share,
    marks: given.map(share),
    before: (prediction) => prediction.predicted,
    reached: ({ predicted }) => (ends[0] === null || predicted >= ends[0]) && (ends[1] === null || predicted <= ends[1]),
  };
}

// In as few digits as leave a prediction on its side of every end that was asked for.
function besideEnds(number, ends) {
  const sides = (value) => ends.map((end) => Math.sign(value - end)).join();
  for (let digits = 4; digits < 17; digits += 1) {
    if (sides(Number(number.toPrecision(digits))) === sides(number)) return numberText(number, digits);
  }
  return numberText(number, 17);
}
