"""The published training and test rows, drawn again from the bundled tables: same rows, same order, same types."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from counterflownet.datasets import german_credit as labelled_german_credit
from counterflownet_bench.datasets.bundled import bundled_table
from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.adult import ADULT_PROTOCOL_A, ADULT_PROTOCOL_B
from counterflownet_bench.datasets.cards.bank_marketing import BANK_MARKETING
from counterflownet_bench.datasets.cards.credit_default import CREDIT_DEFAULT
from counterflownet_bench.datasets.cards.german_credit import GERMAN_CREDIT
from counterflownet_bench.datasets.cards.graduate_admission import GRADUATE_ADMISSION_400
from counterflownet_bench.datasets.cards.student_performance import STUDENT_PERFORMANCE

Split = tuple[pd.DataFrame, pd.DataFrame]

_ADULT_DATA_COUNT = 32_561  # rows of adult.data; those of adult.test follow


def german_credit() -> Split:
    """Level numbers in place of the labels, then the first 800 rows of a permutation."""
    labelled = labelled_german_credit()
    target = (labelled.y == "good").astype("int64").to_numpy()
    frame = labelled.X.set_axis(list(GERMAN_CREDIT.features), axis="columns")  # both in file order
    levels = {c.name: _labels(frame[c.name]).map(c.value_of_label) for c in GERMAN_CREDIT.categories if c.labels}
    return _cut(_shuffled(frame.assign(**levels, target=target), seed=18), 800)


def adult_protocol_a() -> Split:
    """Rows with nothing missing, then the first 36,177 of a permutation."""
    frame = bundled_table("adult.csv.xz")
    frame = frame[~(frame == "?").any(axis="columns")]
    level = ADULT_PROTOCOL_A.category("education").values
    frame.insert(3, "education-num", frame["education"].map({name: i for i, name in enumerate(level, start=1)}))
    return _cut(_shuffled(frame, seed=18), 36_177)


def adult_protocol_b() -> Split:
    """The two original files apart, each thinned out by class."""
    frame = bundled_table("adult.csv.xz").rename(columns=lambda name: name.replace("-", "_"))
    country = frame["native_country"]
    frame["native_country"] = country.where(country == "United-States", "Other")
    train, test = _cut(_real(frame, ADULT_PROTOCOL_B.continuous), _ADULT_DATA_COUNT)
    train = _drawn(_drawn(train, "income", 30_000), "income", 0.8)
    return train, _drawn(test, "income", 10_000)


def student_performance() -> Split:
    """One school to train, the other to test."""
    frame = bundled_table("student.csv")
    train = frame["school"] == "GP"
    label = (frame["G3"] >= 12).astype("int64")
    frame = frame[list(STUDENT_PERFORMANCE.features)].assign(label=label)
    frame = _real(frame, frame.columns[:-1])
    return frame[train], frame[~train]


def bank_marketing() -> Split:
    """Two halves of a permutation, each thinned out by class."""
    frame = _real(bundled_table("bank.csv.xz"), BANK_MARKETING.continuous)
    train, test = _cut(_shuffled(frame, seed=1234), 20_002)
    return _drawn(train, "y", 0.8), _drawn(test, "y", 10_000)


def credit_default() -> Split:
    """The last 3,000 of a permutation to test, and four fifths of the others to train."""
    frame = _real(bundled_table("default.csv.xz"), CREDIT_DEFAULT.continuous)
    train, test = _cut(_shuffled(frame, seed=1234), 27_000)
    return _drawn(train, CREDIT_DEFAULT.target, 0.8), test


def graduate_admission_400() -> Split:
    """The first 320 rows, and the 80 that the protocol keeps for validation."""
    frame = bundled_table("admission.csv")
    target = GRADUATE_ADMISSION_400.target
    return _cut(frame.assign(**{target: (frame[target] >= 0.7).astype("int64")}), 320)


def _labels(column: pd.Series) -> pd.Series:
    """The labels as text; the cards call true and false yes and no."""
    return column.map({True: "yes", False: "no"}) if column.dtype == bool else column.astype(str)


def _shuffled(frame: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    order = np.random.RandomState(seed).permutation(len(frame))
    return frame.iloc[order]


def _cut(frame: pd.DataFrame, count: int) -> Split:
    return frame.iloc[:count], frame.iloc[count:]


def _drawn(frame: pd.DataFrame, target: str, size: float) -> pd.DataFrame:
    kept, _ = train_test_split(frame, train_size=size, stratify=frame[target], random_state=42)
    return kept


def _real(frame: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    whole = set(frame.select_dtypes("number"))
    return frame.astype({name: "float64" for name in columns if name in whole})


SPLITS: Mapping[str, Callable[[], Split]] = MappingProxyType(
    {
        split.__name__: split
        for split in (
            german_credit,
            adult_protocol_a,
            student_performance,
            graduate_admission_400,
            adult_protocol_b,
            bank_marketing,
            credit_default,
        )
    }
)


def bundled_split(card: DatasetCard) -> Split:
    """Training and test rows of a bundled data set, each numbered from 0 as in a file of its own."""
    train, test = SPLITS[card.name]()
    return train.reset_index(drop=True), test.reset_index(drop=True)
