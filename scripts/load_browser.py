"""How long a page takes from the move of a slider to the new answers, measured in the page itself."""

import shutil
from collections.abc import Sequence
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync"]
MOVE = """value => new Promise(done => {
  const slider = document.getElementById('weight-sparsity'), answers = document.getElementById('answers');
  const watcher = new MutationObserver(() => {
    if (answers.hasAttribute('aria-busy')) return;
    watcher.disconnect();
    requestAnimationFrame(() => {
      const asked = performance.getEntriesByType('resource').findLast(({name}) => name.endsWith('/v1/explain'));
      const took = performance.now() - begun;
      done([took, took - (asked.responseEnd - asked.requestStart)]);
    });
  });
  performance.clearResourceTimings();
  watcher.observe(answers, {attributes: true, attributeFilter: ['aria-busy']});
  const begun = performance.now();
  slider.value = value;
  slider.dispatchEvent(new Event('input'));
})"""


def slider_times(address: str, moves: int) -> dict[str, Any]:
    """Milliseconds from the move to the painted answers, and how many of them the page itself takes."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page()
        page.goto(address)
        page.wait_for_selector(".card[data-rank]")
        page.wait_for_function("() => !document.getElementById('busy').classList.contains('on')")
        values = [0.05 * (1 + 7 * move % 19) for move in range(moves)]
        times = [page.evaluate(MOVE, f"{value:.2f}") for value in values]
        if page.locator("#list [role=alert]").count():
            raise RuntimeError("the service failed while the slider was moved")
        browser.close()
    whole, page_alone = (_shares(some) for some in zip(*times, strict=True))
    return {"moves": moves, "milliseconds": whole, "page_alone": page_alone}


def _shares(times: Sequence[float]) -> dict[str, float]:
    return dict(zip(("p50", "p95", "p99"), np.percentile(times, [50, 95, 99]).tolist(), strict=True))
