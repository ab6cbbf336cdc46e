// From the address to the page: what is asked is drawn from the state, what is answered from the service.

import { begin, current, redo, undo, whenChanged, writeAddress } from "./state.js";
import { abandon, ask, keepToken, read, ServiceError, takeToken } from "./service.js";
import { button, h, icon, redrawn } from "./dom.js";
import { controls, question, records } from "./constraints.js";
import { drawAlready, drawFailure, drawNothing } from "./reasons.js";
import { drawBar, refreshBar } from "./bar.js";
import { drawDecision } from "./decision.js";
import { drawCase, refreshCase } from "./case.js";
import { remember, valuesOf } from "./values.js";
import { drawCompared } from "./compare.js";
import { drawList, inWords } from "./answers.js";
import { drawTried, redraw } from "./trying.js";
import { leadsTo } from "./going.js";
import { valueText } from "./format.js";
import { constraintWords } from "./words.js";
import { isRegression, measured, targetText } from "./measure.js";
import { newestOnly } from "./asking.js";
import { language, loadTexts, t, usualLanguage } from "./texts.js";

const $ = (id) => document.getElementById(id);
const page = { schema: null, rows: [], answers: null, prediction: null, loosening: null, judged: new Map(), asked: null, error: null, say };

function say(text, { shown = false } = {}) {
  $("said").textContent = text;
  $("said").className = shown ? "toast" : "unseen";
  if (shown) setTimeout(() => { $("said").className = "unseen"; }, 2500);
}

async function start() {
  takeToken();
  await loadTexts(usualLanguage());
  try {
    page.schema = await read("/v1/schema");
    page.rows = (await read("/v1/rows")).rows;
  } catch (error) {
    return refused(error);
  }
  remember(page.rows, page.schema);
  begin(usualState());
  if (current().language !== language()) await loadTexts(current().language);
  skeleton();
  whenChanged(changed);
  drawEverything();
  $("busy").classList.add("on");
  await answer();
  return undefined;
}

function usualState() {
  const { constraints, explainer, seed } = page.schema;
  const said = controls(constraints);
  const target = page.schema.target ?? usualTarget(page.schema, page.rows[0]);
  const asks = ({ reached }) => page.rows.find((row) => !reached(row)) ?? page.rows[0];
  return {
    ...said,
    explainer,
    seed,
    language: language(),
    row: asks(measured({ target, confidence: null }, page.schema))?.label ?? null,
    values: null,
    target,
    count: Math.min(6, page.schema.limits.count),
    weights: {},
    diversity: 0.3,
    confidence: null,
    pins: [],
    tried: null,
  };
}

// Another class than the first row has; of a regressor a quarter of the known rows above or below it.
function usualTarget(schema, row) {
  const { classes, predictions } = schema;
  if (!isRegression(schema)) return row ? classes.find((label) => label !== row.predicted) : classes.at(-1);
  const [low, high] = [predictions.low, predictions.high].map((number) => Number(number.toPrecision(3)));
  return row && row.predicted >= high ? { at_most: low } : { at_least: high };
}

function skeleton() {
  const head = h("div", { class: "found-head" }, h("h2", { id: "answers-heading" }), h("span", { class: "busy", id: "busy", "aria-hidden": "true" }), h("a", { href: "#case", id: "to-case", class: "to-case" }));
  const parts = ["stale", "tried", "compare", "list"].map((id) => h("div", { id }));
  $("answers").replaceChildren(head, ...parts);
  leadsTo($("skip"), "answers");
  leadsTo($("to-case"), "case");
  $("list").append(h("div", { class: "cards ghosts", "aria-hidden": "true" }, [1, 2, 3].map(() => h("div", { class: "card ghost" }))));
}

function drawEverything() {
  document.title = t("title");
  $("skip").textContent = t("skip");
  $("answers-heading").textContent = t("answers", { target: targetText(current().target) });
  const link = h("a", { href: "/api" }, t("api"));
  $("to-case").replaceChildren(icon("down"), t("to_case"));
  $("foot").replaceChildren(h("p", {}, t("foot")), h("p", { class: "prints" }, `CounterFlowNet ${page.schema.version} · ${t("model")} ${page.schema.model} · ${t("explainer")} ${page.schema.explainer} · `, link));
  drawBar($("bar"), page);
  drawCase($("case"), page);
  const stale = current().explainer !== page.schema.explainer;
  redrawn($("stale"), stale && h("p", { class: "remark warn", role: "note" }, t("stale")));
  redraw();
}

// The question goes out before anything is drawn: what was answered last stays until there is something newer.
async function changed(state, { everything = false }) {
  if (state.language !== language()) await loadTexts(state.language);
  $("answers").setAttribute("aria-busy", "true");
  $("busy").classList.add("on");
  answer();
  if (everything) drawEverything();
  else {
    refreshBar($("bar"));
    refreshCase($("case"), page);
  }
  drawDecision($("decision"), page, page.prediction);
  drawAnswers();
}

const answer = newestOnly(answered, {
  giveUp: abandon,
  done: () => {
    $("busy").classList.remove("on");
    $("answers").removeAttribute("aria-busy");
    writeAddress();
  },
});

async function answered(isOld) {
  const state = current();
  const asked = { ...question(state, page.schema), rows: [valuesOf(state)], count: state.count, diversity: state.diversity };
  const key = JSON.stringify(asked);
  const known = page.asked === key && !page.error; // pins, attempts and languages ask nothing new
  try {
    const prediction = predicted(state);
    const [answers] = await Promise.all([known ? page.answers : ask("/v1/explain", asked), prediction, judged(state, prediction)]);
    if (isOld() && !sameCase(state, current())) return;
    Object.assign(page, { answers, asked: key, error: null, loosening: known ? page.loosening : null });
    drawAnswers();
    if (isOld()) return;
    if (!known) spoken();
    if (!missing(answers) || page.loosening) return;
    page.loosening = { ...(await ask("/v1/loosen", asked)), entries: records(state, page.schema) };
    if (!isOld()) drawAnswers();
  } catch (error) {
    if (error.name === "AbortError" || isOld()) return; // a newer question is on its way
    page.error = error;
    drawAnswers();
  }
}

const sameCase = (one, other) => ["row", "values", "target", "language"].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
const missing = ({ rows: [row] }) => !row.counterfactuals.length && row.outcome !== "already_target";

let told = { row: null, prediction: null }; // what is preferred does not change what is predicted

async function predicted(state) {
  const row = JSON.stringify(valuesOf(state));
  if (told.row !== row) {
    const answer = await ask("/v1/predict", { rows: [valuesOf(state)] });
    told = { row, prediction: answer.rows[0] };
  }
  page.prediction = told.prediction;
  drawDecision($("decision"), page, page.prediction);
  return page.prediction;
}

// Pinned rows and the one that is being tried are judged anew with every change.
async function judged(state, prediction) {
  const rows = [...state.pins, ...(state.tried ? [state.tried.values] : [])];
  if (!rows.length) return;
  const factual = valuesOf(state);
  const { seed, ...asked } = question(state, page.schema);
  const scores = await ask("/v1/score", { ...asked, factuals: rows.map(() => factual), counterfactuals: rows });
  const before = measured(state, page.schema).before(await prediction);
  page.judged = new Map(rows.map((row, place) => [JSON.stringify(row), { answer: scores.rows[place], before }]));
  drawJudged();
}

function drawJudged() {
  const { pins, tried } = current();
  const of = (row) => page.judged.get(JSON.stringify(row));
  drawCompared($("compare"), page, pins.map(of));
  drawTried($("tried"), page, tried && of(tried.values));
}

function drawAnswers() {
  drawJudged();
  if (page.error) return drawFailure($("list"), page.error, () => changed(current(), {}));
  if (!page.answers) return undefined;
  const row = page.answers.rows[0];
  if (row.outcome === "already_target") return drawAlready($("list"), page);
  if (!row.counterfactuals.length) return drawNothing($("list"), page, page.loosening);
  return drawList($("list"), page);
}

function spoken() {
  const row = page.answers.rows[0];
  say(row.outcome === "already_target" ? t("already", { target: targetText(current().target) }) : inWords(row, page.schema));
}

function refused(error) {
  const needsToken = error instanceof ServiceError && error.status === 401;
  const input = h("input", { type: "password", autocomplete: "off", id: "token" });
  const enter = () => {
    keepToken(input.value);
    location.reload();
  };
  const form = h("form", { class: "plain", onsubmit: (event) => { event.preventDefault(); enter(); } }, h("label", { for: "token" }, t("token")), input, button(t("token_enter"), { onclick: enter }));
  document.querySelector("main").replaceChildren(needsToken ? form : h("p", { class: "plain", role: "alert" }, error.status ? error.message : t("offline")));
}

// On paper stand the row, the day, and under what the answers hold.
window.addEventListener("beforeprint", () => {
  if (!page.schema || !current()) return;
  const held = records(current(), page.schema).map((entry) => constraintWords(entry, page.schema));
  const row = t("printed", { row: valueText(current().row), date: new Date().toLocaleDateString(language()) });
  $("printed").replaceChildren(h("p", {}, row), held.length ? h("p", {}, t("printed_held", { constraints: held.join("; ") })) : "");
});

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("textarea, input[type=text], input[type=number], input[type=date]")) return;
  event.preventDefault();
  if (event.shiftKey) redo();
  else undo();
});

start();
