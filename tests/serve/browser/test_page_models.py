"""The page for other models: a regressor, three classes, moments, durations, missing values."""

import pytest
from axe_rules import violations
from flats import FLATS, dear, rent
from playwright.sync_api import Request
from served import served
from shown import settled

from counterflownet import AtLeast
from counterflownet.serve import create_app


@pytest.fixture(scope="module")
def rents(rented):
    with served(create_app(rented, rows=FLATS.head(6), target=AtLeast(700))) as place:
        yield place


@pytest.fixture(scope="module")
def grades(graded):
    with served(create_app(graded, rows=FLATS.head(9), target="dear")) as place:
        yield place


def reached(page) -> list[float]:
    """The numbers that the cards end with."""
    texts = page.locator(".card[data-rank] .probability strong").all_inner_texts()
    return [float(text.split("\n")[-1].replace(",", "").removesuffix(" %")) for text in texts]


def test_a_regressor_is_asked_for_numbers(opened, rents) -> None:
    page = opened(at=rents)
    first = next(number for number in rent(FLATS) if number < 700)
    assert page.locator("#predicted").inner_text() == f"{first:g}"
    assert "What would have led to 700 or more" in page.locator("#answers-heading").inner_text()
    assert min(reached(page)) >= 700
    page.select_option("#target", label="at most")
    page.fill("#target-1", "200")
    page.keyboard.press("Tab")
    settled(page)
    assert max(reached(page)) <= 200
    page.select_option("#target", label="between")
    settled(page)
    assert page.locator(".number-target input").count() == 2
    assert violations(page) == []


def test_what_is_tried_of_a_regressor_is_judged_by_its_number(opened, rents) -> None:
    page = opened(at=rents)
    page.locator("[data-focus=try-1]").click()
    page.locator("[data-focus=own-more]").select_option("waited")
    page.locator("#own-waited").fill("1.5")
    settled(page)
    assert "This" in page.locator(".verdict .says").first.inner_text()
    page.locator("[data-focus=own-pin]").click()
    settled(page)
    assert "1.5 days" in page.locator(".compared").inner_text()


def test_of_three_classes_all_are_shown_and_none_needs_a_half(opened, grades) -> None:
    page = opened(at=grades)
    assert page.locator(".others li").count() == 2
    assert page.locator(".how-likely .line").count() == 0
    page.select_option("#confidence", label="60 % or more")
    settled(page)
    assert page.locator(".how-likely .line").count() == 1
    assert min(reached(page)) >= 60
    assert violations(page) == []


def test_the_page_begins_with_a_row_that_is_not_there_yet(opened, grades) -> None:
    page = opened(at=grades)
    wanted = next(place for place, row in enumerate(dear(FLATS)) if row.argmax() != 2)
    assert page.locator("#row option:checked").inner_text().startswith(f"{wanted} ·")


def _about_an_area_of_fifty(request: Request) -> bool:
    return request.url.endswith("/v1/explain") and request.post_data_json["rows"][0]["area"] == 50


def test_moments_durations_and_missing_cells_can_be_edited(opened, grades) -> None:
    page = opened(at=grades)
    assert page.locator("#cell-listed").evaluate("e => e.type") == "datetime-local"
    page.locator("#cell-listed").fill("2024-02-03T04:05")
    page.locator("#cell-waited").fill("3.5")
    page.select_option("#cell-heating", label="missing")
    with page.expect_request(_about_an_area_of_fifty) as asked:  # others may still be on their way
        page.locator("#cell-area").fill("50")
    settled(page)
    row = asked.value.post_data_json["rows"][0]
    assert row == {"area": 50, "listed": "2024-02-03 04:05:00", "waited": "3.5 days", "heating": None}
    assert page.locator(".card[data-rank]").count() > 0


def test_a_pinned_answer_differs_in_nothing_but_its_changes(opened, grades) -> None:
    page = opened(at=grades)
    names = set(page.locator(".card[data-rank]").first.locator(".what").all_inner_texts())
    page.locator("[data-focus=pin-1]").click()
    settled(page)
    rows = page.locator(".compared tbody th").all_inner_texts()[:-2]
    assert {name.split("\n")[0] for name in names} == set(rows)
