"""Scenes of the page: each shows a part of it at work, to be checked for accessibility and drawn for the docs."""

from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Page
from shown import settled

WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


class Scene(NamedTuple):
    """How the page is opened, and what is done to it."""

    how: dict[str, Any]
    play: Callable[[Page], None] = lambda page: None
    where: str = ""


def at_work(page: Page) -> None:
    """An answer tried, two pinned, the options of two columns open."""
    for focus in ("pin-1", "pin-2", "try-4"):
        page.locator(f"[data-focus={focus}]").click()
        settled(page)
    for column in ("credit_amount", "savings"):
        page.locator(f"[data-focus=more-{column}]").click()
    page.locator("[data-focus=own-more]").select_option("duration_months")
    page.locator("#own-duration_months").fill("42")
    settled(page)
    page.evaluate("scrollTo(0, 0)")


def nothing(page: Page) -> None:
    """More certainty than one change can bring."""
    page.fill("#most", "1")
    page.select_option("#confidence", label="95 % or more")
    settled(page)


def letter(page: Page) -> None:
    page.click("#letter")


def already(page: Page) -> None:
    page.select_option("#target", label="bad")
    settled(page)


def described(page: Page) -> None:
    page.wait_for_selector("#routes section:nth-child(8)")


SCENES = {
    "start": Scene({"viewport": WIDE}),
    "work": Scene({"viewport": {"width": 1280, "height": 1150}, "color_scheme": "dark", "locale": "de"}, at_work),
    "work-light": Scene({"viewport": {"width": 1280, "height": 1150}}, at_work),
    "nothing": Scene({"viewport": {"width": 1280, "height": 700}}, nothing),
    "already": Scene({"viewport": {"width": 1280, "height": 700}, "color_scheme": "dark"}, already),
    "letter": Scene({"viewport": WIDE}, letter),
    "phone": Scene({"viewport": PHONE, "device_scale_factor": 2}),
    "service": Scene({"viewport": WIDE}, described, where="api"),
}
