// To another place of the page, by sight and by keyboard. The address is left alone: it holds the state.

export function goTo(id, within = null) {
  const place = document.getElementById(id);
  const target = (within && place?.querySelector(within)) ?? place;
  target?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: within ? "nearest" : "start" });
}

// A link to a place of this page.
export function leadsTo(link, id) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(id);
  });
}
