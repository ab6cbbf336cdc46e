"""Few rows are asked about with their single changes, which saves calls and changes no answer."""

import pandas as pd
import pytest

from counterflownet import Changes, Decreasing, Falls, IfThen, Immutable, MaxChanges, Range, Rises
from counterflownet.explain import pose


def sorted_answers(frame: pd.DataFrame) -> pd.DataFrame:
    """Without ranks: rewards that are equal but for their rounding may come in either order."""
    named = frame.drop(columns=["rank", "strategy"]).assign(changed=frame["changed"].astype(str))
    return named.sort_values(["factual", "changed", "probability"], ignore_index=True)


RULES = [IfThen(Changes("city"), Rises("age")), IfThen(Falls("visits"), Changes("city"))]
CONSTRAINTS = [[], [Immutable("city"), MaxChanges(2)], [Range("age", 30, 50), Decreasing("visits")], RULES]


@pytest.mark.parametrize("constraints", CONSTRAINTS)
@pytest.mark.parametrize("confidence", [None, 0.7])
def test_rows_have_the_same_answers_and_outcomes_alone_and_together(explainer, people, constraints, confidence) -> None:
    rows = people.head(pose.FEW_ROWS + 5)
    asked = {"target": "good", "constraints": constraints, "confidence": confidence}
    together = explainer.explain(rows, **asked)
    alone = [explainer.explain(rows.iloc[[number]], **asked) for number in range(len(rows))]
    each = pd.concat([one.to_frame() for one in alone], ignore_index=True)
    pd.testing.assert_frame_equal(sorted_answers(together.to_frame()), sorted_answers(each))
    assert list(together.outcomes) == [outcome for one in alone for outcome in one.outcomes]


@pytest.mark.parametrize("rules", [[], RULES])
def test_one_row_takes_fewer_calls_of_the_classifier_for_it(explainer, people, monkeypatch, rules) -> None:
    kind, counts = type(explainer.classifier), []
    ask = kind.probabilities
    for few in (pose.FEW_ROWS, 0):
        calls: list[int] = []
        monkeypatch.setattr(pose, "FEW_ROWS", few)
        monkeypatch.setattr(
            kind, "probabilities", lambda own, rows, calls=calls: calls.append(len(rows)) or ask(own, rows)
        )
        for number in range(12):
            explainer.explain(people.iloc[[number]], constraints=rules)
        counts.append(len(calls))
    assert counts[0] <= counts[1] - 6
