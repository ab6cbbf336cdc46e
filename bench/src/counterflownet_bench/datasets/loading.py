"""A data set of the protocols with its training and test rows, from wherever it is at hand."""

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pandas as pd

from counterflownet.errors import InvalidInputError, listed
from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.catalogue import CARDS, card_of
from counterflownet_bench.datasets.folder import DATA_VARIABLE, data_folders, folder_of, read_split
from counterflownet_bench.datasets.splits import bundled_split

BUNDLED = "bundled"


class MissingDataError(InvalidInputError):
    """A data set that does not come with the library and was not found."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # eq=False: == on frames has no single truth value
class BenchmarkData:
    """Training and test rows with their target column, and the card that goes with them."""

    card: DatasetCard
    train: pd.DataFrame = field(repr=False)
    test: pd.DataFrame = field(repr=False)
    origin: str
    """The folder that the rows were read from, or "bundled"."""

    @property
    def X_train(self) -> pd.DataFrame:  # noqa: N802 what this field calls a table of features
        return self.train.drop(columns=self.card.target)

    @property
    def y_train(self) -> pd.Series:
        return self.train[self.card.target]

    @property
    def X_test(self) -> pd.DataFrame:  # noqa: N802
        return self.test.drop(columns=self.card.target)

    @property
    def y_test(self) -> pd.Series:
        return self.test[self.card.target]

    def as_published(self) -> bool:
        """Whether these are, to the last digit, the rows that were published; those of a stand-in never are."""
        expected = (self.card.train_sha256, self.card.test_sha256)
        return (_digest(self.train), _digest(self.test)) == expected


def load_benchmark(name: str, *, data: str | Path | None = None) -> BenchmarkData:
    """The data set of that name: from ``data``, else from $COUNTERFLOWNET_DATA, else from the bundle."""
    card = card_of(name)
    folder = folder_of(card, data)
    if folder is not None:
        train, test = read_split(card, folder)
        return BenchmarkData(card=card, train=train, test=test, origin=str(folder))
    if not card.bundled:
        raise MissingDataError(missing_text(card, data_folders(data)))
    train, test = bundled_split(card)
    return BenchmarkData(card=card, train=train, test=test, origin=BUNDLED)


def missing_text(card: DatasetCard, searched: list[Path]) -> str:
    """Why a data set is not there, where it is to be had, and what to do with it."""
    place = (
        f"no folder {card.name} in {listed(searched)}" if searched else f"{DATA_VARIABLE} is not set, data not given"
    )
    stand_ins = [other.name for other in CARDS.values() if other.stand_in_for == card.name]
    hint = f" To try without it: {listed(stand_ins)}, which is bundled." if stand_ins else ""
    return (
        f"{card.name} does not come with the library (licence: {card.licence}) and was not found: {place}. "
        f"{_how_to_get(card)} Then pass DATA as data, or set {DATA_VARIABLE}=DATA.{hint}"
    )


def _how_to_get(card: DatasetCard) -> str:
    split = card.published
    if split is None:
        return f"Get it from {card.source} as DATA/{card.name}/train.csv and DATA/{card.name}/test.csv."
    return (
        f"Save {split.train_address} as DATA/{card.name}/train.csv and {split.test_address} as "
        f"DATA/{card.name}/test.csv (drawn from {card.source}, whose terms apply)."
    )


def _digest(frame: pd.DataFrame) -> str:
    return sha256(frame.to_csv(index=False, lineterminator="\n").encode()).hexdigest()
