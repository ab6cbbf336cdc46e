// Constraints and rules in words.

import { cellText, labelOf, valueText } from "./format.js";
import { counted, t } from "./texts.js";

export function constraintWords({ record, kind, column }, schema) {
  const feature = schema.columns.find((one) => one.name === column);
  const name = labelOf(column);
  if (kind === "lock") return t("said_lock", { column: name });
  if (kind === "way") return t("increasing" in record ? "said_up" : "said_down", { column: name });
  if (kind === "range") return t("said_range", { column: name, range: rangeWords(record, feature) });
  if (kind === "only") return t("said_only", { column: name, values: listed(record.values) });
  if (kind === "most") return counted("said_most", record.max_changes);
  return ruleWords(record);
}

export function rangeWords({ low, high }, feature) {
  const [from, to] = [low, high].map((end) => (end === undefined ? null : cellText(end, feature)));
  if (from === null) return t("range_high", { high: to });
  return to === null ? t("range_low", { low: from }) : t("range_both", { low: from, high: to });
}

export function ruleWords(record) {
  if ("less_equal" in record) {
    const [low, high] = record.less_equal.map(labelOf);
    return t("rule_less_equal", { low, high });
  }
  if ("derived" in record) return t("rule_derived", { column: labelOf(record.derived), from: labelOf(record.from) });
  if ("one_hot" in record) return t("rule_one_hot", { columns: listed(record.one_hot.map(labelOf)) });
  if ("together" in record) return t("rule_together", { columns: listed(record.together.map(labelOf)) });
  if ("if" in record) return t("rule_if", { if: record.if, then: record.then });
  return valueText(JSON.stringify(record));
}

export function listed(values, most = 6) {
  const texts = values.slice(0, most).map((value) => valueText(value));
  return values.length > most ? `${texts.join(", ")}, …` : texts.join(", ");
}
