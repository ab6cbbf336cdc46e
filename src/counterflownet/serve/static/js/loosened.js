// What to give up so that an answer becomes possible: no more of a constraint than that answer needs.

import { cellText, columnNamed, labelOf, placeOf, valueText } from "./format.js";
import { constraintWords } from "./words.js";
import { loosen } from "./constraints.js";
import { counted, t } from "./texts.js";

export function loosened(entry, way, schema) {
  const column = entry.column === null ? null : columnNamed(entry.column, schema);
  const name = column && labelOf(column.name);
  const all = { words: t("without", { constraint: constraintWords(entry, schema) }), edit: (next) => loosen(next, entry) };
  if (entry.kind === "lock") return { ...all, words: t("loosen_lock", { column: name }) };
  if (entry.kind === "way") return { ...all, words: t("loosen_way", { column: name }) };
  if (entry.kind === "most") return { words: counted("loosen_most", way.changed.length), edit: (next) => { next.most = way.changed.length; } };
  if (entry.kind === "only") return also(column, name, way, all);
  if (entry.kind === "range") return widened(entry.record, column, name, way, all);
  return all;
}

function also(column, name, way, all) {
  const value = way.values[column.name];
  if (value === null) return all;
  return {
    words: t("loosen_only", { column: name, value: valueText(value) }),
    edit: (next) => {
      const allowed = new Set([...next.columns[column.name].only, value]);
      next.columns[column.name].only = column.values.filter((one) => allowed.has(one));
    },
  };
}

// The end that the answer lies beyond is moved to it.
function widened(record, column, name, way, all) {
  const value = way.values[column.name];
  const place = placeOf(value, column);
  const beyond = ["low", "high"].filter((end) => record[end] !== undefined && (end === "low" ? place < placeOf(record[end], column) : place > placeOf(record[end], column)));
  if (value === null || beyond.length !== 1) return all;
  const [end] = beyond;
  return {
    words: t(end === "low" ? "loosen_low" : "loosen_high", { column: name, value: cellText(value, column) }),
    edit: (next) => { next.columns[column.name][end] = value; },
  };
}
