// The answers, side by side: only what changes, and why each is good.

import { bar, button, h, icon, redrawn } from "./dom.js";
import { changeTexts, columnNamed, labelOf, movedText, probabilityText } from "./format.js";
import { measured, numberBefore, numberOf } from "./measure.js";
import { change, current } from "./state.js";
import { counted, language, t } from "./texts.js";
import { goTo } from "./going.js";

const TERMS = ["sparsity", "proximity", "plausibility"];
let drawn = new Map(); // what did not change is not drawn again, so that nothing flickers while a slider is dragged

export function drawList(container, { answers, schema }) {
  const row = answers.rows[0];
  const seen = new Set();
  const fresh = new Map();
  for (const answer of row.counterfactuals) {
    const variation = seen.has(answer.strategy);
    seen.add(answer.strategy);
    const key = JSON.stringify([answer, row.values, variation, pinOf(answer), language(), current().target, answers.confidence]);
    fresh.set(key, drawn.get(key) ?? card(answer, { row, schema, variation }));
  }
  drawn = fresh;
  const list = container.querySelector("ol.cards") ?? h("ol", { class: "cards" });
  redrawn(list, ...fresh.values());
  redrawn(container, list, remarks(row, answers));
}

const pinOf = (answer) => current().pins.findIndex((pin) => same(pin, answer.values));

function card(answer, { row, schema, variation }) {
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
      variation && h("span", { class: "badge", title: t("variation_hint") }, t("variation", { number: answer.strategy })),
    ),
    changeList(answer, row.values, schema),
    number(numberBefore(row), numberOf(answer), schema),
    terms(answer),
    actions(answer),
  );
}

export function changeList(answer, before, schema) {
  const items = answer.changed.map((name) => changeItem(columnNamed(name, schema), before, answer.values));
  const follows = (answer.follows ?? []).map((name) => changeItem(columnNamed(name, schema), before, answer.values, "follows"));
  return h("ul", { class: "changes" }, items, follows);
}

function changeItem(column, before, after, kind = "") {
  const name = String(column.name);
  const [old, fresh] = changeTexts(before[name], after[name], column);
  const moved = movedText(before[name], after[name], column);
  return h(
    "li",
    { class: `change ${kind}` },
    h("span", { class: "what" }, labelOf(name), kind && h("em", { title: t("follows_hint") }, t("follows")), moved && h("span", { class: "moved" }, moved)),
    h("span", { class: "values" }, h("del", {}, old), h("span", { class: "to" }, icon("arrow"), h("span", { class: "unseen" }, t("becomes")), h("ins", {}, fresh))),
  );
}

// From where to where the model's number goes, and what it must get to.
export function number(before, after, schema) {
  const measure = measured(current(), schema);
  const meter = bar(measure.share(after), "likely");
  const mark = h("span", { class: "mark" });
  mark.style.left = `${100 * measure.share(before)}%`;
  meter.append(mark, ...marks(measure));
  return h(
    "div",
    { class: "probability" },
    h("p", {}, h("span", {}, measure.name), h("strong", {}, measure.text(before), icon("arrow"), h("span", { class: "unseen" }, t("becomes")), measure.text(after))),
    meter,
  );
}

export function marks(measure) {
  return measure.marks.map((share) => {
    const line = h("span", { class: "line" });
    line.style.left = `${100 * share}%`;
    return line;
  });
}

export function terms(answer) {
  const known = TERMS.filter((name) => name in answer.terms);
  const own = Object.keys(answer.terms).filter((name) => name !== "validity" && !TERMS.includes(name));
  const items = [...known, ...own].map((name) => {
    const value = answer.terms[name];
    const word = TERMS.includes(name) ? t(`wish_${name}`) : labelOf(name);
    const text = probabilityText(value);
    return h("li", { title: `${word}: ${text}` }, h("span", {}, word), bar(value), h("span", { class: "unseen" }, text));
  });
  return h("ul", { class: "terms", "aria-label": t("why_good") }, items);
}

function actions(answer) {
  const place = pinOf(answer);
  const pinned = place >= 0;
  const pin = () =>
    change((next) => {
      next.pins = pinned ? next.pins.filter((one) => !same(one, answer.values)) : [...next.pins, answer.values];
    });
  const attempt = () => {
    change((next) => { next.tried = { values: answer.values, open: answer.changed.map(String) }; }, { everything: true });
    goTo("tried", "input, select");
  };
  return h(
    "div",
    { class: "actions" },
    button(pinned ? t("pinned", { letter: letterOf(place) }) : t("pin"), { "aria-pressed": String(pinned), "aria-label": pinned ? `${t("pinned", { letter: letterOf(place) })} (${t("answer", { rank: answer.rank })})` : t("pin_answer", { rank: answer.rank }), "data-focus": `pin-${answer.rank}`, onclick: pin }, "pin"),
    button(t("try"), { "aria-label": t("try_answer", { rank: answer.rank }), "data-focus": `try-${answer.rank}`, onclick: attempt }, "edit"),
  );
}

export const letterOf = (place) => String.fromCharCode(65 + (place % 26));
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

export function inWords(row, schema) {
  if (!row.counterfactuals.length) return t("said_none");
  const best = measured(current(), schema).text(numberOf(row.counterfactuals[0]));
  return `${counted("found", row.counterfactuals.length)} ${t("said_best", { p: best })}`;
}
