// From the address to the page: what is asked is drawn from the state, what is answered from the service.

import { begin, current, redo, undo, whenChanged } from "./state.js";
import { ask, keepToken, read, ServiceError, takeToken } from "./service.js";
import { button, h, redrawn } from "./dom.js";
import { controls, question, records } from "./constraints.js";
import { drawAlready, drawFailure, drawNothing } from "./reasons.js";
import { drawBar, drawDecision } from "./bar.js";
import { drawCase, refreshCase, remember, valuesOf } from "./case.js";
import { drawCompared } from "./compare.js";
import { drawList, spoken } from "./answers.js";
import { drawTried, redraw } from "./trying.js";
import { language, loadTexts, t, usualLanguage } from "./texts.js";

const PAUSE = 25; // milliseconds without a further change before the service is asked
const $ = (id) => document.getElementById(id);
const page = { schema: null, rows: [], answers: null, prediction: null, loosening: null, error: null, say };
let waiting = null;

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
  await answer();
  return undefined;
}

function usualState() {
  const { classes, constraints, explainer, seed } = page.schema;
  const said = controls(constraints);
  const target = page.rows.length ? classes.find((label) => label !== page.rows[0].predicted) : classes.at(-1);
  return {
    ...said,
    explainer,
    seed,
    language: language(),
    row: page.rows[0]?.label ?? null,
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

function skeleton() {
  const head = h("div", { class: "found-head" }, h("h2", { id: "answers-heading" }), h("span", { class: "busy", id: "busy", "aria-hidden": "true" }));
  const parts = ["stale", "tried", "compare", "list"].map((id) => h("div", { id }));
  $("answers").replaceChildren(head, ...parts);
  $("list").append(h("div", { class: "cards ghosts", "aria-hidden": "true" }, [1, 2, 3].map(() => h("div", { class: "card ghost" }))));
}

function drawEverything() {
  document.title = t("title");
  $("skip").textContent = t("skip");
  $("answers-heading").textContent = t("answers");
  const link = h("a", { href: "/api" }, t("api"));
  $("foot").replaceChildren(h("p", {}, t("foot")), h("p", { class: "prints" }, `CounterFlowNet ${page.schema.version} · ${t("model")} ${page.schema.model} · ${t("explainer")} ${page.schema.explainer} · `, link));
  drawBar($("bar"), page);
  drawCase($("case"), page);
  const stale = current().explainer !== page.schema.explainer;
  redrawn($("stale"), stale && h("p", { class: "remark warn", role: "note" }, t("stale")));
  redraw();
}

async function changed(state, { everything = false }) {
  if (state.language !== language()) await loadTexts(state.language);
  if (everything) drawEverything();
  else {
    drawBar($("bar"), page);
    refreshCase($("case"), page);
  }
  drawDecision($("decision"), page, page.prediction);
  page.loosening = null;
  drawAnswers({ spoken: false });
  $("answers").setAttribute("aria-busy", "true");
  clearTimeout(waiting);
  waiting = setTimeout(answer, PAUSE);
}

async function answer() {
  $("busy").classList.add("on");
  const state = current();
  const asked = { ...question(state, page.schema), rows: [valuesOf(state)], count: state.count, diversity: state.diversity };
  try {
    const prediction = predicted(state);
    [page.answers] = await Promise.all([ask("/v1/explain", asked), prediction, judged(state, prediction)]);
    page.error = null;
    page.loosening = null;
    drawAnswers({ spoken: true });
    if (missing(page.answers)) {
      page.loosening = { ...(await ask("/v1/loosen", asked)), entries: records(state, page.schema) };
      drawAnswers({ spoken: false });
    }
  } catch (error) {
    if (error.name === "AbortError") return; // a newer question is on its way
    page.error = error;
    drawAnswers({ spoken: false });
  }
  $("busy").classList.remove("on");
  $("answers").removeAttribute("aria-busy");
}

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
  page.judged = null;
  if (!rows.length) return;
  const factual = valuesOf(state);
  const { seed, ...asked } = question(state, page.schema);
  const scores = await ask("/v1/score", { ...asked, factuals: rows.map(() => factual), counterfactuals: rows });
  const before = (await prediction).probabilities[page.schema.classes.indexOf(state.target)];
  page.judged = scores.rows.map((one) => ({ answer: one, before }));
  drawJudged();
}

function drawJudged() {
  const { pins } = current();
  drawCompared($("compare"), page, page.judged?.slice(0, pins.length));
  drawTried($("tried"), page, page.judged?.[pins.length]);
}

function drawAnswers({ spoken: aloud }) {
  drawJudged();
  if (page.error) return drawFailure($("list"), page.error, answer);
  if (!page.answers) return undefined;
  const row = page.answers.rows[0];
  if (row.outcome === "already_target") drawAlready($("list"), page);
  else if (!row.counterfactuals.length) drawNothing($("list"), page, page.loosening);
  else drawList($("list"), page);
  if (aloud) say(row.outcome === "already_target" ? t("already", { target: row.target }) : spoken(row));
  return undefined;
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

document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("textarea, input[type=text], input[type=number], input[type=date]")) return;
  event.preventDefault();
  if (event.shiftKey) redo();
  else undo();
});

start();
