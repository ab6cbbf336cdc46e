"""A file says how much of the training table it contains; a private one contains no row of it."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from safetensors import safe_open

from counterflownet import CounterFlowNet, Schema
from counterflownet.errors import ClassifierChangedWarning, InvalidInputError, PlausibilityOffWarning

ROWS = 300
TINY = {"steps": 3, "batch_rows": 16, "width": 16}


def approves(rows: pd.DataFrame) -> np.ndarray:
    return 1 / (1 + np.exp(30 - rows["income"].to_numpy(dtype=float) - (rows["city"] == "oslo")))


def table(seed: int) -> pd.DataFrame:
    draw = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": draw.integers(18, 80, ROWS),
            "income": draw.normal(30, 10, ROWS),
            "city": draw.choice(["rome", "oslo", "lima"], ROWS),
        }
    )


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return table(0)


@pytest.fixture(scope="module")
def explainer(people) -> CounterFlowNet:
    return CounterFlowNet(approves, classes=["no", "yes"], training=TINY).fit(people, progress=False)


@pytest.fixture(scope="module")
def private(explainer, tmp_path_factory) -> Path:
    return explainer.save(tmp_path_factory.mktemp("saved") / "private.cfn", private=True)


@pytest.fixture(scope="module")
def without_rows(private) -> CounterFlowNet:
    with pytest.warns(PlausibilityOffWarning, match=r"plausibility is off.*Give rows as reference"):
        return CounterFlowNet.load(private, approves, classes=["no", "yes"])


def read(path: Path) -> tuple[dict, dict[str, np.ndarray]]:
    with safe_open(path, framework="np") as file:
        return json.loads(file.metadata()["counterflownet"]), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118


def recovered(path: Path, people: pd.DataFrame) -> int:
    """How many training rows have their age and income side by side in some tensor of the file."""
    header, tensors = read(path)
    scale = {column["name"]: (column["mean"], column["deviation"]) for column in header["schema"]}
    pairs = np.stack([(people[name] - scale[name][0]) / scale[name][1] for name in ("age", "income")], axis=1)
    tables = [tensor for tensor in tensors.values() if tensor.ndim == 2 and tensor.shape[1] >= 2]
    return max((np.abs(pairs[:, None] - each[None, :, :2]).max(axis=2) < 1e-5).any(axis=1).sum() for each in tables)


def test_a_file_says_how_many_training_rows_it_contains_and_that_is_true(explainer, people, tmp_path) -> None:
    path = explainer.save(tmp_path / "people.cfn")
    header = read(path)[0]
    contains = header["contains"]
    assert contains["private"] is False
    assert contains["training_rows"] == recovered(path, people) == ROWS
    assert contains["of_these_categories"] == 3
    assert contains["column_values"] == sum(len(column["values"] + column["fine"]) for column in header["schema"])
    assert [sorted(column["fine"]) for column in header["schema"][:2]] == [
        sorted(set(people[name].astype(float))) for name in ("age", "income")
    ]


def test_a_private_file_contains_no_training_row_and_says_so(private, people) -> None:
    header, tensors = read(private)
    assert (header["contains"]["private"], header["contains"]["training_rows"]) == (True, 0)
    assert recovered(private, people) == 0
    assert all(column["values"] == [] for column in header["columns"])
    assert {name.split("/")[0] for name in tensors} == {"model", "probe"}
    assert all(column["fine"] == column["grid"] for column in header["schema"])


@pytest.mark.parametrize("private", [False, True])
def test_of_a_column_that_is_left_alone_a_file_contains_one_value(people, tmp_path, private) -> None:
    named = people.assign(customer=[f"customer-{row:03}" for row in range(ROWS)])
    made = CounterFlowNet(approves, classes=["no", "yes"], training=TINY).fit(named, progress=False)
    assert "customer" in made.schema.left_alone
    assert made.save(tmp_path / "x", private=private).read_bytes().count(b"customer-") == 1


def test_the_rows_a_classifier_is_recognised_by_do_not_depend_on_the_training_rows(people, tmp_path) -> None:
    schema = Schema.infer(people)
    codes = []
    for seed in (0, 1):
        made = CounterFlowNet(lambda rows: np.full(len(rows), 0.5), classes=["no", "yes"], schema=schema, training=TINY)
        path = made.fit(table(seed), progress=False).save(tmp_path / "x", private=True)
        codes.append(read(path)[1]["probe/codes"])
    assert (codes[0] == codes[1]).all()


def test_with_the_training_rows_as_reference_answers_are_as_before(explainer, private, people) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = CounterFlowNet.load(
            private, approves, classes=["no", "yes"], reference=people[["city", "age", "income"]]
        )
    answers = [made.explain(people.head(20), target="yes").to_frame() for made in (explainer, loaded)]
    pd.testing.assert_frame_equal(*answers, check_exact=True)


def test_other_reference_rows_are_used_instead_of_those_in_a_file(explainer, people, tmp_path) -> None:
    path = explainer.save(tmp_path / "people.cfn")
    loaded = CounterFlowNet.load(path, approves, classes=["no", "yes"], reference=table(1).head(50))
    told = [made.explain(people.head(20), target="yes").terms["plausibility"] for made in (explainer, loaded)]
    assert len(told[0]) != len(told[1]) or (told[0] != told[1]).any()


def test_without_reference_rows_plausibility_is_off_and_said_to_be(without_rows, people) -> None:
    assert "plausibility off: no reference rows" in repr(without_rows)
    answer = without_rows.explain(people[people["income"] < 25].head(10), target="yes")
    assert "plausibility" not in answer.terms
    assert len(answer.row)
    assert (approves(answer.counterfactuals) > 0.5).all()


def test_an_explainer_that_never_counted_plausibility_has_nothing_to_say_of_it(people, tmp_path) -> None:
    made = CounterFlowNet(approves, classes=["no", "yes"], weights={"plausibility": 0.0}, training=TINY)
    path = made.fit(people, progress=False).save(tmp_path / "x")
    assert read(path)[0]["contains"]["private"] is True
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "plausibility" not in repr(CounterFlowNet.load(path, approves, classes=["no", "yes"]))


def test_what_was_loaded_from_a_private_file_is_private_when_saved(without_rows, private, tmp_path) -> None:
    assert without_rows.save(tmp_path / "again").read_bytes() == private.read_bytes()


def test_another_classifier_is_noticed_by_a_private_file(private, people) -> None:
    def another(rows: pd.DataFrame) -> np.ndarray:
        return approves(rows) * 0.99

    with pytest.warns(ClassifierChangedWarning, match="on 16 made-up rows"):
        CounterFlowNet.load(private, another, classes=["no", "yes"], reference=people)


def test_types_of_columns_survive_in_a_private_file(explainer, without_rows) -> None:
    assert without_rows.dtypes == explainer.dtypes


@pytest.mark.parametrize(
    ("reference", "told"), [(table(0)[["age"]], "income"), (table(0).head(0), "has no rows"), (7, "int")]
)
def test_reference_rows_that_cannot_be_used_are_refused(private, reference, told) -> None:
    with pytest.raises(InvalidInputError, match=f"the reference table.*{told}"):
        CounterFlowNet.load(private, approves, classes=["no", "yes"], reference=reference)
