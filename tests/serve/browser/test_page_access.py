"""The page for everybody: axe-core's rules, the keyboard alone, narrow and wide screens, other languages.

With COUNTERFLOWNET_PICTURES=FOLDER the scenes that are checked are drawn into it as well: so docs/images is made.
"""

import os
from pathlib import Path

import pytest
from axe_rules import violations
from scenes import SCENES
from shown import cards, settled

from counterflownet.serve.demo import demo_constraints

PICTURES = os.environ.get("COUNTERFLOWNET_PICTURES")


def opened_scene(opened, name):
    scene = SCENES[name]
    page = opened(scene.where, wait=not scene.where, **scene.how)
    scene.play(page)
    return page


@pytest.mark.parametrize("name", SCENES)
def test_no_rule_of_accessibility_is_broken(opened, name) -> None:
    page = opened_scene(opened, name)
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"page-{name}.png")
    assert violations(page) == []


def test_the_letter_breaks_none_either(browser, demo, applicants) -> None:
    answer = demo.explain(applicants.head(1), target="good", constraints=demo_constraints())
    page = browser.new_page(viewport={"width": 820, "height": 1080})
    page.set_content(
        answer.to_letter(language="de", texts={"sender": "Die Bank", "closing": "Mit freundlichen Grüßen"})
    )
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / "letter.png")
    found = violations(page)
    page.close()
    assert found == []


@pytest.mark.parametrize("width", [320, 700, 1900])
def test_nothing_is_cut_off_at_any_width(opened, width) -> None:
    page = opened(viewport={"width": width, "height": 800})
    for column in ("savings", "credit_amount", "since"):
        summary = page.locator(f"[data-focus=more-{column}]")
        if summary.count():
            summary.click()
    page.locator("[data-focus=pin-1]").click()
    page.locator("[data-focus=try-1]").click()
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def focused(page) -> str:
    return page.evaluate("document.activeElement.dataset.focus ?? document.activeElement.id")


def tab_to(page, focus: str, most: int = 120) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if focused(page) == focus:
            return
    pytest.fail(f"{focus} cannot be reached with the Tab key")


def test_everything_can_be_done_by_the_keyboard_alone(opened) -> None:
    page = opened()
    before = cards(page)
    tab_to(page, "row")
    page.keyboard.press("ArrowDown")
    settled(page)
    assert focused(page) == "row"
    assert cards(page) != before
    tab_to(page, "weight-sparsity")
    page.keyboard.press("End")
    tab_to(page, "lock-savings")
    page.keyboard.press("Space")
    settled(page)
    assert focused(page) == "lock-savings"
    assert page.locator("[data-column=savings] .lock").get_attribute("aria-pressed") == "true"
    tab_to(page, "more-savings")
    page.keyboard.press("Enter")
    page.locator("[data-column=savings] .option-list").wait_for()
    tab_to(page, "pin-1")
    page.keyboard.press("Enter")
    settled(page)
    assert focused(page) == "pin-1"
    tab_to(page, "try-1")
    page.keyboard.press("Enter")
    settled(page)
    assert page.locator(".own .verdict .says").count() == 1


def test_the_letter_opens_and_closes_by_the_keyboard(opened) -> None:
    page = opened()
    page.locator("#letter").focus()
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for()
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")  # the browser tells of it after the key
    assert focused(page) == "letter"


def test_the_way_to_the_answers_can_be_skipped(opened) -> None:
    page = opened()
    page.keyboard.press("Tab")
    assert page.locator("#skip").is_visible()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "answers"


def test_going_about_the_page_keeps_its_state(opened) -> None:
    page = opened(viewport={"width": 390, "height": 700})
    page.fill("#count", "2")
    settled(page)
    before = page.url
    page.locator("#skip").focus()
    page.keyboard.press("Enter")
    page.locator("#to-case").click()
    assert page.evaluate("document.activeElement.id") == "case"
    assert page.url == before
    assert len(cards(page)) == 2


def test_it_speaks_german_to_those_who_do(opened) -> None:
    page = opened(locale="de-AT")
    assert page.locator("h1").inner_text() == "Was müsste anders sein?"
    assert page.locator("html").get_attribute("lang") == "de"
    english = set(opened().locator("#case h3, #answers h2, .tools button").all_inner_texts())
    assert not english & set(page.locator("#case h3, #answers h2, .tools button").all_inner_texts()) - {""}
