"""The paper's method on spaces that can be counted."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
import torch

from counterflownet import Bins, Increasing, RewardSettings, RewardWeights, Schema, Temperature
from counterflownet_bench.as_published.exact import reachable
from counterflownet_bench.as_published.method import Asked, AsPublished
from counterflownet_bench.as_published.network import PolicyNetwork, Shape
from counterflownet_bench.as_published.quantised import quantised
from counterflownet_bench.as_published.reading import READINGS, Reading
from counterflownet_bench.as_published.rollout import rollout
from counterflownet_bench.as_published.table import Table
from counterflownet_bench.baselines.method import Task
from counterflownet_bench.datasets import CARDS
from counterflownet_bench.datasets.column import Number, nominal
from counterflownet_bench.references.encoding import ColumnRoles, RowEncoder
from counterflownet_bench.references.model import Layer, ReferenceClassifier

NAMES, VALUES = ("a", "b", "c"), ("x", "y", "z")
TRAIN = pd.DataFrame(list(product(VALUES, VALUES, VALUES)), columns=list(NAMES))
REWARD = RewardSettings(margin=0.0, missed=1.0, temperature=Temperature(kind="exponential", beta=4.0, floor=0.001))
METHOD = AsPublished(
    weights=RewardWeights(validity=1.0, sparsity=0.5, proximity=0.0, plausibility=0.0),
    reward=REWARD,
    steps=250,
    batch_rows=128,
)


def task(**roles) -> Task:
    columns = tuple(nominal(name, VALUES) for name in NAMES)
    changed = {"columns": columns, "immutable": (), "increasing": (), "constraint_sets": (), **roles}
    encoder = RowEncoder.fit(ColumnRoles(continuous=(), categorical=dict.fromkeys(NAMES, VALUES)), TRAIN)
    up = np.array([-1.0, 0.2, 1.0] * 3)
    classifier = ReferenceClassifier(encoder, (Layer(np.stack([-up, up], axis=1), np.zeros(2)),), (0, 1))
    card = replace(CARDS["german_credit"], **changed)
    return Task(card=card, train=TRAIN, classifier=classifier, schema=Schema.infer(TRAIN), constraints=[], seed=0)


def exact(method: AsPublished, posed: Task, factual: pd.DataFrame, target: int) -> dict[tuple[str, ...], float]:
    """What samples should be proportional to: the reward, as often as a row can be reached."""
    rows = TRAIN
    changed = (rows.to_numpy() != factual.to_numpy()).astype(bool)
    probabilities = posed.classifier.probabilities(rows)
    validity = np.clip(1 + probabilities[:, target] - probabilities[:, 1 - target], 0, 1)
    value = validity * np.exp(-method.weights.sparsity * np.maximum(changed.sum(axis=1) - 1, 0))
    ways = 2.0 ** (~changed).sum(axis=1) if method.reading.reassign else 1.0
    mass = np.exp(4.0 * np.maximum(value, 0.001)) * ways
    return dict(zip(map(tuple, rows.to_numpy().tolist()), mass / mass.sum(), strict=True))


@pytest.mark.parametrize("reassign", [False, True])
def test_it_samples_in_proportion_to_the_reward_however_an_edit_is_read(reassign):
    method = replace(METHOD, reading=Reading(reassign=reassign))
    posed = task()
    fitted = method.fit(posed)
    factual, count = pd.DataFrame([dict.fromkeys(NAMES, "x")]), 6_000
    asked = Asked(
        Table.of(posed, factual, reassign=reassign), np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    )
    with torch.no_grad():
        found = asked.decoded(asked.drawn(fitted.run.policy, torch.Generator().manual_seed(0)))
    shares = found.value_counts(normalize=True).to_dict()
    expected = exact(method, posed, factual, 1)
    assert sum(abs(shares.get(row, 0.0) - share) for row, share in expected.items()) / 2 < 0.08


def test_all_orders_of_a_set_of_edits_sum_to_one_backward():
    shape = Shape((3, 3), 2)
    drawn = rollout(
        PolicyNetwork(shape),
        torch.zeros(500, 2, dtype=torch.int64),
        torch.ones(500, dtype=torch.int64),
        torch.ones(500, 6, dtype=torch.bool),
        torch.Generator().manual_seed(0),
    )
    edits = drawn.edited.sum(dim=1)
    assert set(edits.tolist()) == {0, 1, 2}
    orders = torch.tensor([1.0, 1.0, 2.0])[edits]
    assert torch.allclose(drawn.log_backward.exp() * orders, torch.ones(500))


def test_forward_probabilities_of_all_ends_sum_to_one():
    torch.manual_seed(0)
    policy, allowed = PolicyNetwork(Shape((2,), 2)), torch.ones(4_000, 2, dtype=torch.bool)
    drawn = rollout(
        policy,
        torch.zeros(4_000, 1, dtype=torch.int64),
        torch.zeros(4_000, dtype=torch.int64),
        allowed,
        torch.Generator().manual_seed(0),
        exploration=0.5,
    )
    ends = {
        (int(code), bool(edited)): float(log.detach().exp())
        for code, edited, log in zip(drawn.codes[:, 0], drawn.edited[:, 0], drawn.log_forward, strict=True)
    }
    assert sum(ends.values()) == pytest.approx(1.0, abs=1e-5)  # of the policy itself, though half was explored


def test_immutable_columns_and_their_own_codes_stay_closed():
    table = Table.of(task(immutable=("a",)), TRAIN.head(2), reassign=True)
    assert table.allowed[:, 3:].all()
    assert not table.allowed[0, 0]


def test_where_a_column_may_only_rise_the_highest_code_leaves_nothing_to_edit_unless_codes_are_reassigned():
    table = pd.DataFrame({"n": np.linspace(0.0, 1.0, 40)})
    schema = Schema.infer(table, bins={"n": Bins(count=4, strategy="uniform", decode="centre")})
    card = replace(task().card, columns=(Number("n"),))
    posed = replace(task(), card=card, schema=schema, train=table, constraints=[Increasing("n")])
    for reassign, expected in ((False, 0), (True, 1)):
        found = Table.of(posed, table.tail(1), reassign=reassign)
        assert int(found.allowed.sum()) == expected


def test_selected_are_the_valid_of_exactly_as_many_samples_each_once_and_the_best_first():
    posed = task()
    fitted = replace(METHOD, steps=3).fit(posed)
    rows = pd.DataFrame([dict.fromkeys(NAMES, "x"), {"a": "z", "b": "z", "c": "y"}])
    asked = {"count": 10, "targets": [1, 0]}
    raw, chosen = (fitted.answer(rows, **asked, selection=name) for name in ("raw", "selected"))
    drawn = {(int(r), *cells) for r, cells in zip(raw.row, raw.counterfactuals.to_numpy().tolist(), strict=True)}
    kept = [(int(r), *cells) for r, cells in zip(chosen.row, chosen.counterfactuals.to_numpy().tolist(), strict=True)]
    assert len(kept) == len(set(kept))
    assert set(kept) <= drawn
    predicted = posed.classifier.predicted(chosen.counterfactuals)
    assert (predicted == np.array([1, 0])[chosen.row]).all()


def test_the_same_seed_gives_the_same_answers_and_leaves_the_global_generator_alone():
    state = torch.get_rng_state()
    rows = TRAIN.head(3)
    one, two = (
        replace(METHOD, steps=4).fit(task()).answer(rows, [1, 1, 1], count=4, selection="raw") for _ in range(2)
    )
    assert one.counterfactuals.equals(two.counterfactuals)
    assert torch.equal(state, torch.get_rng_state())


def test_batches_are_the_rows_of_the_table_in_their_order():
    seen = []

    class Watching(Asked):
        def __init__(self, table, row, target):
            seen.append(row)
            super().__init__(table, row, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("counterflownet_bench.as_published.method.Asked", Watching)
        replace(METHOD, steps=3, batch_rows=10).fit(task())
    assert np.concatenate(seen).tolist() == [number % len(TRAIN) for number in range(30)]


def test_only_the_scalar_learns_faster_if_that_is_how_it_is_read():
    fast = {}
    for faster in ("network", "scalar"):
        run = replace(METHOD, steps=1, reading=Reading(faster_flow=faster)).fit(task()).run
        groups = [group["params"] for group in run.optimizer.param_groups if group["lr"] == pytest.approx(0.05)]
        fast[faster] = sum(map(len, groups))
    assert fast == {"network": len(list(run.flow.parameters())), "scalar": 1}


def test_every_reading_has_a_name_and_is_different():
    assert len(set(READINGS.values())) == len(READINGS)


def test_quantised_rows_hold_what_their_bins_stand_for_and_stay_as_they_are_if_quantised_again():
    table = pd.DataFrame({"n": np.linspace(0.0, 1.0, 41), "k": np.arange(41) % 3}, index=np.arange(41) + 5)
    schema = Schema.infer(
        table, bins={"n": Bins(count=4, strategy="uniform", decode="centre")}, kinds={"k": "categorical"}
    )
    once = quantised(schema, table)
    assert sorted(set(once["n"])) == pytest.approx([0.125, 0.375, 0.625, 0.875])
    assert once["k"].equals(table["k"])
    assert once.equals(quantised(schema, once))
    assert (once["n"] - table["n"]).abs().max() <= 0.125 + 1e-9


@pytest.mark.parametrize("reassign", [False, True])
def test_exact_samples_are_those_of_the_counted_distribution(reassign):
    method = replace(METHOD, reading=Reading(reassign=reassign, exact=True))
    posed, count = task(), 4_000
    factual = pd.DataFrame([dict.fromkeys(NAMES, "x")])
    given = method.fit(posed).answer(factual, [1], count=count, selection="raw")
    expected = exact(method, posed, factual, 1)
    left_out = expected.pop(("x", "x", "x"))  # a copy of the row is no answer
    assert len(given.row) / count == pytest.approx(1 - left_out, abs=0.03)
    shares = given.counterfactuals.value_counts(normalize=True).to_dict()
    assert sum(abs(shares.get(row, 0.0) - share / (1 - left_out)) for row, share in expected.items()) / 2 < 0.08


def test_states_are_counted_with_the_ways_that_lead_to_them():
    factual = pd.DataFrame([dict.fromkeys(NAMES, "x")])
    for reassign, unchanged in ((False, 1.0), (True, 8.0)):
        codes, ways = reachable(Table.of(task(), factual, reassign=reassign), 0)
        assert len(codes) == len(np.unique(codes, axis=0)) == 27
        assert ways[0] == unchanged
        assert ways.sum() == (64.0 if reassign else 27.0)
