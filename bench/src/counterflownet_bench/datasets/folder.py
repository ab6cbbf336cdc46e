"""Data sets in a folder of the user's: ``DATA/<name>/train.csv`` and ``DATA/<name>/test.csv``."""

import json
import os
from hashlib import sha256
from pathlib import Path

import pandas as pd

from counterflownet.errors import InvalidInputError, listed
from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.column import Value

DATA_VARIABLE = "COUNTERFLOWNET_DATA"
PARTS = ("train.csv", "test.csv")


def data_folders(data: str | Path | None) -> list[Path]:
    """Where to look, in this order: the folder given, and the one that the environment names."""
    given = [("data", data), (DATA_VARIABLE, os.environ.get(DATA_VARIABLE))]
    return [_existing(origin, Path(folder)) for origin, folder in given if folder]


def folder_of(card: DatasetCard, data: str | Path | None) -> Path | None:
    """The first folder of that name among those to look in, if there is one."""
    candidates = (folder / card.name for folder in data_folders(data))
    return next((folder for folder in candidates if folder.is_dir()), None)


def complete(folder: Path) -> bool:
    """Whether both parts are there; what they hold is checked when they are read."""
    return all((folder / part).is_file() for part in PARTS)


def read_split(card: DatasetCard, folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Training and test rows of a folder, after a check against its own digests and against the card."""
    train, test = (_read_part(card, folder, part) for part in PARTS)
    return train, test


def _existing(origin: str, folder: Path) -> Path:
    if not folder.is_dir():
        raise InvalidInputError(f"{origin} must name a folder with data sets; there is no folder {str(folder)!r}.")
    return folder


def _read_part(card: DatasetCard, folder: Path, part: str) -> pd.DataFrame:
    path = folder / part
    if not path.is_file():
        raise InvalidInputError(f"{str(folder)!r} must hold {listed(PARTS)}; {part} is not there.")
    _check_digest(path)
    frame = pd.read_csv(path, skipinitialspace=True).rename(columns=str.strip)  # blanks as some copies have them
    _check_columns(card, frame, path)
    _check_values(card, frame, path)
    return frame


def _check_digest(path: Path) -> None:
    expected = _digests(path.parent / "dataset.json").get(path.name)
    if expected and sha256(path.read_bytes()).hexdigest() != expected:
        raise InvalidInputError(
            f"{str(path)!r} is not the file that dataset.json beside it describes (sha256 {expected}). Get it again."
        )


def _digests(description: Path) -> dict[str, str]:
    if not description.is_file():
        return {}
    try:
        files = json.loads(description.read_text(encoding="utf-8")).get("files", {})
        return {name: str(facts["sha256"]) for name, facts in files.items() if "sha256" in facts}
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidInputError(f"{str(description)!r} is no description of files: {error}.") from error


def _check_columns(card: DatasetCard, frame: pd.DataFrame, path: Path) -> None:
    expected, found = [*card.features, card.target], list(frame.columns)
    if found != expected:
        missing = [name for name in expected if name not in found]
        others = [name for name in found if name not in expected]
        raise InvalidInputError(
            f"{str(path)!r} must have the columns of {card.name}, in their order: {listed(expected, most=30)}. "
            f"Missing: {listed(missing) or 'none'}; not expected: {listed(others) or 'none'}."
        )


def _check_values(card: DatasetCard, frame: pd.DataFrame, path: Path) -> None:
    for name in card.continuous:
        if not pd.api.types.is_numeric_dtype(frame[name]) or frame[name].isna().any():
            raise InvalidInputError(
                f"column {name!r} of {str(path)!r} must hold numbers only, and none may be missing."
            )
    for name, values in _listed_values(card).items():
        strange = frame.loc[~frame[name].isin(values), name].unique()
        if len(strange):
            raise InvalidInputError(
                f"column {name!r} of {str(path)!r} holds {listed(strange, most=3)}; "
                f"{card.name} has {listed(values, most=20)}."
            )


def _listed_values(card: DatasetCard) -> dict[str, tuple[Value, ...]]:
    return {category.name: category.values for category in card.categories} | {card.target: card.classes}
