// What the page shows is a function of this state; it is kept in the address, so that a link opens the same page.

const VERSION = 1;
const MOST_STEPS = 200;
const PAUSE = 400; // milliseconds
const listeners = [];
let state = null;
let defaults = null;
let past = [];
let future = [];
let pending = null;

export const current = () => state;
export const whenChanged = (listener) => listeners.push(listener);
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function link() {
  writeAddress();
  return location.href;
}

export function begin(usual) {
  defaults = usual;
  state = { ...structuredClone(usual), ...fromAddress() };
  window.addEventListener("hashchange", () => {
    const told = fromAddress();
    if (JSON.stringify(toAddress(state)) === JSON.stringify(told)) return;
    replace({ ...structuredClone(defaults), ...told });
  });
  writeAddress();
}

// `merge` names a series of small steps, such as the drag of a slider, that is undone at once.
export function change(edit, { merge = null, everything = false } = {}) {
  const next = structuredClone(state);
  edit(next);
  if (JSON.stringify(next) === JSON.stringify(state)) return;
  const last = past.at(-1);
  if (!(merge && last?.merge === merge && Date.now() - last.at < 1500)) past.push({ state, merge, at: Date.now() });
  else last.at = Date.now();
  past = past.slice(-MOST_STEPS);
  future = [];
  state = next;
  told({ everything });
}

export function undo() {
  if (!past.length) return;
  future.push(state);
  state = past.pop().state;
  told({ everything: true });
}

export function redo() {
  if (!future.length) return;
  past.push({ state, merge: null, at: 0 });
  state = future.pop();
  told({ everything: true });
}

export function reset() {
  replace({ ...structuredClone(defaults), language: state.language });
}

function replace(next) {
  past.push({ state, merge: null, at: 0 });
  state = next;
  told({ everything: true });
}

function told(how = {}) {
  for (const listener of listeners) listener(state, how);
  pending ??= setTimeout(writeAddress, PAUSE);
}

// Not with every step of a drag: browsers allow so many changes of the address, and it takes time.
export function writeAddress() {
  clearTimeout(pending);
  pending = null;
  history.replaceState(null, "", `#${encoded(toAddress(state))}`);
}

// Only what differs from a fresh page.
function toAddress(full) {
  const told = { v: VERSION, explainer: full.explainer, seed: full.seed, row: full.row, language: full.language };
  for (const [name, value] of Object.entries(full)) {
    if (JSON.stringify(value) !== JSON.stringify(defaults[name])) told[name] = value;
  }
  return told;
}

function fromAddress() {
  try {
    const told = decoded(location.hash.slice(1));
    return told?.v === VERSION ? told : {};
  } catch {
    return {}; // a broken link opens a fresh page
  }
}

function encoded(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decoded(text) {
  if (!text) return null;
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
