// Elements are built, never parsed: whatever comes from data is set as text and cannot become markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "value" || name === "checked" || name === "disabled" || name === "open") element[name] = value;
  else element.setAttribute(name, value === true ? "" : String(value));
}

const PATHS = {
  lock: "M5 9V7a5 5 0 0 1 10 0v2M4 9h12v8H4z",
  open: "M5 9V7a5 5 0 0 1 9.5-2.2M4 9h12v8H4z",
  pin: "M7 3h6l-1 5 3 3H5l3-3zM10 11v6",
  undo: "M8 4 4 8l4 4M4 8h7a5 5 0 0 1 0 10H8",
  redo: "m12 4 4 4-4 4M16 8H9a5 5 0 0 0 0 10h3",
  link: "M8 12l4-4M7 8 4.500 10.500a3.500 3.500 0 0 0 5 5L12 13M8 7l2.500-2.500a3.500 3.500 0 0 1 5 5L13 12",
  letter: "M3 5h14v10H3zM3 6l7 5 7-5",
  reset: "M4 10a6 6 0 1 0 2-4.500M4 3v4h4",
  more: "M5 8l5 5 5-5",
  close: "M5 5l10 10M15 5 5 15",
  arrow: "M4 10h11M11 6l4 4-4 4",
  edit: "M4 16l1-4 8-8 3 3-8 8zM11 6l3 3",
  previous: "M12 5l-5 5 5 5",
  next: "M8 5l5 5-5 5",
  down: "M10 4v11M6 11l4 4 4-4",
  print: "M6 8V3h8v5M6 14H4V8h12v6h-2M6 12h8v5H6z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" })) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

export function bar(share, kind = "") {
  const fill = h("span", { class: "fill" });
  fill.style.width = `${100 * Math.max(0, Math.min(1, share))}%`; // by script: the content policy forbids it in markup
  return h("span", { class: `meter ${kind}`, "aria-hidden": "true" }, fill);
}

// What is drawn anew keeps the focus where it was: elements that take part have a data-focus of their own. Elements that
// are there already stay in their places.
export function redrawn(container, ...children) {
  const held = container.contains(document.activeElement) ? document.activeElement.dataset.focus : undefined;
  const wanted = children.flat().filter(Boolean);
  wanted.forEach((child, place) => {
    if (container.childNodes[place] !== child) container.insertBefore(child, container.childNodes[place] ?? null);
  });
  while (container.childNodes.length > wanted.length) container.lastChild.remove();
  if (held === undefined || document.activeElement?.dataset.focus === held) return;
  const again = [...container.querySelectorAll("[data-focus]")].find((element) => element.dataset.focus === held);
  again?.focus({ preventScroll: true });
}

export function button(text, attributes = {}, symbol = null) {
  return h("button", { type: "button", ...attributes }, symbol && icon(symbol), h("span", {}, text));
}

export function iconButton(label, symbol, attributes = {}) {
  return h("button", { type: "button", class: "round", "aria-label": label, title: label, ...attributes }, icon(symbol));
}
