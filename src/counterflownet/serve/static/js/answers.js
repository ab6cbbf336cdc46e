// The answers, side by side: only what changes, and why each is good.

import { bar, button, h, icon, redrawn } from "./dom.js";
import { changeTexts, labelOf, numberText, probabilityText } from "./format.js";
import { change, current } from "./state.js";
import { counted, t } from "./texts.js";

const TERMS = ["sparsity", "proximity", "plausibility"];

export function drawList(container, { answers, schema }) {
  const row = answers.rows[0];
  const seen = new Set();
  const cards = row.counterfactuals.map((answer) => {
    const variation = seen.has(answer.strategy);
    seen.add(answer.strategy);
    return card(answer, { row, schema, answers, variation });
  });
  redrawn(container, h("ol", { class: "cards" }, cards), remarks(row, answers));
}

function card(answer, { row, schema, answers, variation }) {
  const title = counted("changes", answer.changed.length);
  const id = `answer-${answer.rank}`;
  return h(
    "li",
    { class: "card", "aria-labelledby": id, "data-rank": answer.rank },
    h(
      "header",
      {},
      h("span", { class: "rank", "aria-hidden": "true" }, String(answer.rank)),
      h("h3", { id }, h("span", { class: "unseen" }, `${t("answer", { rank: answer.rank })}: `), title),
      variation && h("span", { class: "badge" }, t("variation", { number: answer.strategy })),
    ),
    changeList(answer, row.values, schema),
    probability(row.probability_before, answer.probability, answers.confidence),
    terms(answer),
    actions(answer),
  );
}

export function changeList(answer, before, schema) {
  const byName = (name) => schema.columns.find((column) => String(column.name) === String(name));
  const items = answer.changed.map((name) => changeItem(byName(name), before, answer.values));
  const follows = (answer.follows ?? []).map((name) => changeItem(byName(name), before, answer.values, "follows"));
  return h("ul", { class: "changes" }, items, follows);
}

function changeItem(column, before, after, kind = "") {
  const name = String(column.name);
  const [old, fresh] = changeTexts(before[name], after[name], column);
  return h(
    "li",
    { class: `change ${kind}` },
    h("span", { class: "what" }, labelOf(name), kind && h("em", {}, t("follows"))),
    h("span", { class: "values" }, h("del", {}, old), icon("arrow"), h("span", { class: "unseen" }, t("becomes")), h("ins", {}, fresh), difference(before[name], after[name])),
  );
}

function difference(before, after) {
  if (typeof before !== "number" || typeof after !== "number") return null;
  const moved = after - before;
  return h("span", { class: "moved" }, `${moved > 0 ? "+" : "−"}${numberText(Math.abs(moved))}`);
}

export function probability(before, after, least) {
  const meter = bar(after, "likely");
  const mark = h("span", { class: "mark" });
  mark.style.left = `${100 * before}%`;
  const line = h("span", { class: "line" });
  line.style.left = `${100 * (least ?? 0.5)}%`;
  meter.append(mark, line);
  return h(
    "div",
    { class: "probability" },
    h("p", {}, h("span", {}, t("probability_of", { target: current().target })), h("strong", {}, probabilityText(before, least), icon("arrow"), h("span", { class: "unseen" }, t("becomes")), probabilityText(after, least))),
    meter,
  );
}

export function terms(answer) {
  const known = TERMS.filter((name) => name in answer.terms);
  const own = Object.keys(answer.terms).filter((name) => name !== "validity" && !TERMS.includes(name));
  const items = [...known, ...own].map((name) => {
    const value = answer.terms[name];
    const word = TERMS.includes(name) ? t(`term_${name}`) : labelOf(name);
    return h("li", {}, h("span", {}, word), bar(value), h("span", { class: "unseen" }, probabilityText(value)));
  });
  return h("ul", { class: "terms", "aria-label": t("why_good") }, items);
}

function actions(answer) {
  const pinned = current().pins.some((pin) => same(pin, answer.values));
  const which = { rank: answer.rank };
  const pin = () =>
    change((next) => {
      next.pins = pinned ? next.pins.filter((one) => !same(one, answer.values)) : [...next.pins, answer.values];
    });
  const attempt = () => change((next) => { next.tried = { values: answer.values, open: answer.changed.map(String) }; }, { everything: true });
  return h(
    "div",
    { class: "actions" },
    button(t(pinned ? "unpin" : "pin"), { "aria-pressed": String(pinned), "aria-label": t(pinned ? "unpin_answer" : "pin_answer", which), "data-focus": `pin-${answer.rank}`, onclick: pin }, "pin"),
    button(t("try"), { "aria-label": t("try_answer", which), "data-focus": `try-${answer.rank}`, onclick: attempt }, "edit"),
  );
}

export const same = (one, other) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
const sorted = (values) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));

function remarks(row, answers) {
  const told = [];
  if (row.outcome === "partial") told.push(counted("partial", row.counterfactuals.length, { asked: answers.asked }));
  if (answers.note) told.push(t("note_unconditioned"));
  if (answers.oddities.count) {
    told.push(counted("oddities", answers.oddities.count, { rules: Object.keys(answers.oddities.by_rule).join(", ") }));
  }
  return told.map((text) => h("p", { class: "remark" }, text));
}

export function spoken(row) {
  if (!row.counterfactuals.length) return t("said_none");
  return `${counted("found", row.counterfactuals.length)} ${t("said_best", { p: probabilityText(row.counterfactuals[0].probability) })}`;
}
