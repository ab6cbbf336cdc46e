import sys
from types import SimpleNamespace
from typing import Any

import pytest

from counterflownet.training.history import Moment
from counterflownet.training.notebook import SECONDS, in_notebook, tracked
from counterflownet.training.progress import training_progress

NOW = Moment(1, 2.0, 0.5, 0.1, 0.25, 0.75, 1.0)


class Shown(list[dict[str, str]]):
    """What a notebook was told to display, first and later."""

    def update(self, content: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.append(content)


@pytest.fixture(name="shown")
def notebook(monkeypatch: pytest.MonkeyPatch) -> Shown:
    shown = Shown()

    def display(content: dict[str, str], *, raw: bool, display_id: bool) -> Shown:
        shown.update(content, raw=raw)
        return shown

    kernel: Any = SimpleNamespace(kernel=object())
    fake = SimpleNamespace(get_ipython=lambda: kernel, display=SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython", fake)
    monkeypatch.setattr("counterflownet.training.notebook.SECONDS", -1.0)
    return shown


def test_a_notebook_is_told_from_a_terminal_of_ipython(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    assert in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=SimpleNamespace))
    assert not in_notebook()


def test_training_is_shown_under_the_cell(shown: Shown) -> None:
    with training_progress(shown=None) as show:
        show(0.5, NOW)
        show(1.0, NOW, repairing=True)
    assert 'value="0.500"' in shown[0]["text/html"]
    assert "learning  reward 0.250  valid 75%" in shown[0]["text/html"]
    assert shown[1]["text/plain"].startswith("100% repairing")


def test_nothing_is_shown_if_nobody_wants_it(shown: Shown) -> None:
    with training_progress(shown=False) as show:
        show(0.5, NOW)
    assert shown == []


def test_items_come_through_with_a_bar(shown: Shown) -> None:
    assert list(tracked(range(4), "explaining", 4)) == [0, 1, 2, 3]
    assert [content["text/plain"][:3].strip() for content in shown] == ["0%", "25%", "50%", "75%", "100"]


def test_updates_are_no_more_than_eyes_can_follow(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterflownet.training.notebook.SECONDS", 60.0)
    list(tracked(range(100), "explaining", 100))
    assert len(shown) == 2
    assert 0 < SECONDS < 1
