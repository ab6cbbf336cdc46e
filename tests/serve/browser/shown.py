"""What the page shows, read as a person would, and what it should show by the library's own answers."""

from typing import Any

from playwright.sync_api import Page

from counterflownet import Explanation
from counterflownet.explain.present.wording import probability_text

Card = tuple[tuple[tuple[str, str, str], ...], str, str]

READ = """() => [...document.querySelectorAll('#list .card')].map(card => ({
  changes: [...card.querySelectorAll('.change')].map(change => [
    change.querySelector('.what').firstChild.textContent, change.querySelector('del').textContent,
    change.querySelector('ins').textContent]),
  probabilities: [...card.querySelector('.probability strong').childNodes]
    .filter(node => node.nodeType === 3).map(node => node.textContent)}))"""


def settled(page: Page) -> None:
    """Wait until the page shows the answers to its latest question."""
    page.wait_for_function(
        """() => document.querySelector('main form.plain') || (document.getElementById('busy')
            && !document.getElementById('busy').classList.contains('on')
            && !document.getElementById('answers').hasAttribute('aria-busy'))""",
        timeout=60_000,
    )


def cards(page: Page) -> list[Card]:
    """The changes of every card, and the probability before and after."""
    return [(tuple(map(tuple, card["changes"])), *card["probabilities"]) for card in page.evaluate(READ)]


def wanted(explanation: Explanation) -> list[Card]:
    """The same from an explanation of one row."""
    least = explanation.confidence
    before = probability_text(float(explanation.probability_before[0]), least)
    return [
        (
            tuple((str(name).replace("_", " "), *pair(old, new)) for name, old, new in explanation.changes(number)),
            before,
            probability_text(float(explanation.probability[number]), least),
        )
        for number in range(len(explanation.row))
    ]


def pair(old: Any, new: Any) -> tuple[str, str]:
    """Two cells of the demo; of numbers both are grouped if one is large."""
    large = any(not isinstance(value, str) and int(value) >= 10_000 for value in (old, new))
    return cell(old, large=large), cell(new, large=large)


def cell(value: Any, *, large: bool) -> str:
    """A cell of the demo, which has words, whole numbers and flags."""
    if str(value) in {"True", "False"}:
        return "yes" if value else "no"
    return f"{int(value):,}" if large else str(value)
