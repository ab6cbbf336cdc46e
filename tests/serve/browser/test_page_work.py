"""What one does with answers: pin, compare, try, undo, share, print, write a letter; and what is said without any."""

import base64
import json

import pytest
from shown import cards, settled


def state_of(page) -> dict:
    """What the address tells."""
    text = page.url.partition("#")[2]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def test_what_is_tried_is_judged_at_once(opened) -> None:
    page = opened()
    page.locator("[data-focus=try-1]").click()
    settled(page)
    assert "This leads to good." in page.locator(".verdict").inner_text()
    page.locator("[data-focus=own-more]").select_option("age")
    assert page.evaluate("document.activeElement.id") == "own-age"
    page.locator("#own-age").fill("19")
    settled(page)
    assert "But: age may only go up" in page.locator(".verdict").inner_text()
    page.locator("[data-focus=own-more]").select_option("credit_amount")
    page.locator("#own-credit_amount").fill("18000")
    settled(page)
    assert "This does not lead to good." in page.locator(".verdict").inner_text()


def test_a_version_of_ones_own_is_probable_as_the_model_says(opened, asked, rows) -> None:
    page = opened()
    page.locator("[data-focus=try-1]").click()
    page.locator("[data-focus=own-more]").select_option("duration_months")
    page.locator("#own-duration_months").fill("6")
    settled(page)
    told = asked("/v1/predict", rows=[state_of(page)["tried"]["values"]])["rows"][0]["probabilities"][1]
    assert f"{told:.0%}".replace("%", " %") in page.locator(".own .probability").inner_text()


def test_what_is_tried_comes_into_sight_and_has_the_focus(opened) -> None:
    page = opened(viewport={"width": 390, "height": 700})
    page.locator("[data-focus=try-6]").click()
    assert page.evaluate("document.activeElement.closest('.own') !== null")
    assert page.locator("#own-heading").evaluate(
        "e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; }"
    )


def test_pins_and_attempts_ask_for_no_answers_again(opened) -> None:
    page = opened()
    asked = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.locator("[data-focus=pin-1]").click()
    page.locator("[data-focus=try-2]").click()
    settled(page)
    assert "score" in asked
    assert "explain" not in asked


def test_pinned_answers_are_compared_and_judged_anew(opened) -> None:
    page = opened()
    first = cards(page)[0]
    page.locator("[data-focus=pin-1]").click()
    page.locator("[data-focus=pin-2]").click()
    settled(page)
    table = page.locator(".compared")
    assert first[2] in table.inner_text()
    assert table.locator("td.yes").count() == 2
    column = first[0][0][0].replace(" ", "_")
    page.locator(f"[data-column={column}] .lock").click()
    settled(page)
    assert f"{first[0][0][0]} is locked" in table.inner_text()
    page.get_by_role("button", name="Unpin A", exact=True).click()
    settled(page)
    assert table.locator("td.yes").count() == 1


def test_where_nothing_is_found_the_constraint_in_the_way_is_named_and_can_be_given_up(opened) -> None:
    page = opened()
    page.fill("#most", "1")
    page.select_option("#confidence", label="95 % or more")
    settled(page)
    assert "Nothing was found" in page.locator("#list").inner_text()
    page.locator(".ways button", has_text="Allow").click()
    settled(page)
    assert cards(page)
    assert int(page.locator("#most").input_value()) > 1


def test_the_certainty_that_can_be_had_is_offered(opened) -> None:
    page = opened()
    page.fill("#most", "1")
    page.select_option("#confidence", label="95 % or more")
    settled(page)
    page.locator("[data-focus=loosen-confidence]").click()
    settled(page)
    assert cards(page)
    assert page.locator("#most").input_value() == "1"
    assert page.locator("#confidence option:checked").inner_text() != "95 % or more"


def keep_duration(page) -> None:
    page.locator("[data-focus=more-duration_months]").click()
    page.locator("[data-column=duration_months]").get_by_label("at least").fill("48")
    page.locator("[data-column=duration_months]").get_by_label("at most").fill("50")


def keep_savings(page) -> None:
    page.locator("[data-focus=more-savings]").click()
    present = page.locator("#cell-savings option:checked").inner_text()
    page.locator("[data-column=savings] .check").first.wait_for()  # all() takes what is there, and waits for nothing
    for box in page.locator("[data-column=savings] .check").all():
        if box.inner_text() != present:
            box.locator("input").uncheck()


@pytest.mark.parametrize(
    ("column", "limit", "words"),
    [
        (None, None, "Unlock savings"),
        ("duration_months", keep_duration, "Let duration months go"),
        ("savings", keep_savings, "Allow savings: unknown or none"),
    ],
    ids=["lock", "range", "values"],
)
def test_no_more_is_given_up_than_an_answer_needs(opened, column, limit, words) -> None:
    page = opened()
    page.locator("[data-focus=lock-all]").click()
    if column:
        page.locator(f"[data-focus=lock-{column}]").click()
        limit(page)
    settled(page)
    page.locator(".ways button", has_text=words).click()
    settled(page)
    changed = {name for card in cards(page) for name, _, _ in card[0]}
    assert changed == {(column or "savings").replace("_", " ")}


def test_if_everything_is_locked_it_says_so(opened) -> None:
    page = opened()
    for button in page.locator(".lock[aria-pressed=false]").element_handles():
        button.click()
    settled(page)
    assert "nothing is left that could change" in page.locator("#list").inner_text()
    assert page.locator(".ways li").count() >= 1


def test_undo_takes_back_and_redo_does_it_again(opened) -> None:
    page = opened()
    begun = cards(page)
    page.locator("[data-column=savings] .lock").click()
    settled(page)
    locked = cards(page)
    assert locked != begun
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert cards(page) == begun
    page.locator("body").press("Control+Shift+Z")
    settled(page)
    assert cards(page) == locked
    page.get_by_role("button", name="Start over").click()
    settled(page)
    assert cards(page) == begun


def test_a_drag_of_a_slider_is_undone_at_once(opened) -> None:
    page = opened()
    begun = page.locator("#diversity").input_value()
    page.locator("#diversity").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    settled(page)
    page.get_by_role("button", name="Undo").click()
    settled(page)
    assert page.locator("#diversity").input_value() == begun


def test_a_link_opens_the_same_page_with_bit_for_bit_the_same_answers(opened) -> None:
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    page.locator("[data-focus=more-credit_amount]").click()
    page.locator("[data-column=credit_amount]").get_by_label("at most").fill("5000")
    page.select_option("#row", index=3)
    page.locator("#cell-age").fill("44")
    page.select_option("[data-focus=language]", label="Deutsch")
    settled(page)
    page.locator("[data-focus=pin-2]").click()
    page.locator("[data-focus=try-1]").click()
    settled(page)
    page.click("#copy")
    link = page.evaluate("navigator.clipboard.readText()")
    with page.expect_response("**/v1/explain") as first:
        page.reload()
    other = opened(link.split("/", 3)[3])
    with other.expect_response("**/v1/explain") as second:
        other.reload()
    assert first.value.body() == second.value.body()
    settled(page)
    settled(other)
    assert page.locator("main").inner_text() == other.locator("main").inner_text()
    assert "Ihre eigene Fassung" in other.locator("#tried").inner_text()


def test_a_link_of_another_explainer_says_so_and_a_broken_one_opens_a_fresh_page(opened) -> None:
    page = opened("#bm9uc2Vuc2U")
    assert cards(page)
    told = state_of(page) | {"explainer": "another"}
    page.evaluate("told => { location.hash = btoa(JSON.stringify(told)); }", told)
    settled(page)
    assert "made with another explainer" in page.locator("#stale").inner_text()


@pytest.mark.parametrize(("form", "start"), [("pdf", b"%PDF-"), ("html", b"<!DOCTYPE html>")])
def test_the_letter_is_downloaded(opened, form, start, applicants) -> None:
    page = opened()
    page.click("#letter")
    page.get_by_label("Sender").fill("The Bank, $5 Street")
    with page.expect_download() as download:
        page.click(f"#letter-{form}")
    content = download.value.path().read_bytes()
    assert content.startswith(start)
    assert download.value.suggested_filename == f"letter.{form}"
    if form == "html":
        assert f"Reference: {applicants.index[0]}" in content.decode()
        assert "The Bank, $5 Street" in content.decode()


def test_a_letter_has_the_answers_that_were_pinned(opened) -> None:
    page = opened()
    page.locator("[data-focus=pin-3]").click()
    settled(page)
    page.click("#letter")
    with page.expect_download() as download:
        page.click("#letter-html")
    text = download.value.path().read_text()
    assert text.count("<h3>") == 1
    assert cards(page)[2][0][0][0] in text


def test_on_paper_there_are_answers_and_no_controls(opened) -> None:
    page = opened()
    page.emulate_media(media="print")
    assert page.locator("#case").is_hidden()
    assert page.locator(".tools").is_hidden()
    assert page.locator(".card").first.is_visible()


def test_of_quick_changes_the_last_one_counts(opened) -> None:
    page = opened()
    page.locator("#count").focus()
    for number in (2, 3, 4, 5, 1):
        page.fill("#count", str(number))
    settled(page)
    assert len(cards(page)) == 1


def test_while_a_slider_is_dragged_answers_keep_coming_and_the_last_are_right(opened, asked) -> None:
    page = opened()
    questions = []
    page.on("request", lambda request: questions.append(request) if request.url.endswith("explain") else None)
    slider = page.locator("#diversity")
    for step in range(21):
        slider.evaluate("(s, value) => { s.value = value; s.dispatchEvent(new Event('input')); }", str(step / 20))
    settled(page)
    assert 2 <= len(questions) < 21
    last = json.loads(questions[-1].post_data)
    assert last["diversity"] == 1
    wanted = [len(answer["changed"]) for answer in asked("/v1/explain", **last)["rows"][0]["counterfactuals"]]
    assert [len(card[0]) for card in cards(page)] == wanted


def test_what_is_answered_is_said_to_those_who_listen(opened) -> None:
    page = opened()
    page.fill("#count", "2")
    settled(page)
    assert page.locator("#said").inner_text().startswith("2 answers. The best reaches")
    assert page.locator("#said").get_attribute("aria-live") == "polite"


def test_the_address_never_carries_a_row_to_the_service(opened) -> None:
    page = opened()
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("#cell-age").fill("44")
    settled(page)
    assert sent
    assert not [url for url in sent if "?" in url or "44" in url.split("/", 3)[3]]
