"""The page for other tables and guests: hostile words, every kind of column, rules, a token, a service that is gone."""

import pytest
from hostile_words import HOSTILE, SCRIPT
from served import served
from shown import cards, settled

from counterflownet import IfThen, MaxChanges, Range, Rises, RisesBy
from counterflownet.serve import ServeSettings, create_app
from counterflownet.serve.describe import row_records

TOKEN = "a-token-of-sixteen-or-more"  # noqa: S105 - of these tests alone


@pytest.fixture(scope="module")
def strange(hostile, hostile_table):
    """The service of the hostile table, with rules."""
    rows = hostile_table[hostile_table["income"] < 30].head(5).set_axis([f"{SCRIPT}{n}" for n in range(5)], axis=0)
    rules = [IfThen(Rises("grade"), RisesBy("age", at_least=1)), Range("since", "2020-02-01", None), MaxChanges(4)]
    with served(create_app(hostile, rows=rows, constraints=rules)) as place:
        yield place


def test_hostile_words_are_text(opened, strange) -> None:
    page = opened(at=strange)
    dialogs = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.dismiss()))
    page.locator("[data-column] summary").last.click()
    page.locator("[data-focus=try-1]").click()
    page.locator("[data-focus=pin-1]").click()
    settled(page)
    page.select_option("#target", index=0)
    settled(page)
    assert not dialogs
    assert page.title() == "What would have to be different?"
    assert page.locator("main img, main script, main b").count() == 0
    text = page.locator("main").inner_text()
    assert SCRIPT in text
    assert HOSTILE[0] in page.locator("[data-column] .option.values").inner_text()
    assert "\\u{1b}[31mred" in page.locator("[data-column] .option.values").inner_text()


def test_every_kind_of_column_has_its_control(opened, strange, hostile_table) -> None:
    page = opened(at=strange)
    kinds = {
        name: page.locator(f"#cell-{name}").evaluate("e => e.type")
        for name in ("age", "income", "since", "member", "grade")
    }
    assert kinds == {
        "age": "number",
        "income": "number",
        "since": "date",
        "member": "select-one",
        "grade": "select-one",
    }
    row = row_records(hostile_table[hostile_table["income"] < 30].head(1))[0]["values"]
    assert page.locator("#cell-since").input_value() == row["since"][:10]
    page.locator("#cell-since").fill("2021-05-06")
    page.locator("#cell-income").fill("")
    settled(page)
    assert cards(page)


def test_rules_can_be_switched_off(opened, strange) -> None:
    page = opened(at=strange)
    rule = page.get_by_label("if grade rises, then age rises by 1")
    assert rule.is_checked()
    before = cards(page)
    raised = [card for card in before if any(name == "grade" for name, _, _ in card[0])]
    assert all(any(name == "age" for name, _, _ in card[0]) for card in raised)
    rule.uncheck()
    settled(page)
    assert cards(page) != before or not raised
    assert page.locator("#most").input_value() == "4"
    assert "2020-02-01 or more" in page.locator("[data-column=since]").inner_text()


def test_a_token_is_asked_for_and_kept_out_of_the_address(opened, demo, applicants) -> None:
    settings = ServeSettings(token=TOKEN)
    with served(create_app(demo, rows=applicants, settings=settings)) as place:
        page = opened(at=place)
        page.locator("#token").fill(TOKEN)
        page.get_by_role("button", name="Open").click()
        page.wait_for_selector(".card[data-rank]")
        other = opened(f"#token={TOKEN}", at=place)
        assert cards(other) == cards(page)
        assert TOKEN not in other.url + page.url
        opened.complaints[:] = [text for text in opened.complaints if "401" not in text]


def test_a_service_that_is_gone_is_told_and_can_be_tried_again(opened, demo, applicants) -> None:
    with served(create_app(demo, rows=applicants)) as place:
        page = opened(at=place)
    page.fill("#count", "2")
    page.wait_for_selector("[role=alert]")
    assert "does not answer" in page.locator("[role=alert]").inner_text()
    assert page.get_by_role("button", name="Try again").is_visible()
    opened.complaints.clear()


def test_what_cannot_be_answered_is_told_in_a_sentence(opened, strange) -> None:
    page = opened(at=strange)
    page.locator("[data-focus=more-age]").click()
    page.locator("[data-column=age]").get_by_label("at least").fill("60")
    page.locator("[data-column=age]").get_by_label("at most").fill("30")
    settled(page)
    assert "This cannot be answered" in page.locator("#list").inner_text()
    assert "its lower bound is above its upper bound" in page.locator("#list").inner_text()
    opened.complaints[:] = [text for text in opened.complaints if "422" not in text]


def test_without_rows_one_types_a_row_in(opened, demo, hostile) -> None:
    with served(create_app(hostile)) as place:
        page = opened(at=place)
        assert page.locator("#row").count() == 0
        page.locator("#cell-income").fill("12")
        settled(page)
        assert cards(page)
