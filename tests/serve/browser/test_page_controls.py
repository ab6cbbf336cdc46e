"""Every control of the page does what the library does when it is asked for the same."""

import pytest
from shown import cards, settled, wanted

from counterflownet import Decreasing, Immutable, Increasing, MaxChanges, OneOf, Range
from counterflownet.serve.demo import demo_constraints

USUAL = {"target": "good", "count": 6}


def library(demo, applicants, row=0, *, rules=(), without=(), **asked):
    """What the library says to the first applicant under the constraints that the demo starts with."""
    kept = [rule for rule in demo_constraints() if repr(rule) not in without]
    frame = applicants.iloc[[row]].reset_index(drop=True)
    return demo.explain(frame, **{**USUAL, "constraints": [*kept, *rules], **asked})


def slide(page, which, value) -> None:
    page.locator(which).evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }", str(value)
    )


def options_of(page, column):
    page.locator(f"[data-column={column}] summary").click()
    return page.locator(f"[data-column={column}] .option-list")


CONTROLS = {
    "few": (lambda p: slide(p, "#weight-sparsity", 0.9), {"weights": {"sparsity": 0.9}}),
    "small": (lambda p: slide(p, "#weight-proximity", 0), {"weights": {"proximity": 0.0}}),
    "usual": (lambda p: slide(p, "#weight-plausibility", 1), {"weights": {"plausibility": 1.0}}),
    "different": (lambda p: slide(p, "#diversity", 0.9), {"diversity": 0.9}),
    "certain": (lambda p: p.select_option("#confidence", label="70 % or more"), {"confidence": 0.7}),
    "count": (lambda p: p.fill("#count", "3"), {"count": 3}),
    "most": (lambda p: p.fill("#most", "1"), {"rules": [MaxChanges(1)]}),
    "lock": (lambda p: p.locator("[data-column=savings] .lock").click(), {"rules": [Immutable("savings")]}),
    "unlock": (lambda p: p.locator("[data-column=purpose] .lock").click(), {"without": ["Immutable('purpose')"]}),
    "up": (
        lambda p: options_of(p, "credit_amount").get_by_label("only up").check(),
        {"rules": [Increasing("credit_amount")]},
    ),
    "down": (
        lambda p: options_of(p, "duration_months").get_by_label("only down").check(),
        {"rules": [Decreasing("duration_months")]},
    ),
    "low": (
        lambda p: options_of(p, "duration_months").get_by_label("at least").fill("30"),
        {"rules": [Range("duration_months", 30, None)]},
    ),
    "high": (
        lambda p: options_of(p, "credit_amount").get_by_label("at most").fill("4000"),
        {"rules": [Range("credit_amount", None, 4000)]},
    ),
    "values": (
        lambda p: options_of(p, "checking_account").get_by_label("none", exact=True).uncheck(),
        {"rules": [OneOf("checking_account", ["0-200 DM", "< 0 DM", ">= 200 DM"])]},
    ),
    "cost": (
        lambda p: slide(p, "[data-column=savings] .option input[type=range]", 5) if options_of(p, "savings") else None,
        {"costs": {"savings": 4}},
    ),
}


def test_the_page_begins_with_what_the_library_answers(opened, demo, applicants) -> None:
    assert cards(opened()) == wanted(library(demo, applicants))


@pytest.mark.parametrize("control", CONTROLS)
def test_a_control_asks_as_its_argument_does(opened, demo, applicants, control) -> None:
    page = opened()
    move, asked = CONTROLS[control]
    move(page)
    settled(page)
    assert cards(page) == wanted(library(demo, applicants, **asked))


def test_another_row_is_explained_when_it_is_chosen(opened, demo, applicants) -> None:
    page = opened()
    page.select_option("#row", index=4)
    settled(page)
    assert cards(page) == wanted(library(demo, applicants, row=4))


def test_one_goes_from_row_to_row(opened, demo, applicants) -> None:
    page = opened()
    assert page.get_by_role("button", name="Previous row").is_disabled()
    page.get_by_role("button", name="Next row").click()
    settled(page)
    assert cards(page) == wanted(library(demo, applicants, row=1))
    assert "2 of 40" in page.locator(".row-choice").inner_text()


def test_columns_are_found_by_name_and_locked_together(opened) -> None:
    page = opened()
    page.locator("[data-focus=seek]").fill("credit")
    shown = page.locator(".column:visible")
    assert {item.get_attribute("data-column") for item in shown.all()} == {
        "credit_history",
        "credit_amount",
        "existing_credits",
    }
    page.locator("[data-focus=lock-all]").click()
    settled(page)
    page.locator("[data-focus=seek]").fill("")
    assert "7 locked" in page.locator("#columns-said").inner_text()
    page.locator("[data-focus=unlock-all]").click()
    settled(page)
    assert page.locator(".lock[aria-pressed=true]").count() == 0
    page.locator("[data-focus=seek]").fill("nothing like it")
    assert page.get_by_text("No column has that in its name.").is_visible()


def test_another_decision_can_be_asked_for(opened, demo, applicants) -> None:
    page = opened()
    page.select_option("#target", label="bad")
    settled(page)
    assert "The model already decides: bad" in page.locator("#list").inner_text()
    page.get_by_role("button", name="What would lead to good?").click()
    settled(page)
    assert cards(page) == wanted(library(demo, applicants))


@pytest.mark.parametrize(
    ("column", "how", "value"),
    [
        ("credit_amount", "fill", 900),
        ("age", "fill", None),
        ("savings", "select", ">= 1000 DM"),
        ("job", "select", None),
    ],
)
def test_a_cell_that_is_edited_is_predicted_at_once(opened, demo, applicants, column, how, value) -> None:
    page = opened()
    place = page.locator(f"#cell-{column}")
    if how == "fill":
        place.fill("" if value is None else str(value))
    else:
        place.select_option(label="missing" if value is None else value)
    settled(page)
    row = applicants.iloc[[0]].astype(object)
    row[column] = value
    shown = float(page.locator("#probability").inner_text().removesuffix(" %")) / 100
    assert shown == pytest.approx(demo.classifier.probabilities(row)[0, 1], abs=0.005)
    assert page.locator("#row option:checked").inner_text() == "edited by hand"
