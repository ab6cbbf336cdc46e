// The letter: what it says is the service's; here one chooses its language, its form and who writes it.

import { button, h, icon } from "./dom.js";
import { current } from "./state.js";
import { file } from "./service.js";
import { language, LANGUAGES, t } from "./texts.js";
import { question } from "./constraints.js";
import { valuesOf } from "./values.js";

export function openLetter(schema) {
  const fields = { language: languageChoice(), sender: area("letter_sender"), salutation: area("letter_salutation", 1), closing: area("letter_closing", 2) };
  const told = h("p", { class: "hint", role: "status" });
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": "letter-heading" });
  const make = (format) => download(schema, format, fields, told);
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", { id: "letter-heading" }, t("letter")),
    h("p", {}, t(current().pins.length ? "letter_pins" : "letter_hint")),
    h("label", { class: "field" }, h("span", {}, t("language")), fields.language),
    h("label", { class: "field" }, h("span", {}, t("letter_sender")), fields.sender),
    h("label", { class: "field" }, h("span", {}, t("letter_salutation")), fields.salutation),
    h("label", { class: "field" }, h("span", {}, t("letter_closing")), fields.closing),
    told,
    h("div", { class: "actions" }, button("PDF", { class: "primary", id: "letter-pdf", onclick: () => make("pdf") }, "letter"), button("HTML", { id: "letter-html", onclick: () => make("html") }), h("button", { value: "close" }, t("close"))),
  );
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function languageChoice() {
  const select = h("select", {}, Object.entries(LANGUAGES).map(([code, name]) => h("option", { value: code }, name)));
  select.value = language();
  return select;
}

const written = {}; // what was typed stays for the next letter, as long as the page is open

function area(name, rows = 3) {
  const element = h("textarea", { rows, name, oninput: () => { written[name] = element.value; } });
  element.value = written[name] ?? "";
  return element;
}

async function download(schema, format, fields, told) {
  const state = current();
  const texts = {};
  for (const name of ["sender", "salutation", "closing"]) {
    const written = fields[name].value.trim().replaceAll("$", "$$$$"); // a dollar would begin a place to be filled
    if (written) texts[name] = written;
  }
  const asked = {
    ...question(state, schema),
    rows: [valuesOf(state)],
    labels: [state.row ?? "–"],
    count: Math.max(3, state.count),
    diversity: state.diversity,
    format,
    language: fields.language.value,
    texts,
    answers: state.pins.length ? state.pins.slice(0, 3) : null,
  };
  told.textContent = t("writing");
  try {
    save(await file("/v1/letter", asked), format);
    told.textContent = t("written");
  } catch (error) {
    told.textContent = error.message;
  }
}

function save(blob, format) {
  const address = URL.createObjectURL(blob);
  const anchor = h("a", { href: address, download: `letter.${format}` }, icon("letter"));
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
