// The cells of the case: those of a row that was chosen, or what somebody made of them.

import { change } from "./state.js";

let known = { rows: [], schema: null };

export function remember(rows, schema) {
  known = { rows, schema };
}

export function valuesOf(state) {
  if (state.values) return state.values;
  const row = known.rows.find((one) => one.label === state.row) ?? known.rows[0];
  if (row) return row.values;
  return Object.fromEntries(known.schema.columns.map((column) => [String(column.name), column.usual]));
}

export function setCell(name, value) {
  change(
    (next) => {
      next.values = { ...valuesOf(next), [name]: value };
      next.tried = null;
      next.pins = [];
    },
    { merge: `cell-${name}` },
  );
}
