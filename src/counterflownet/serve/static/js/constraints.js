// What is said of columns, as the records that the service takes; each knows which control it comes from.

const OF_COLUMN = ["lock", "way", "range", "only"];

export function records(state, schema) {
  const found = [];
  for (const column of schema.columns) {
    const said = state.columns[column.name] ?? {};
    for (const kind of OF_COLUMN) {
      const record = ofColumn(kind, said, column.name);
      if (record) found.push({ record, kind, column: column.name });
    }
  }
  if (state.most !== null) found.push({ record: { max_changes: state.most }, kind: "most", column: null });
  for (const rule of state.rules) found.push({ record: rule, kind: "rule", column: null });
  return found;
}

function ofColumn(kind, said, name) {
  if (kind === "lock") return said.lock ? { immutable: [name] } : null;
  if (kind === "way") return said.way ? { [said.way === "up" ? "increasing" : "decreasing"]: [name] } : null;
  if (kind === "only") return said.only ? { one_of: name, values: said.only } : null;
  if (said.low === undefined && said.high === undefined) return null;
  const range = { range: name };
  if (said.low !== undefined) range.low = said.low;
  if (said.high !== undefined) range.high = said.high;
  return range;
}

// The constraints that a service starts with, as the state of the controls.
export function controls(given) {
  const columns = {};
  const rules = [];
  let most = null;
  const say = (name, what) => Object.assign((columns[name] ??= {}), what);
  for (const record of given) {
    if ("immutable" in record) record.immutable.forEach((name) => say(name, { lock: true }));
    else if ("increasing" in record) record.increasing.forEach((name) => say(name, { way: "up" }));
    else if ("decreasing" in record) record.decreasing.forEach((name) => say(name, { way: "down" }));
    else if ("range" in record) say(record.range, pick(record, ["low", "high"]));
    else if ("one_of" in record) say(record.one_of, { only: record.values });
    else if ("max_changes" in record) most = record.max_changes;
    else rules.push(record);
  }
  return { columns, rules, most };
}

const pick = (record, names) => Object.fromEntries(names.filter((n) => n in record).map((n) => [n, record[n]]));

// Take away what one control says.
export function loosen(state, { kind, column, record }) {
  if (kind === "most") state.most = null;
  else if (kind === "rule") state.rules = state.rules.filter((rule) => JSON.stringify(rule) !== JSON.stringify(record));
  else {
    const said = state.columns[column];
    for (const name of kind === "range" ? ["low", "high"] : [kind]) delete said[name];
    if (!Object.keys(said).length) delete state.columns[column];
  }
}

export function question(state, schema) {
  const costs = {};
  for (const [name, said] of Object.entries(state.columns)) if ("cost" in said) costs[name] = said.cost;
  return {
    target: state.target,
    confidence: state.confidence,
    constraints: records(state, schema).map(({ record }) => record),
    weights: Object.keys(state.weights).length ? state.weights : null,
    costs: Object.keys(costs).length ? costs : null,
    seed: state.seed,
  };
}
