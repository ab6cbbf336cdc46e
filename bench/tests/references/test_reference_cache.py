from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from counterflownet_bench.references import cache as reference_cache
from counterflownet_bench.references.cache import content_key, default_cache_directory
from counterflownet_bench.references.encoding import ColumnRoles
from counterflownet_bench.references.reference import LabelledRows, reference_classifier
from counterflownet_bench.references.settings import LogisticSettings, NetworkSettings

ROLES = ColumnRoles(continuous=("age", 0), categorical={"housing": ("own", "rent")})


@pytest.fixture(name="rows")
def labelled_rows(X, high) -> LabelledRows:
    return LabelledRows(X.rename(columns={"income": 0}), pd.Series(high))


@pytest.fixture(name="read")
def reader(rows, tmp_path):
    return lambda **changes: reference_classifier(
        **{"train": rows, "test": rows, "roles": ROLES, "settings": LogisticSettings(), "seed": 0, "cache": tmp_path}
        | changes
    )


@pytest.fixture
def count_after(tmp_path):
    """How many classifiers are kept after one was asked for."""

    def counted(read, **changes) -> int:
        read(**changes)
        return len(list((tmp_path / "classifiers").iterdir()))

    return counted


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 1},
        {"settings": LogisticSettings(held_out=0.1)},
        {"settings": NetworkSettings(epochs=1)},
        {"roles": replace(ROLES, categorical={"housing": ("own", "rent", "free")})},
    ],
)
def test_anything_that_was_set_otherwise_is_another_classifier(read, count_after, changes):
    assert count_after(read) == 1
    assert count_after(read, **changes) == 2
    assert count_after(read) == count_after(read, **changes) == 2


@pytest.mark.parametrize("part", ["train", "test"])
def test_other_data_is_another_classifier(read, count_after, rows, part):
    read()
    older = rows.X.copy()
    older.iloc[0, 0] += 1
    assert count_after(read, **{part: LabelledRows(older, rows.y)}) == 2
    assert count_after(read, **{part: LabelledRows(rows.X, 1 - rows.y)}) == 3


def test_the_index_and_columns_without_a_role_make_no_difference(read, count_after, rows):
    read()
    same = LabelledRows(rows.X.reset_index(drop=True).assign(note="-"), rows.y)
    assert count_after(read, train=same, test=same) == 1


def test_another_version_of_a_library_is_another_classifier(monkeypatch):
    table = {"train": pd.DataFrame({"age": [1]})}
    before = content_key(LogisticSettings(), ROLES, 0, table)
    assert content_key(LogisticSettings(), ROLES, 0, table) == before
    monkeypatch.setattr(reference_cache, "__version__", "0.0.0")
    assert content_key(LogisticSettings(), ROLES, 0, table) != before


def test_what_was_read_answers_as_what_was_written(read, rows):
    fresh, stored = read().classifier, read().classifier
    assert stored.encoder.roles == fresh.encoder.roles == ROLES
    assert (stored.probabilities(rows.X) == fresh.probabilities(rows.X)).all()


@pytest.mark.parametrize("damage", [b"", b"{}", b"not ours"])
def test_a_damaged_file_is_made_again(read, tmp_path, damage):
    read()
    (file,) = (tmp_path / "classifiers").iterdir()
    file.write_bytes(damage)
    made = read()
    assert file.stat().st_size > len(damage)
    assert read().seconds == made.seconds  # read, and not trained again


def test_the_cache_is_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("COUNTERFLOWNET_CACHE", "/somewhere")
    assert default_cache_directory() == Path("/somewhere")


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/counterflownet"),
        ("linux", {}, "~/.cache/counterflownet"),
        ("darwin", {}, "~/Library/Caches/counterflownet"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/counterflownet"),
    ],
)
def test_otherwise_it_is_where_the_system_keeps_such_files(monkeypatch, platform, environment, expected):
    for name in ("COUNTERFLOWNET_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(reference_cache.sys, "platform", platform)
    assert default_cache_directory() == Path(expected).expanduser()


def test_nothing_is_written_outside_the_given_directory(read, tmp_path, monkeypatch):
    monkeypatch.setenv("COUNTERFLOWNET_CACHE", str(tmp_path / "elsewhere"))
    read()
    assert not (tmp_path / "elsewhere").exists()
    assert np.all([path.suffix == ".safetensors" for path in (tmp_path / "classifiers").iterdir()])
