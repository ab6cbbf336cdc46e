// The bar on top (undo, link, letter, language) and the decision below it.

import { bar, button, h, iconButton, redrawn } from "./dom.js";
import { canRedo, canUndo, change, current, link, redo, reset, undo } from "./state.js";
import { LANGUAGES, t } from "./texts.js";
import { openLetter } from "./letter.js";
import { probabilityText, valueText } from "./format.js";

export function drawBar(container, { schema, say }) {
  const languages = h("select", { "aria-label": t("language"), "data-focus": "language" }, Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code, lang: code }, name)));
  languages.value = current().language;
  languages.addEventListener("change", () => change((next) => { next.language = languages.value; }, { everything: true }));
  redrawn(
    container,
    h("h1", {}, h("img", { src: "/static/icon.svg", alt: "", width: 28, height: 28 }), h("span", {}, t("title"))),
    h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": t("tools") },
      iconButton(t("undo"), "undo", { disabled: !canUndo(), "data-focus": "undo", onclick: undo }),
      iconButton(t("redo"), "redo", { disabled: !canRedo(), "data-focus": "redo", onclick: redo }),
      iconButton(t("reset"), "reset", { "data-focus": "reset", onclick: reset }),
      iconButton(t("print"), "print", { "data-focus": "print", onclick: () => window.print() }),
      button(t("copy_link"), { "data-focus": "copy", id: "copy", onclick: () => copied(say) }, "link"),
      button(t("letter"), { class: "primary", "data-focus": "letter", id: "letter", onclick: () => openLetter(schema) }, "letter"),
      languages,
    ),
  );
}

async function copied(say) {
  try {
    await navigator.clipboard.writeText(link());
    say(t("copied"), { shown: true });
  } catch {
    say(t("copy_by_hand"), { shown: true });
  }
}

export function drawDecision(container, { schema }, prediction) {
  if (!prediction) return;
  const state = current();
  const place = schema.classes.indexOf(state.target);
  const probability = prediction.probabilities[place];
  const meter = bar(probability, "likely wide");
  const line = h("span", { class: "line" });
  line.style.left = `${100 * (state.confidence ?? 0.5)}%`;
  meter.append(line);
  const good = prediction.predicted === state.target;
  redrawn(
    container,
    h(
      "div",
      { class: "says-what" },
      h("h2", { id: "decision-heading" }, t("decides"), " ", h("strong", { class: good ? "good" : "bad", id: "predicted" }, valueText(prediction.predicted))),
      h("p", {}, t("asked_for"), " ", targets(state, schema)),
    ),
    h("div", { class: "how-likely" }, h("p", {}, h("span", {}, t("probability_of", { target: state.target })), h("strong", { id: "probability" }, probabilityText(probability, state.confidence))), meter),
  );
}

function targets(state, schema) {
  const select = h("select", { "aria-label": t("target"), id: "target", "data-focus": "target" }, schema.classes.map((label, place) => h("option", { value: place }, valueText(label))));
  select.value = String(schema.classes.indexOf(state.target));
  select.addEventListener("change", () => change((next) => { next.target = schema.classes[Number(select.value)]; }, { everything: true }));
  return select;
}
