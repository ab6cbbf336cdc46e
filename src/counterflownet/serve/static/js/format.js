// Cells, probabilities and names as a person would write them.

import { language, t } from "./texts.js";

const NEAR = 0.001;

export const labelOf = (name) => String(name).replaceAll("_", " ");

export function valueText(value, digits = 4) {
  if (value === null || value === undefined) return t("missing");
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (typeof value === "number") return numberText(value, digits);
  return value === "" || value.trim() !== value ? JSON.stringify(value) : visible(value);
}

export function dateText(value) {
  return typeof value === "string" && /[T ]00:00:00$/.test(value) ? value.slice(0, 10) : valueText(value);
}

export function cellText(value, column, digits = 4) {
  return column?.kind === "date" && value !== null ? dateText(value) : valueText(value, digits);
}

// As many digits as it takes to see that two values differ.
export function changeTexts(before, after, column) {
  for (let digits = 4; digits < 18; digits += 1) {
    const texts = [cellText(before, column, digits), cellText(after, column, digits)];
    if (texts[0] !== texts[1]) return texts;
  }
  return [String(before), String(after)];
}

export function numberText(value, digits = 4) {
  const whole = String(Math.trunc(Math.abs(value))).length;
  const options = { maximumSignificantDigits: Math.max(digits, whole + 1), useGrouping: "min2" };
  return new Intl.NumberFormat(language(), Number.isInteger(value) ? { useGrouping: "min2" } : options).format(value);
}

// Control characters and marks that turn text around are shown, not obeyed.
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
}

// In as few digits as leave a probability on its side of one half, and of what was asked for.
export function probabilityText(probability, least = null) {
  const asked = least ?? 0.5;
  if (probability > 0 && probability < NEAR && !(asked > 0 && asked <= NEAR)) return `< ${percent(NEAR, 1)}`;
  if (probability < 1 && probability > 1 - NEAR && !(asked < 1 && asked >= 1 - NEAR)) return `> ${percent(1 - NEAR, 1)}`;
  for (let digits = 0; digits < 14; digits += 1) {
    const shown = Number(probability.toFixed(digits + 2));
    if (sides(shown, least) === sides(probability, least)) return percent(shown, digits);
  }
  return percent(probability, 3);
}

function sides(p, least) {
  return [p <= 0, p < 0.5, p > 0.5, p >= 1, least !== null && p >= least].join();
}

function percent(share, digits) {
  const number = new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${number.format(100 * share)} %`;
}
