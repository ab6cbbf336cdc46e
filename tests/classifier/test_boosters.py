"""What boosters say becomes probabilities, whatever their objective; stand-ins say it here, real ones elsewhere."""

import numpy as np
import pandas as pd
import pytest

from counterflownet.classifier.boosters import LightGBooster

ROWS = pd.DataFrame({"a": [0.0, 1.0], "b": [2.0, 3.0]})


class Boosted:
    """What is asked of a ``lightgbm.Booster``: how its file begins, its columns, its predictions."""

    def __init__(self, objective: str, class_count: int, said: list) -> None:
        self.text = f"tree\nversion=v4\nnum_class={class_count}\nobjective={objective} num_class:{class_count}\n"
        self.said = np.array(said)

    def model_to_string(self, num_iteration: int) -> str:
        assert num_iteration == 1
        return self.text

    def feature_name(self) -> list[str]:
        return ["b", "a"]

    def predict(self, rows: pd.DataFrame) -> np.ndarray:
        assert list(rows.columns) == self.feature_name()
        return self.said


@pytest.mark.parametrize(
    ("objective", "class_count", "said", "told"),
    [
        ("multiclassova", 3, [[0.5, 0.25, 0.25], [0.8, 0.4, 0.4]], [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25]]),
        ("multiclass", 3, [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]], [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]),
        ("binary", 1, [0.25, 1.0], [[0.75, 0.25], [0.0, 1.0]]),
    ],
)
def test_what_a_booster_says_becomes_a_probability_of_each_class(objective, class_count, said, told) -> None:
    assert LightGBooster(Boosted(objective, class_count, said))(ROWS).tolist() == told
