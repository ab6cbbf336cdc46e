"""Rules from the front door: they hold in answers, what follows is told, and conflicts belong to their row."""

import json

import numpy as np
import pandas as pd
import pytest

from counterflownet import (
    Above,
    Changes,
    CounterFlowNet,
    Derived,
    Equals,
    Falls,
    IfThen,
    Immutable,
    LessEqual,
    MaxChanges,
    Mutable,
    OneHot,
    Outcome,
    Rises,
    RisesBy,
    Schema,
    Together,
)

LEVELS = ["low", "mid", "high"]


def table(rows=200):
    draw = np.random.default_rng(0)
    X = pd.DataFrame({"age": draw.integers(18, 60, rows), "level": draw.choice(LEVELS, rows)})
    X["level_num"] = X["level"].map(LEVELS.index)
    X["owed"] = draw.integers(1, 20, rows)
    X["paid"] = (X["owed"] * draw.random(rows)).astype(int)
    region = draw.integers(0, 2, rows)
    return X.assign(north=region, south=1 - region)


X = table()


def model(rows):
    score = rows["level_num"] - 1.4 + 0.2 * (rows["paid"] - 6) + 0.5 * rows["south"]
    chance = 1 / (1 + np.exp(-score.to_numpy(float)))
    return np.stack([1 - chance, chance], axis=1)


@pytest.fixture(scope="module")
def explainer():
    schema = Schema.infer(X, orders={"level": LEVELS})
    training = {"steps": 3, "batch_rows": 32, "width": 16, "repair": 0}
    return CounterFlowNet(model, classes=["no", "yes"], schema=schema, training=training, seed=0).fit(X, progress=False)


HELPED = model(X.assign(level_num=2))[:, 1] > 0.5  # by a higher level alone
ROWS = X[(model(X)[:, 1] < 0.5) & HELPED & (X["level"] == "low")].head(6)
LOOKUP = Derived.lookup("level_num", "level", X)
OLDER = IfThen(Rises("level"), RisesBy("age", at_least=2))
BY_ITSELF = IfThen(Rises("level"), RisesBy("age", at_least=2), as_="consequence")


def test_every_answer_keeps_every_rule(explainer):
    rules = [LOOKUP, OLDER, LessEqual("paid", "owed"), OneHot("north", "south")]
    answer = explainer.explain(ROWS, target="yes", constraints=rules)
    assert len(answer.row) > len(ROWS)
    for rule in rules:
        assert rule.kept(explainer.schema, ROWS.take(answer.row), answer.counterfactuals).all()


def test_a_strategy_that_needs_a_companion_is_found(explainer):
    answer = explainer.explain(
        ROWS, target="yes", constraints=[LOOKUP, OLDER, Immutable("owed", "paid", "north", "south")]
    )
    assert set(answer.to_frame()["changed"]) == {("age", "level")}
    assert {told.outcome for told in answer.outcomes} <= {Outcome.PARTIAL, Outcome.COMPLETE}


def test_what_follows_is_told_and_not_counted(explainer):
    given = [LOOKUP, BY_ITSELF, Immutable("owed", "paid", "north", "south"), MaxChanges(1)]
    frame = explainer.explain(ROWS, target="yes", constraints=given).to_frame()
    assert set(frame["changed"]) == {("level",)}
    assert set(frame["follows"]) == {("age", "level_num")}
    assert (frame["age"].to_numpy() == X.loc[frame["factual"], "age"].to_numpy() + 2).all()


def test_what_follows_from_the_only_columns_that_may_change_follows(explainer):
    answer = explainer.explain(ROWS, target="yes", count=1, constraints=[Mutable("level"), LOOKUP, BY_ITSELF])
    assert {row.outcome for row in answer.outcomes} == {Outcome.COMPLETE}
    assert set(answer.to_frame()["changed"]) == {("level",)}
    assert set(answer.to_frame()["follows"]) == {("age", "level_num")}
    assert not answer.locked[:, [X.columns.get_loc(name) for name in ("age", "level", "level_num")]].any()
    assert answer.locked[:, X.columns.get_loc("paid")].all()


def test_a_row_in_which_rules_leave_nothing_to_change_names_them(explainer):
    given = [Immutable("level_num"), Immutable("age", "owed", "paid", "north", "south"), LOOKUP, MaxChanges(3)]
    answer = explainer.explain(ROWS, target="yes", constraints=given)
    assert {row.outcome for row in answer.outcomes} == {Outcome.NOTHING_ALLOWED}
    told = "Derived.lookup('level_num', 'level', X) and Immutable('level_num') and Immutable('age', 'owed', 'paid', "
    assert {row.detail for row in answer.outcomes} == {f"{told}'north', 'south') exclude every change"}


def test_without_rules_there_is_no_column_of_what_follows(explainer):
    assert "follows" not in explainer.explain(ROWS, target="yes").to_frame().columns


def test_what_follows_is_in_every_form(explainer):
    answer = explainer.explain(ROWS, target="yes", constraints=[LOOKUP, BY_ITSELF, Immutable("owed", "paid")])
    rows = json.loads(answer.to_json())["rows"]
    assert any("age" in one["follows"] for row in rows for one in row["counterfactuals"])
    assert "follows: level_num: 0 -> " in repr(answer)
    assert "cfn-follows" in answer.to_html()


def test_samples_keep_rules_too(explainer):
    answer = explainer.sample(ROWS, target="yes", samples=20, constraints=[LOOKUP, OLDER, LessEqual("paid", "owed")])
    assert LessEqual("paid", "owed").kept(explainer.schema, ROWS.take(answer.row), answer.counterfactuals).all()
    assert OLDER.kept(explainer.schema, ROWS.take(answer.row), answer.counterfactuals).all()


def test_a_conflict_is_the_outcome_of_its_row_alone(explainer):
    rows = ROWS.head(2).set_axis(["p", "q"])
    own = {"q": [IfThen(Equals("level", "low"), Equals("level", "high")), Immutable("level")]}
    answer = explainer.explain(rows, target="yes", row_constraints=own)
    assert answer.outcomes[0].outcome is not Outcome.CONTRADICTION
    assert answer.outcomes[1].outcome is Outcome.CONTRADICTION
    assert "IfThen(Equals('level', 'low')" in answer.outcomes[1].detail


def test_a_flow_can_be_trained_under_rules():
    schema = Schema.infer(X, orders={"level": LEVELS})
    training = {"steps": 3, "batch_rows": 32, "width": 16, "repair": 0, "objective": "trajectory"}
    rules = [LOOKUP, OLDER, LessEqual("paid", "owed")]
    explainer = CounterFlowNet(model, classes=["no", "yes"], schema=schema, training=training)
    answer = explainer.fit(X, constraints=rules, progress=False).explain(ROWS, target="yes", constraints=rules)
    assert LessEqual("paid", "owed").kept(schema, ROWS.take(answer.row), answer.counterfactuals).all()


def test_diagnosis_counts_what_rules_leave(explainer):
    rules = [LOOKUP, OLDER, Immutable("owed", "paid", "north", "south")]
    lines = explainer.diagnose(ROWS.head(1), target="yes", samples=50, pool=100, constraints=rules).rows
    assert 0 <= float(lines["total_variation"].iloc[0]) <= 1


@pytest.mark.parametrize("few", [0, 10**9])
def test_what_is_asked_about_at_once_changes_no_answer_under_rules(monkeypatch, few) -> None:
    """A row alone is asked about wholly, many rows are led near with few questions: both must end in the same place."""
    draw = np.random.default_rng(0)
    table = pd.DataFrame(draw.normal(size=(600, 6)).round(2), columns=list("abcdef"))
    weights = draw.normal(size=6)

    def islands(rows: pd.DataFrame) -> np.ndarray:
        """Valid here and there along every column, so that where a search begins decides where it ends."""
        return 1 / (1 + np.exp(0.8 - 1.5 * np.sin(3 * rows.to_numpy(float)) @ weights))

    tiny = {"steps": 3, "batch_rows": 32, "width": 16, "repair": 0}
    explainer = CounterFlowNet(islands, classes=[0, 1], training=tiny).fit(table, progress=False)
    rules = [
        IfThen(Rises("a"), Rises("c")),
        Together("b", "d"),
        IfThen(Changes("e"), Above("f", 0) | Falls("a")),
        LessEqual("a", "c", offset=-4),
    ]
    rows = table[islands(table) < 0.5].head(12)
    plain = explainer.explain(rows, target=1, constraints=rules).to_frame()
    alone = explainer.explain(rows, target=1, constraints=rules, chunk_rows=1).to_frame()
    monkeypatch.setattr("counterflownet.explain.tightening.FEW_STEPS", few)
    pd.testing.assert_frame_equal(explainer.explain(rows, target=1, constraints=rules).to_frame(), plain)
    assert (plain["changed"].map(len) > 1).any()
    pd.testing.assert_frame_equal(alone, plain)
