// All words of the page, from one file for each language; to add a language, add its file and its name here.

export const LANGUAGES = { en: "English", de: "Deutsch" };

let texts = {};
let current = "en";

export const language = () => current;

export function usualLanguage() {
  const wanted = navigator.languages.map((name) => name.slice(0, 2));
  return wanted.find((name) => name in LANGUAGES) ?? "en";
}

export async function loadTexts(name) {
  current = name in LANGUAGES ? name : "en";
  const answer = await fetch(`/static/texts/${current}.json`);
  texts = await answer.json();
  document.documentElement.lang = current;
}

export function t(key, parts = {}) {
  const text = texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in parts ? String(parts[name]) : place));
}

export function counted(key, count, parts = {}) {
  return t(String(count) === "1" ? `${key}_one` : `${key}_some`, { count, ...parts });
}
