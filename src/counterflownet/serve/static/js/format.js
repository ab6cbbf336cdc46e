// Cells, probabilities and names as a person would write them.

import { counted, language, t } from "./texts.js";

const NEAR = 0.001;

export const labelOf = (name) => String(name).replaceAll("_", " ");

export function valueText(value, digits = 4, grouping = "min2") {
  if (value === null || value === undefined) return t("missing");
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (typeof value === "number") return numberText(value, digits, grouping);
  return value === "" || value.trim() !== value ? JSON.stringify(value) : visible(value);
}

export const columnNamed = (name, schema) => schema.columns.find((column) => String(column.name) === String(name));

// A day without its midnight, a moment to the minute if that tells it all; a zone stays.
export function dateText(value) {
  if (typeof value !== "string") return valueText(value);
  const [, day, time = "00:00:00", zone = ""] = /^(\d{4,}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(.*)$/.exec(value) ?? [];
  if (day === undefined) return valueText(value);
  const clock = time.replace(/^(\d\d:\d\d):00(\.0+)?$/, "$1");
  return clock === "00:00" ? day : `${day} ${clock}${zone && ` ${zone}`}`;
}

// How far it is from one cell to the other, in words; null where that says nothing.
export function movedText(before, after, column) {
  const numbers = typeof before === "number" && typeof after === "number";
  const places = ["date", "duration"].includes(column.kind) && [before, after].map((value) => placeOf(value, column));
  if (!numbers && !places) return null;
  const moved = numbers ? after - before : places[1] - places[0];
  if (!Number.isFinite(moved) || moved === 0) return null;
  const sign = moved > 0 ? "+" : "−";
  if (numbers) return `${sign}${numberText(Math.abs(moved))}`;
  return Math.abs(moved) < 1 ? null : `${sign}${counted("days", Math.round(Math.abs(moved)))}`;
}

// Where a value lies in the order of its column; of dates and durations, in days.
export function placeOf(value, column) {
  if (value === null || value === undefined) return NaN;
  if (column.kind === "date") return Date.parse(String(value).replace(" ", "T")) / 86_400_000;
  if (column.kind === "duration") return daysOf(value);
  return column.values.length ? column.values.indexOf(value) : value;
}

// "3 days 12:00:00", as pandas writes it, or "3.5 days".
export function daysOf(value) {
  const [, days, sign, hours = 0, minutes = 0, seconds = 0] = /^(-?[\d.]+) days?(?: ([+-]?)(\d+):(\d+):([\d.]+))?$/.exec(value ?? "") ?? [];
  if (days === undefined) return null;
  const clock = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  return Number(days) + (sign === "-" ? -clock : clock);
}

// Whether two cells are the same; a date may be written with or without its midnight.
export function sameCell(one, other, column) {
  if (one === other || one === null || other === null) return one === other;
  if (column.kind === "duration") return daysOf(one) === daysOf(other);
  return column.kind === "date" && withoutZone(dateText(one)) === withoutZone(dateText(other));
}

const withoutZone = (text) => text.replace(/ ?[+-]\d\d:\d\d$/, "");

export function cellText(value, column, digits = 4, grouping = "min2") {
  if (column?.kind === "date" && value !== null) return dateText(value);
  const days = column?.kind === "duration" ? daysOf(value) : null;
  return days === null ? valueText(value, digits, grouping) : counted("days", numberText(days, digits));
}

// As many digits as it takes to see that two values differ.
export function changeTexts(before, after, column) {
  const grouping = [before, after].some((value) => Math.abs(value) >= 10_000) ? "always" : "min2";
  for (let digits = 4; digits < 18; digits += 1) {
    const texts = [cellText(before, column, digits, grouping), cellText(after, column, digits, grouping)];
    if (texts[0] !== texts[1]) return texts;
  }
  return [String(before), String(after)];
}

// Cents stay; numbers of five digits and more are grouped, and so are those beside them.
export function numberText(value, digits = 4, grouping = "min2") {
  const whole = String(Math.trunc(Math.abs(value))).length;
  const precision = Number.isInteger(value) ? {} : { maximumSignificantDigits: Math.min(21, Math.max(digits, whole + 2)) };
  return new Intl.NumberFormat(language(), { ...precision, useGrouping: grouping }).format(value).replace("-", "−");
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
