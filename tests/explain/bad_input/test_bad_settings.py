"""Settings out of bounds, and terms of one's own that give no reward."""

import numpy as np
import pandas as pd
import pytest
from misuse import Cases, assert_told_in_words

from counterflownet import (
    RowTerm,
)
from counterflownet.errors import (
    InvalidInputError,
    NotFittedError,
)

SETTINGS: Cases = {
    "count 0": (lambda g: g.explain(count=0), InvalidInputError, "count must be a whole number of at least 1; got 0"),
    "count True": (lambda g: g.explain(count=True), InvalidInputError, "count must be a whole number.*got True"),
    "count as text": (lambda g: g.explain(count="5"), InvalidInputError, "count must be a whole number.*got '5'"),
    "samples 0": (lambda g: g.explain(samples=0), InvalidInputError, "samples must be a whole number"),
    "diversity over some": (lambda g: g.explain(diversity_over="some"), InvalidInputError, "diversity_over"),
    "worth above one": (lambda g: g.explain(worth=1.5), InvalidInputError, "worth"),
    "samples with a fraction": (lambda g: g.explain(samples=2.5), InvalidInputError, "samples must be.*got 2.5"),
    "chunk_rows 0": (lambda g: g.explain(chunk_rows=0), InvalidInputError, "chunk_rows must be a whole number"),
    "minutes negative": (
        lambda g: g.make().fit(g.plain, minutes=-1.0),
        InvalidInputError,
        "minutes must be.*above 0; got -1.0",
    ),
    "minutes as text": (
        lambda g: g.make().fit(g.plain, minutes="5"),
        InvalidInputError,
        "minutes must be a finite number above 0; got '5'",
    ),
    "weight above one": (
        lambda g: g.make(weights={"sparsity": 1.5}),
        InvalidInputError,
        "sparsity must be between 0 and 1; got 1.5",
    ),
    "unknown weight": (
        lambda g: g.make(weights={"sparcity": 0.5}),
        InvalidInputError,
        "entry of weights 'sparcity'. Did you mean 'sparsity'",
    ),
    "weights as a list": (lambda g: g.make(weights=[0.5]), InvalidInputError, "a RewardWeights or a mapping; got list"),
    "unknown reward setting": (lambda g: g.make(reward={"margins": 0.1}), InvalidInputError, "Did you mean 'margin'"),
    "temperature as a number": (
        lambda g: g.make(reward={"temperature": 40.0}),
        InvalidInputError,
        "temperature must be a Temperature or a mapping; got float",
    ),
    "unknown training setting": (
        lambda g: g.make(training={"epochs": 5}),
        InvalidInputError,
        "unknown entry of training 'epochs'. Allowed:.*steps",
    ),
    "unknown objective": (
        lambda g: g.make(training={"objective": "trajectories"}),
        InvalidInputError,
        "'trajectories'. Did you mean 'trajectory'",
    ),
    "half a step": (
        lambda g: g.make(training={"steps": 0.5}),
        InvalidInputError,
        "steps must be a whole number of at least 1; got 0.5",
    ),
    "steps as text": (lambda g: g.make(training={"steps": "many"}), InvalidInputError, "steps must be a whole number"),
    "no seed": (lambda g: g.make(seed=None), InvalidInputError, "seed must be a whole number; got None"),
    "explain before fit": (lambda g: g.make().explain(g.plain), NotFittedError, "not been fitted; call .fit"),
    "schema before fit": (lambda g: g.make().schema, NotFittedError, "not been fitted"),
    "a weight that is text": (
        lambda g: g.make(weights={"sparsity": "high"}),
        InvalidInputError,
        "RewardWeights.sparsity must be between 0 and 1; got 'high'",
    ),
    "reference rows that are no whole number": (
        lambda g: g.make(reward={"reference_rows": 2.5}),
        InvalidInputError,
        "reference_rows must be a whole number of at least 2; got 2.5",
    ),
}

TERMS: Cases = {
    "of the wrong shape": (
        lambda g: g.fit(terms=[(RowTerm("cheap", lambda new, old: np.ones(3)), 0.5)]),
        InvalidInputError,
        "'cheap' returned shape \\(3,\\) for .* one number per candidate",
    ),
    "above one": (
        lambda g: g.fit(terms=[(RowTerm("cheap", lambda new, old: np.full(len(new), 2.0)), 0.5)]),
        InvalidInputError,
        "'cheap' returned a value of 2; values must lie in \\[0, 1\\]",
    ),
    "name taken": (
        lambda g: g.make(terms=[(RowTerm("sparsity", lambda new, old: np.ones(len(new))), 0.5)]),
        InvalidInputError,
        "'sparsity' of a reward term is already taken",
    ),
    "without a weight": (
        lambda g: g.make(terms=[RowTerm("cheap", lambda new, old: np.ones(len(new)))]),
        InvalidInputError,
        "terms takes pairs",
    ),
    "not in a list": (
        lambda g: g.make(terms=RowTerm("cheap", lambda new, old: np.ones(len(new)))),
        InvalidInputError,
        "terms takes pairs",
    ),
    "weight above one": (
        lambda g: g.make(terms=[(RowTerm("cheap", lambda new, old: np.ones(len(new))), 3.0)]),
        InvalidInputError,
        "weight of the reward term 'cheap' must be between 0 and 1; got 3.0",
    ),
    "a term that raises": (
        lambda g: g.make(terms=[(RowTerm("broken", lambda rows, _factuals: rows["nowhere"]), 0.5)]).fit(g.plain),
        InvalidInputError,
        "the reward term 'broken' failed: KeyError.*nowhere",
    ),
}


@pytest.mark.parametrize(("misuse", "kind", "message"), SETTINGS.values(), ids=SETTINGS)
def test_a_mistake_in_a_setting_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)


@pytest.mark.parametrize(("misuse", "kind", "message"), TERMS.values(), ids=TERMS)
def test_a_mistake_in_a_term_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    assert_told_in_words(given, misuse, kind, message)


def test_a_failed_fit_leaves_the_explainer_as_it_was(given) -> None:
    explainer = given.fit()
    before = explainer.explain(given.plain, target="yes").to_frame()
    with pytest.raises(InvalidInputError):
        explainer.fit(given.plain.head(0))
    pd.testing.assert_frame_equal(explainer.explain(given.plain, target="yes").to_frame(), before)
