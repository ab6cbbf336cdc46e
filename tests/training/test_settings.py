"""Settings are checked when they are made and never change."""

from dataclasses import FrozenInstanceError, asdict

import numpy as np
import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.training.settings import TrainingSettings

WRONG = [
    ("objective", "tb", "trajectory, detailed, subtrajectory, stateflow"),
    ("steps", 0, "whole number of at least 1; got 0"),
    ("steps", 2.5, "whole number of at least 1; got 2.5"),
    ("steps", "many", "whole number of at least 1; got 'many'"),
    ("steps", True, "whole number of at least 1; got True"),
    ("batch_rows", -3, "whole number of at least 1"),
    ("width", None, "whole number of at least 1"),
    ("window", 0, "whole number of at least 1"),
    ("learning_rate", 0.0, "at least 1e-12"),
    ("learning_rate", float("nan"), "at least 1e-12 and finite; got nan"),
    ("final_rate", 1.5, "between 0 and 1; got 1.5"),
    ("exploration", -0.1, "between 0 and 1"),
    ("stretch_decay", 2.0, "between 0 and 1"),
    ("huber", 0.0, "at least 1e-12"),
    ("gradient_norm", -1.0, "at least 1e-12"),
    ("max_changes", 0, "whole number of at least 1"),
    ("patience", 0, "whole number of at least 1"),
    ("balanced", "yes", "Allowed: True, False"),
    ("balanced", None, "Allowed: True, False"),
    ("repair", -0.5, "at least 0 and finite; got -0.5"),
    ("repair", float("inf"), "at least 0 and finite; got inf"),
    ("repair", "much", "at least 0 and finite; got 'much'"),
]


@pytest.mark.parametrize(("name", "value", "message"), WRONG)
def test_a_wrong_setting_is_named_with_what_is_allowed(name, value, message) -> None:
    with pytest.raises(InvalidInputError, match=rf"TrainingSettings\.{name}.*{message}"):
        TrainingSettings(**{name: value})


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        TrainingSettings().steps = 5


def test_numbers_of_numpy_are_numbers() -> None:
    assert TrainingSettings(steps=np.int64(5)) == TrainingSettings(steps=5)


def test_limits_may_be_left_out() -> None:
    settings = TrainingSettings(max_changes=None, passes=None, patience=None, repair=None)
    assert (settings.max_changes, settings.passes, settings.patience, settings.repair) == (None, None, None, None)


def test_whoever_learns_preferences_learns_from_a_batch_less_often() -> None:
    assert (TrainingSettings().pass_count, TrainingSettings(preferences=True).pass_count) == (4, 3)
    assert TrainingSettings(preferences=True, passes=7).pass_count == 7


def test_the_defaults_change_only_on_purpose() -> None:
    assert asdict(TrainingSettings()) == {
        "objective": "subtrajectory",
        "steps": 1_000,
        "balanced": True,
        "batch_rows": 256,
        "passes": None,
        "width": 256,
        "learning_rate": 5e-3,
        "final_rate": 0.02,
        "log_flow_rate": 10.0,
        "exploration": 0.1,
        "constrained": 0.5,
        "huber": 1.0,
        "gradient_norm": 10.0,
        "stretch_decay": 0.9,
        "max_changes": None,
        "window": 50,
        "patience": 6,
        "tolerance": 0.002,
        "repair": None,
        "preferences": False,
    }
