"""Explanations in sentences and under the names that people know."""

from dataclasses import replace

import numpy as np
import pytest
from made_up_explanations import FACTUALS, VARIED, explanation

from counterflownet import AtLeast, AtMost
from counterflownet.explain.explanation import Explanation

LABELS = {
    "columns": {
        "months": {"label": "the duration", "unit": "months"},
        "checking_account": {"label": "your account", "values": {"none": "no account", "< 0 DM": "overdrawn"}},
    },
    "classes": {"good": "approved", "bad": "declined"},
}


def test_a_person_reads_what_was_decided_and_what_would_have_to_change(answer: Explanation) -> None:
    assert answer[0].to_text(labels=LABELS).splitlines() == [
        "The decision is declined. The probability of approved is 31 %.",
        "",
        "Option 1. It would be approved, with a probability of 52 % instead of 31 %, if this changed:",
        "  - The duration falls from 36 months to 12 months.",
        "  - Your account changes from overdrawn to no account.",
        "",
        "Option 2. It would be approved, with a probability of 90 % instead of 31 %, if this changed:",
        "  - The duration falls from 36 months to 6 months.",
    ]


def test_several_rows_have_headings_and_reasons_in_the_language(answer: Explanation) -> None:
    lines = answer.to_text(language="de").splitlines()
    assert lines[0] == "Zeile 17"
    assert lines[-3:] == [
        "Zeile 18",
        "Die Entscheidung lautet bad. Die Wahrscheinlichkeit für good beträgt 4 %.",
        "Für diese Zeile gibt es keine Antwort: es wurde keine Änderung gefunden, die zu good führt.",
    ]


HOUSES = {
    "targets": (AtLeast(250_000), AtMost(1_250.5)),
    "predicted": (199_000.6, 9_000.0),
    "probability_before": np.array([199_000.6, 9_000.0]),
    "probability": np.array([250_120.26]),
    "regression": True,
}


def test_predictions_have_a_name_a_unit_and_separators() -> None:
    answer = explanation(FACTUALS, [(0, {"months": 12})], **HOUSES)
    labels = {"columns": {}, "prediction": {"label": "the price", "unit": "EUR"}}
    lines = answer.to_text(labels=labels).splitlines()
    assert lines[1] == "The price is 199,001 EUR. What is wanted is 250,000 EUR or more."
    assert lines[3] == "Option 1. The price would be 250,120 EUR instead of 199,001 EUR, if this changed:"
    assert "Die Vorhersage beträgt 199.001. Gewünscht ist 250.000 oder mehr." in answer.to_text(language="de")
    assert "Die Vorhersage beträgt 9000. Gewünscht ist 1250,5 oder weniger." in answer.to_text(language="de")


def test_large_predictions_have_separators_in_the_terminal() -> None:
    answer = explanation(FACTUALS, [(0, {"months": 12})], **HOUSES)
    assert "predicted 199,001, wanted at least 250,000" in repr(answer)
    assert "250,120" in repr(answer)
    assert "predicted 9000, wanted at most 1250.5" in repr(answer)


def test_what_was_locked_is_said(answer: Explanation) -> None:
    locked = replace(answer, locked=np.array([[False, True, True], [False, False, False]]))
    assert "These were not to change: your account and ratio." in locked.to_text(labels=LABELS)
    assert locked.to_text().count("not to change") == 1


def test_the_text_is_written_to_a_file_as_well(answer: Explanation, tmp_path) -> None:
    written = answer.to_text(tmp_path / "answer.txt", language="de")
    assert (tmp_path / "answer.txt").read_text(encoding="utf-8") == written


def test_other_views_know_the_names_too(answer: Explanation) -> None:
    shown = repr(answer.labelled(LABELS))
    assert "the duration: 36 months -> 12 months" in shown
    assert "your account: overdrawn -> no account" in shown
    assert "wanted 'approved'" in shown
    page = answer.to_html(labels=LABELS)
    assert "<del>overdrawn</del> → <ins>no account</ins>" in page
    assert repr(answer.labelled(None)) == repr(answer)


def test_changes_have_thousands_separators_where_people_look(answer: Explanation) -> None:
    large = explanation(FACTUALS.assign(months=[12_500, 9_000]), [(0, {"months": 9_500})])
    assert "months: 12,500 -> 9,500" in repr(large)
    assert "<del>12,500</del> → <ins>9,500</ins>" in large.to_html()
    assert "months: 36 -> 12" in repr(answer)


def test_a_single_row_has_a_figure_of_its_own() -> None:
    pytest.importorskip("matplotlib")
    drawn = explanation(FACTUALS[:1], VARIED, asked=4).plot()
    texts = [text.get_text() for text in drawn.axes[0].texts]
    assert sorted(texts) == ["0.1", "0.2", "12", "3"]
    assert [label.get_text() for label in drawn.axes[0].get_yticklabels()] == ["months: 36", "ratio: 0.5"]
    assert drawn.axes[1].patches[0].get_width() == pytest.approx(0.31)
