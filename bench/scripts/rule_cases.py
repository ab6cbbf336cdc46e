"""Tables with five rules each, from rules of two columns to five that together join eight."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from counterflownet import (
    Above,
    Changes,
    Derived,
    Equals,
    Falls,
    IfThen,
    LessEqual,
    OneHot,
    Rises,
    RisesBy,
    Schema,
    Stays,
    Together,
)
from counterflownet.datasets import german_credit
from counterflownet_bench.datasets import load_benchmark

WEEKS = 4.33  # in a month
Draw = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class RuleCase:
    """A table, the classifier that is explained, the rows to explain, and five rules."""

    name: str
    schema: Schema
    rows: pd.DataFrame
    model: Any
    rejected: pd.DataFrame
    rules: Sequence[Any]


def adult() -> RuleCase:
    """Adult with what people ask for: education and its number, age, a one-hot group, hours told twice."""
    data = load_benchmark("adult_protocol_a")
    rows = data.X_train.assign(**{"hours-per-month": (data.X_train["hours-per-week"] * WEEKS).round().astype(int)})
    kinds = pd.get_dummies(rows["workclass"], dtype=int)
    rows = pd.concat([rows.drop(columns="workclass"), kinds], axis=1)
    levels = rows.groupby("education")["education-num"].first().sort_values().index.tolist()
    rules = [
        Derived.lookup("education-num", "education", rows),
        IfThen(Rises("education"), RisesBy("age", at_least=2)),
        LessEqual("education-num", "age", offset=4),
        OneHot(*kinds.columns),
        Together("hours-per-week", "hours-per-month"),
    ]
    return _case("adult", rows, _network(rows, data.y_train), rules, {"education": levels})


def german() -> RuleCase:
    """German Credit with five rules of two columns."""
    data = german_credit()
    rules = [
        IfThen(Rises("credit_amount"), Rises("duration_months")),
        IfThen(Changes("housing"), Equals("residence_since", 1)),
        LessEqual("existing_credits", "installment_rate", offset=-3),
        IfThen(Rises("job"), Rises("employment_since")),
        Together("age", "dependents"),
    ]
    return _case("german", data.X, _network(data.X, data.y), rules)


def bank() -> RuleCase:
    """Bank Marketing: what follows from a client who was never called before, and what takes time."""
    data = load_benchmark("bank_marketing")
    rules = [
        IfThen(Equals("pdays", -1), Equals("previous", 0)),
        IfThen(Equals("previous", 0), Equals("poutcome", "unknown")),
        IfThen(Changes("education"), RisesBy("age", at_least=2)),
        IfThen(Changes("job"), Changes("balance")),
        IfThen(Rises("duration"), Rises("campaign")),
    ]
    return _case("bank", data.X_train, _network(data.X_train, data.y_train), rules)


def borrowers() -> RuleCase:
    """Give Me Some Credit: loans on houses are loans, what income does to debt, and what takes years."""
    data = load_benchmark("give_me_some_credit")
    rules = [
        LessEqual("NumberRealEstateLoansOrLines", "NumberOfOpenCreditLinesAndLoans"),
        IfThen(Rises("MonthlyIncome"), Falls("DebtRatio")),
        IfThen(Rises("NumberOfDependents"), RisesBy("age", at_least=1)),
        IfThen(Falls("NumberOfTimes90DaysLate"), RisesBy("age", at_least=2)),
        IfThen(Rises("NumberOfOpenCreditLinesAndLoans"), Rises("RevolvingUtilizationOfUnsecuredLines")),
    ]
    return _case("borrowers", data.X_train, _network(data.X_train, data.y_train), rules)


def lending() -> RuleCase:
    """Lending Club: scores told by both ends, and what a loan, its rate and its installment have in common."""
    data = load_benchmark("lending_club")
    rules = [
        Derived("fico_range_high", from_=["fico_range_low"], by=_four_above),
        IfThen(Rises("loan_amnt"), Rises("installment")),
        IfThen(Falls("int_rate"), Falls("installment")),
        IfThen(Rises("annual_inc"), Falls("dti")),
        IfThen(Changes("grade"), Changes("int_rate")),
    ]
    return _case("lending", data.X_train, _network(data.X_train, data.y_train), rules)


def _four_above(rows: pd.DataFrame) -> pd.Series:
    return rows["fico_range_low"] + 4


def joined(seed: int = 0) -> RuleCase:
    """Ten numbers, of which five rules join eight."""
    draw = np.random.default_rng(seed)
    rows = pd.DataFrame(draw.normal(size=(2_000, 10)).round(2), columns=list("abcdefghij"))
    rows["b"] += 2.0
    rules = [
        LessEqual("a", "b"),
        IfThen(Rises("b"), Rises("c")),
        IfThen(Falls("c") | Above("d", 1), Stays("e") & Rises("f")),
        Together("f", "g"),
        IfThen(Changes("g"), Above("h", 0) | Falls("a")),
    ]
    weights = draw.normal(size=10)
    return _case("joined", rows, _linear(weights, rows), rules)


def random_rules(seed: int = 0) -> RuleCase:
    """Ten numbers of few values under five random rules, which join eight of them or more."""
    draw = np.random.default_rng([seed, 5])
    rows = pd.DataFrame(draw.integers(0, 12, size=(2_000, 10)), columns=list("abcdefghij"))
    names = draw.permutation(list("abcdefghij"))[:8].tolist()
    pairs = [(names[i], names[i + 1]) for i in (0, 2, 4, 6)]
    rules = [_random_rule(draw, *pair) for pair in pairs] + [
        IfThen(Changes(names[1]) & Rises(names[3]), Falls(names[5]) | Rises(names[7]))
    ]
    return _case("random", rows, _linear(draw.normal(size=10) / 4, rows), rules)


CASES: dict[str, Callable[[], RuleCase]] = {
    "adult": adult,
    "bank": bank,
    "borrowers": borrowers,
    "german": german,
    "lending": lending,
    "joined": joined,
    "random": random_rules,
}


def _random_rule(draw: Draw, one: str, other: str) -> Any:
    kinds = [
        LessEqual(one, other, offset=-4),
        Together(one, other),
        IfThen(Rises(one), RisesBy(other, at_least=2)),
        IfThen(Changes(one), Changes(other)),
    ]
    return kinds[draw.integers(len(kinds))]


def _case(name: str, rows: pd.DataFrame, model: Any, rules: Sequence[Any], orders: Any = None) -> RuleCase:
    """The table with up to two hundred rows whose prediction is the rarer class of two."""
    predicted = _predicted(model, rows)
    return RuleCase(name, Schema.infer(rows, orders=orders or {}), rows, model, rows[predicted == 0].head(200), rules)


def _predicted(model: Any, rows: pd.DataFrame) -> np.ndarray:
    probabilities = model.predict_proba(rows) if hasattr(model, "predict_proba") else model(rows)
    return probabilities.argmax(axis=1)


def _network(rows: pd.DataFrame, labels: pd.Series) -> Pipeline:
    text = make_column_selector(dtype_exclude=["number", "bool"])
    columns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), text), remainder=StandardScaler())
    return make_pipeline(columns, MLPClassifier((30, 30), early_stopping=True, random_state=0)).fit(rows, labels)


def _linear(weights: np.ndarray, table: pd.DataFrame) -> Callable[[pd.DataFrame], np.ndarray]:
    """Rows are accepted if the weighted sum of their columns is above that of the mean row."""
    mean = table.to_numpy(float).mean(axis=0)

    def probabilities(rows: pd.DataFrame) -> np.ndarray:
        chance = 1 / (1 + np.exp(-(rows.to_numpy(float) - mean) @ weights))
        return np.stack([1 - chance, chance], axis=1)

    return probabilities
