"""The sizes of which :mod:`growth` measures the cost: which one varies, and what all others are meanwhile."""

from dataclasses import dataclass, field
from typing import Any

from counterflownet import RewardSettings

BASE: dict[str, Any] = {
    "columns": 10,  # every other one holds words
    "rows": 5_000,  # to train on
    "bins": 32,
    "categories": 10,
    "first_categories": 10,  # of the first column of words alone
    "samples": 50,
    "count": 10,
    "rounds": 1,  # more of them where few answers are found would mix luck into the cost
    "chunk_rows": None,
    "explained": 200,
    "steps": 10,
    "learns": False,  # a flow that learns changes the length of its trajectories, which is another size
}


@dataclass(frozen=True, kw_only=True)
class Series:
    """One size that varies, where the base is another for its sake, and what is shown of its points."""

    title: str
    varies: str
    sizes: tuple[int, ...]
    shown: tuple[str, ...]
    base: dict[str, Any] = field(default_factory=dict)
    tried: int | None = None  # how many of the sizes; the others would take too long
    settled: int = 0  # the size from which on what does not grow with it has its full size


PER_STEP_AND_ROW = ("milliseconds_per_step", "milliseconds_per_row", "answers_per_row", "grown_mb", "core_share")
SERIES = {
    "training_rows": Series(
        title="training rows",
        varies="rows",
        sizes=(1_000, 10_000, 100_000, 1_000_000),
        shown=("fit_seconds", "outside_seconds", "milliseconds_per_step", "peak_mb", "grown_mb", "core_share"),
        base={"explained": 0, "steps": 20},
        settled=RewardSettings().reference_rows or 0,
    ),
    "features": Series(title="columns", varies="columns", sizes=(5, 20, 50, 100, 200), shown=PER_STEP_AND_ROW),
    "features_learning": Series(
        title="columns, while the flow learns",
        varies="columns",
        sizes=(5, 20, 50, 100, 200),
        shown=("milliseconds_per_step", "changes", *PER_STEP_AND_ROW[1:]),
        base={"learns": True, "steps": 5},
        tried=4,
    ),
    "bins": Series(title="bins of a number", varies="bins", sizes=(4, 16, 64, 256), shown=PER_STEP_AND_ROW),
    "samples": Series(
        title="samples for each row",
        varies="samples",
        sizes=(10, 50, 200, 1_000),
        shown=PER_STEP_AND_ROW[1:],
    ),
    "categories": Series(
        title="categories of one column",
        varies="first_categories",
        sizes=(10, 100, 1_000, 10_000),
        shown=PER_STEP_AND_ROW,
        base={"rows": 10_000},  # so that each of the most categories occurs
    ),
    "rows_explained": Series(
        title="rows explained",
        varies="explained",
        sizes=(1_000, 10_000, 100_000, 1_000_000),
        shown=("explain_seconds", "milliseconds_per_row", "answers_per_row", "peak_mb", "grown_mb", "core_share"),
        # Little for each row, or a million would take hours; in small chunks, whose memory would hide that of the rest.
        base={"columns": 4, "rows": 1_000, "steps": 5, "samples": 2, "count": 1, "chunk_rows": 5_000},
        settled=5_000,
    ),
}
