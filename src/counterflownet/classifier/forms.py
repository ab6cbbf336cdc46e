"""The forms in which rows reach a model: a frame if it takes one, else an array; what worked is remembered."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from inspect import signature
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from counterflownet.errors import ClassifierError

FORMS: dict[str, Callable[[pd.DataFrame], Any]] = {
    "frame": lambda rows: rows,
    "array": pd.DataFrame.to_numpy,
    "float32": lambda rows: rows.to_numpy(dtype=np.float32),
    "polars": lambda rows: nw.from_native(rows, eager_only=True).to_polars(),
    "pyarrow": lambda rows: nw.from_native(rows, eager_only=True).to_arrow(),
}
ARRAYS = ("array", "float32")  # which do not keep the names of columns
ELSEWHERE = ("polars", "pyarrow")  # tried only if whoever made the model has these libraries in use


class RememberedForm:
    """A function of rows, asked in the first form that it takes; from then on always in that one.

    Args:
        function: Takes rows in some form.
        named: Whether the model knows its columns by name, so that an array might be misunderstood.
    """

    def __init__(self, function: Callable[[Any], Any], *, named: bool = False) -> None:
        self.function = function
        self.forms = [form for form in FORMS if not (named and form in ARRAYS)]
        self.form: str | None = None

    def __call__(self, rows: pd.DataFrame) -> Any:
        if self.form is not None:
            return self.function(FORMS[self.form](rows))
        faults = []
        for form in self._tried():
            try:
                answer = self.function(FORMS[form](rows.copy()))  # what fails may have altered its rows before
            except ClassifierError:
                raise
            except Exception as fault:  # noqa: BLE001 - a model may fail in any way
                faults.append(fault)
            else:
                self.form = form
                return answer
        raise faults[0]

    def _tried(self) -> Iterator[str]:
        return (form for form in self.forms if form not in ELSEWHERE or form in sys.modules)


def asked(model: Any, method: str) -> Callable[[pd.DataFrame], Any]:
    """How to ask an estimator: with a frame, with an array if it was fitted on one, or as it turns out."""
    function = quiet(getattr(model, method))
    if hasattr(model, "feature_names_in_"):
        return RememberedForm(function, named=True)
    if hasattr(model, "n_features_in_"):
        # scikit-learn would warn on every call about column names that it did not see in fit
        return AskedWithArray(model, method)
    return RememberedForm(function)


class AskedWithArray:
    """An estimator that was fitted on an array."""

    def __init__(self, model: Any, method: str) -> None:
        self.model, self.method = model, method

    def __call__(self, rows: pd.DataFrame) -> Any:
        return getattr(self.model, self.method)(rows.to_numpy())


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without a progress bar of its own, which networks would show at every call."""
    try:
        talks = "verbose" in signature(function).parameters
    except (TypeError, ValueError):  # compiled code that tells nothing of its parameters
        return function
    return partial(function, verbose=0) if talks else function
