"""The page in a real browser: that of the system, each test with a fresh profile."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from reasons import REASON
from shown import settled

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
REQUIRED = "COUNTERFLOWNET_BROWSER_REQUIRED"  # set where a missing browser is a fault, as in continuous integration
FLAGS = [
    "--no-sandbox",  # which refuses to run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.path.parts[-2:]:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(REASON)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


Opening = Callable[..., Any]


@pytest.fixture
def opened(browser, address) -> Iterator[Opening]:
    """Opens the page, waits for its answers, and at the end looks at what it asked for and complained about."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(where: str = "", *, at: str | None = None, wait: bool = True, **how: Any) -> Page:
        place = address if at is None else at
        context = browser.new_context(
            **{"viewport": {"width": 1360, "height": 900}, "reduced_motion": "reduce", "locale": "en"} | how
        )
        contexts.append(context)
        context.set_default_timeout(15_000)
        page = context.new_page()
        page.on("request", lambda request: complaints.append(request.url) if foreign(request.url, place) else None)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{place}/{where}")
        if wait:
            settled(page)
        return page

    open_page.complaints = complaints
    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def foreign(url: str, address: str) -> bool:
    return not url.startswith((address, "data:", "blob:"))
