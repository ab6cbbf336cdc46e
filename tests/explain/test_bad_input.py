"""Whatever is given wrongly, the error is ours: it says what was given, what is allowed and what to do."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import load_file, save_file
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import Pipeline

from counterflownet import (
    Bins,
    CounterFlowNet,
    CounterFlowNetError,
    Decreasing,
    Immutable,
    Increasing,
    MaxChanges,
    MaxStep,
    Mutable,
    NotOneOf,
    OneOf,
    Range,
    RowTerm,
    Schema,
)
from counterflownet.errors import (
    ClassifierError,
    ConstraintError,
    InvalidInputError,
    NotFittedError,
    SavedFileError,
)

ONE_STEP = {"steps": 1, "window": 1, "batch_rows": 8, "width": 8}


def probability(frame: pd.DataFrame) -> np.ndarray:
    """Of "yes", on the table of two columns."""
    return np.clip(frame["a"].to_numpy(float), 0.0, 1.0)


@dataclass(frozen=True)
class Given:
    """What a user has at hand when something goes wrong."""

    explainer: CounterFlowNet
    three_way: CounterFlowNet
    pipeline: Pipeline
    people: pd.DataFrame
    plain: pd.DataFrame
    folder: Path

    def explain(self, **options: Any) -> object:
        return self.explainer.explain(self.people.head(3), **options)

    def make(self, model: Any = probability, **options: Any) -> CounterFlowNet:
        return CounterFlowNet(model, **{"classes": ["no", "yes"], "training": ONE_STEP, **options})

    def fit(self, model: Any = probability, X: Any = None, **options: Any) -> object:
        return self.make(model, **options).fit(self.plain if X is None else X)

    def file(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def saved(self) -> Path:
        return self.explainer.save(self.folder / "saved.cfn")

    def resaved(self, **header: Any) -> Path:
        """The saved explainer with entries of its header replaced."""
        path = self.saved()
        old = saved_header(path)
        save_file(load_file(path), path, metadata={"counterflownet": json.dumps(old | header)})
        return path


def saved_header(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    return json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["counterflownet"])


@pytest.fixture
def given(explainer, three_way_explainer, pipeline, people, plain, tmp_path) -> Given:
    return Given(explainer, three_way_explainer, pipeline, people, plain, tmp_path)


def raising(frame: pd.DataFrame) -> np.ndarray:
    raise KeyError("salary")


def ends_badly(value: Any) -> Callable[[pd.DataFrame], np.ndarray]:
    """A function that answers with ``value`` in the last row."""

    def answers(frame: pd.DataFrame) -> np.ndarray:
        found = np.full((len(frame), 2), 0.5)
        found[-1] = value
        return found

    return answers


def other_run(given: Given) -> object:
    path = given.folder / "run.checkpoint"
    given.make(seed=1).fit(given.plain, checkpoint=path)
    return given.make(seed=2).fit(given.plain, checkpoint=path)


def other_bins(given: Given) -> object:
    """The same codes, which stand for other values."""
    path = given.folder / "run.checkpoint"
    for decode in ("nearest", "centre"):
        bins = {"count": 4, "distinct": False, "decode": decode}
        schema = Schema.infer(given.plain, bins=Bins(**bins))
        given.make(schema=schema).fit(given.plain, checkpoint=path)
    return None


def unfitted_save(given: Given) -> object:
    return given.make().save(given.folder / "new.cfn")


def odd_labels(given: Given) -> object:
    labels = [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02")]
    return given.make(classes=labels).fit(given.plain).save(given.folder / "new.cfn")


def foreign_tensors(given: Given) -> object:
    path = given.folder / "weights.safetensors"
    save_file({"weight": torch.zeros(2)}, path)
    return CounterFlowNet.load(path, given.pipeline)


def cut_off(given: Given) -> object:
    content = given.saved().read_bytes()
    return CounterFlowNet.load(given.file("half.cfn", content[: len(content) // 2]), given.pipeline)


def checkpoint_as_explainer(given: Given) -> object:
    path = given.folder / "run.checkpoint"
    given.make().fit(given.plain, checkpoint=path)
    return CounterFlowNet.load(path, given.pipeline)


Misuse = Callable[[Given], object]

TABLES: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "explain: a column missing": (
        lambda g: g.explainer.explain(g.people.drop(columns="age")),
        InvalidInputError,
        "rows lacks 1 of the 9 columns.*age",
    ),
    "explain: a column misspelt": (
        lambda g: g.explainer.explain(g.people.rename(columns={"income": "incomes"})),
        InvalidInputError,
        "Did you mean 'incomes'",
    ),
    "explain: a column too many": (
        lambda g: g.explainer.explain(g.people.assign(label=1)),
        InvalidInputError,
        "not fitted on: label.*Drop them",
    ),
    "explain: text in a column of numbers": (
        lambda g: g.explainer.explain(g.people.astype({"age": str})),
        InvalidInputError,
        "'age' must hold.* numbers; got '.*pd.to_numeric",
    ),
    "explain: an array": (
        lambda g: g.explainer.explain(g.people.to_numpy()),
        InvalidInputError,
        "got ndarray. For an array: pd.DataFrame",
    ),
    "explain: no rows": (lambda g: g.explainer.explain(g.people.head(0)), InvalidInputError, "rows has no rows"),
    "explain: no rows in a list": (lambda g: g.explainer.explain([]), InvalidInputError, "must be a pandas DataFrame"),
    "explain: doubled names": (
        lambda g: g.explainer.explain(pd.concat([g.people, g.people[["age"]]], axis=1)),
        InvalidInputError,
        "doubled column names: age",
    ),
    "explain: infinite": (
        lambda g: g.explainer.explain(g.people.head(2).assign(income=[1.0, np.inf])),
        InvalidInputError,
        "'income' of rows is infinite.* in row 'person 1'",
    ),
    "fit: an array": (lambda g: g.make().fit(g.plain.to_numpy()), InvalidInputError, "training table must be a pandas"),
    "fit: no rows": (lambda g: g.fit(X=g.plain.head(0)), InvalidInputError, "training table has no rows"),
    "fit: no columns": (lambda g: g.fit(X=g.plain[[]]), InvalidInputError, "no columns; give a table"),
    "fit: doubled names": (
        lambda g: g.fit(X=g.plain.set_axis(["a", "a"], axis=1)),
        InvalidInputError,
        "doubled column names: a. Rename",
    ),
    "fit: only missing values": (
        lambda g: g.fit(X=g.plain.assign(b=np.nan)),
        InvalidInputError,
        "'b' has only missing values; drop it",
    ),
    "fit: infinite": (
        lambda g: g.fit(X=g.plain.assign(b=[*range(39), -np.inf])),
        InvalidInputError,
        "'b' of the training table is infinite.* in row 39",
    ),
    "fit: other columns than the schema's": (
        lambda g: g.fit(X=g.plain, schema=Schema.infer(g.plain.rename(columns={"b": "c"}))),
        InvalidInputError,
        "lacks 1 of the 2 columns.*: c",
    ),
    "fit: text in a column that the schema calls a number": (
        lambda g: g.fit(X=g.plain.astype({"b": str}), schema=Schema.infer(g.plain)),
        InvalidInputError,
        "'b' must hold.* numbers",
    ),
    "fit: no schema": (lambda g: g.fit(schema={"a": "continuous"}), InvalidInputError, "schema must be a Schema; got"),
}

CLASSIFIERS: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "one class only": (lambda g: g.make(classes=["only"]), ClassifierError, "one class only.*at least two"),
    "it raises": (lambda g: g.fit(raising), ClassifierError, "failed with KeyError: 'salary'.*columns: a, b"),
    "it answers NaN": (lambda g: g.fit(ends_badly(np.nan)), ClassifierError, "finite; row 39 of 40 is \\[nan, nan"),
    "it answers above one": (lambda g: g.fit(ends_badly([2, -1])), ClassifierError, "between 0 and 1; row 39"),
    "it does not sum to one": (lambda g: g.fit(ends_badly([0.5, 0.6])), ClassifierError, "sum to one.*row 39"),
    "wrong shape": (lambda g: g.fit(lambda X: np.ones((3, 2)) / 2), ClassifierError, "= \\(40, 2\\); got \\(3, 2\\)"),
    "no predict_proba": (
        lambda g: CounterFlowNet(LinearRegression()),
        ClassifierError,
        "has predict but no predict_proba.*Calibrated",
    ),
    "not fitted": (lambda g: CounterFlowNet(LogisticRegression()), ClassifierError, "not fitted.*Call its fit"),
    "a bare module": (lambda g: CounterFlowNet(torch.nn.Linear(2, 2)), ClassifierError, "Wrap it.*TorchClassifier"),
    "a function without classes": (
        lambda g: CounterFlowNet(probability),
        ClassifierError,
        "Name them in the order of its columns",
    ),
    "classes as one word": (lambda g: g.make(classes="good"), ClassifierError, "must be a list of labels"),
    "a number of classes": (lambda g: g.make(classes=2), ClassifierError, "must be a list of labels.*got 2"),
    "no model at all": (lambda g: CounterFlowNet(None), ClassifierError, "NoneType is no classifier. Allowed:"),
}

TARGETS: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "unknown": (lambda g: g.explain(target="god"), InvalidInputError, "unknown target class 'god'.*'bad', 'good'"),
    "of another type": (
        lambda g: g.make(classes=[0, 1]).fit(g.plain).explain(g.plain, target="1"),
        InvalidInputError,
        "'1'.*1 and '1' are different labels",
    ),
    "missing": (lambda g: g.explain(target=pd.NA), InvalidInputError, "unknown target class"),
    "not named, of three": (
        lambda g: g.three_way.explain(g.people.head(2)),
        InvalidInputError,
        "with 3 classes the target must be named. Allowed: 'maybe', 'no', 'yes'",
    ),
    "too few": (lambda g: g.explain(target=["good", "bad"]), InvalidInputError, "2 targets were given for 3 rows"),
    "one of them unknown": (lambda g: g.explain(target=["good", "bad", 1]), InvalidInputError, "target class 1"),
    "a table": (lambda g: g.explain(target=np.full((3, 2), "good")), InvalidInputError, "unknown target class array"),
}

CONSTRAINTS: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "unknown column": (
        lambda g: g.explain(constraints=[Immutable("agee")]),
        ConstraintError,
        "Immutable\\('agee'\\): unknown column 'agee'. Did you mean 'age'",
    ),
    "no order": (
        lambda g: g.explain(constraints=[Increasing("city")]),
        ConstraintError,
        "Increasing\\('city'\\) needs an order.*orders=",
    ),
    "empty range": (
        lambda g: g.explain(constraints=[Range("age", 60, 30)]),
        ConstraintError,
        "Range\\('age', 60, 30\\) is empty.*Swap",
    ),
    "OneOf and NotOneOf": (
        lambda g: g.explain(constraints=[OneOf("city", ["rome"]), NotOneOf("city", ["rome"])]),
        ConstraintError,
        "OneOf.* and NotOneOf.* exclude each other: no value of 'city'",
    ),
    "Immutable and Mutable": (
        lambda g: g.explain(constraints=[Immutable("age"), Mutable("age", "city")]),
        ConstraintError,
        "exclude each other on 'age'. Drop one",
    ),
    "Increasing and Decreasing": (
        lambda g: g.explain(constraints=[Increasing("age"), Decreasing("age")]),
        ConstraintError,
        "exclude each other on 'age'",
    ),
    "not in a list": (
        lambda g: g.explain(constraints=Immutable("age")),
        ConstraintError,
        "must be a list, such as .*got Immutable\\('age'\\)",
    ),
    "not a constraint": (lambda g: g.explain(constraints=["age"]), ConstraintError, "'age' is no constraint; give"),
    "unknown value": (
        lambda g: g.explain(constraints=[OneOf("city", ["Rome"])]),
        ConstraintError,
        "unknown value 'Rome'. Did you mean 'rome'",
    ),
    "no changes": (lambda g: MaxChanges(0), ConstraintError, "at least 1; got 0"),
    "no step": (lambda g: g.explain(constraints=[MaxStep("age", 0.0)]), ConstraintError, "allows no step"),
    "of an unknown row": (
        lambda g: g.explain(row_constraints={"nobody": [Immutable("age")]}),
        ConstraintError,
        "names row 'nobody'",
    ),
    "of a row, not in a list": (
        lambda g: g.explain(row_constraints={"person 1": Immutable("age")}),
        ConstraintError,
        "must be a list, such as .*got Immutable\\('age'\\)",
    ),
    "of rows, not in a mapping": (
        lambda g: g.explain(row_constraints=[Immutable("age")]),
        ConstraintError,
        "row_constraints must be a mapping",
    ),
    "of a row, unknown column": (
        lambda g: g.explain(row_constraints={"person 1": [Immutable("agee")]}),
        ConstraintError,
        "Did you mean 'age'",
    ),
}

SETTINGS: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "count 0": (lambda g: g.explain(count=0), InvalidInputError, "count must be a whole number of at least 1; got 0"),
    "count True": (lambda g: g.explain(count=True), InvalidInputError, "count must be a whole number.*got True"),
    "count as text": (lambda g: g.explain(count="5"), InvalidInputError, "count must be a whole number.*got '5'"),
    "samples 0": (lambda g: g.explain(samples=0), InvalidInputError, "samples must be a whole number"),
    "diversity over some": (lambda g: g.explain(diversity_over="some"), InvalidInputError, "diversity_over"),
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
        "minutes must be a number above 0; got '5'",
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
}

TERMS: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "of the wrong shape": (
        lambda g: g.fit(terms=[(RowTerm("cheap", lambda new, old: np.ones(3)), 0.5)]),
        InvalidInputError,
        "'cheap' gave values of shape \\(3,\\) for .* one number for each",
    ),
    "above one": (
        lambda g: g.fit(terms=[(RowTerm("cheap", lambda new, old: np.full(len(new), 2.0)), 0.5)]),
        InvalidInputError,
        "'cheap' gave a value of 2; values must lie in \\[0, 1\\]",
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
}

FILES: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
    "save before fit": (unfitted_save, NotFittedError, "not been fitted"),
    "save labels that are no data": (odd_labels, InvalidInputError, "the classes cannot be saved"),
    "load a missing file": (
        lambda g: CounterFlowNet.load(g.folder / "nothing.cfn", g.pipeline),
        SavedFileError,
        "no file '.*nothing.cfn'",
    ),
    "load a folder": (lambda g: CounterFlowNet.load(g.folder, g.pipeline), SavedFileError, "there is no file"),
    "load an empty file": (
        lambda g: CounterFlowNet.load(g.file("empty.cfn", b""), g.pipeline),
        SavedFileError,
        "is damaged, or was not written by this library",
    ),
    "load half a file": (cut_off, SavedFileError, "half.cfn' is damaged"),
    "load a pickle": (
        lambda g: CounterFlowNet.load(g.file("model.pkl", b"\x80\x05K\x01."), g.pipeline),
        SavedFileError,
        "is damaged, or was not written by this library",
    ),
    "load another library's file": (foreign_tensors, SavedFileError, "not written by this library"),
    "load a checkpoint": (checkpoint_as_explainer, SavedFileError, "holds a 'training checkpoint', not a 'explainer'"),
    "load a future version": (
        lambda g: CounterFlowNet.load(g.resaved(version=99), g.pipeline),
        SavedFileError,
        "format version 99; this release reads version 1",
    ),
    "load a file without its schema": (
        lambda g: CounterFlowNet.load(g.resaved(schema=None), g.pipeline),
        SavedFileError,
        "lacks a part or holds a wrong one",
    ),
    "load a file with an unknown kind of column": (
        lambda g: CounterFlowNet.load(g.resaved(schema=[{"name": "a", "kind": "odd"}]), g.pipeline),
        SavedFileError,
        "lacks a part or holds a wrong one: .*odd",
    ),
    "load a file with another schema": (
        lambda g: CounterFlowNet.load(g.resaved(schema=Schema.infer(g.plain).to_json()), g.pipeline),
        SavedFileError,
        "lacks a part or holds a wrong one",
    ),
    "load with a classifier of other classes": (
        lambda g: CounterFlowNet.load(g.saved(), probability, classes=["no", "yes"]),
        SavedFileError,
        "fitted for the classes \\['bad', 'good'\\]; this classifier has \\['no', 'yes'\\]",
    ),
    "go on from another run": (other_run, SavedFileError, "belongs to another table, other settings or another seed"),
    "go on from a run with other values": (other_bins, SavedFileError, "belongs to another table"),
    "go on from a damaged checkpoint": (
        lambda g: g.make().fit(g.plain, checkpoint=g.file("run.checkpoint", b"{}")),
        SavedFileError,
        "run.checkpoint' is damaged",
    ),
}

HARDER: dict[str, tuple[Misuse, type[CounterFlowNetError], str]] = {
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
    "a term that raises": (
        lambda g: g.make(terms=[(RowTerm("broken", lambda rows, _factuals: rows["nowhere"]), 0.5)]).fit(g.plain),
        InvalidInputError,
        "the reward term 'broken' failed: KeyError.*nowhere",
    ),
    "saving onto a folder": (lambda g: g.explainer.save(g.folder), InvalidInputError, "is a folder"),
}

CASES = {
    f"{group}: {name}": case
    for group, cases in {
        "table": TABLES,
        "classifier": CLASSIFIERS,
        "target": TARGETS,
        "constraint": CONSTRAINTS,
        "setting": SETTINGS,
        "term": TERMS,
        "file": FILES,
        "harder": HARDER,
    }.items()
    for name, case in cases.items()
}


@pytest.mark.parametrize(("misuse", "kind", "message"), CASES.values(), ids=CASES)
def test_a_mistake_is_told_in_words_and_leaves_nothing_behind(given, misuse, kind, message) -> None:
    with pytest.raises(CounterFlowNetError, match=f"(?s){message}") as caught:
        misuse(given)
    assert type(caught.value) is kind
    left = {path.name for path in given.folder.rglob("*")}
    assert not {name for name in left if name.startswith(".") or name == "new.cfn"}


def test_a_refused_checkpoint_stays_as_it_was(given) -> None:
    path = given.folder / "run.checkpoint"
    given.make(seed=1).fit(given.plain, checkpoint=path)
    before = path.read_bytes()
    with pytest.raises(SavedFileError):
        given.make(seed=2).fit(given.plain, checkpoint=path)
    assert path.read_bytes() == before


def test_a_failed_fit_leaves_the_explainer_as_it_was(given) -> None:
    explainer = given.fit()
    before = explainer.explain(given.plain, target="yes").to_frame()
    with pytest.raises(InvalidInputError):
        explainer.fit(given.plain.head(0))
    pd.testing.assert_frame_equal(explainer.explain(given.plain, target="yes").to_frame(), before)
