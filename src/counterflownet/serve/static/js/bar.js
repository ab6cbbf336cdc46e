// The bar on top: undo, link, letter, language.

import { button, h, iconButton, redrawn } from "./dom.js";
import { canRedo, canUndo, change, current, link, redo, reset, undo } from "./state.js";
import { LANGUAGES, t } from "./texts.js";
import { openLetter } from "./letter.js";

export function refreshBar(container) {
  container.querySelector("[data-focus=undo]").disabled = !canUndo();
  container.querySelector("[data-focus=redo]").disabled = !canRedo();
}

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
