"""The data sets of the paper's two protocols."""

from counterflownet_bench.datasets.availability import Availability, available
from counterflownet_bench.datasets.card import ConstraintSet, DatasetCard
from counterflownet_bench.datasets.catalogue import CARDS, protocol_names
from counterflownet_bench.datasets.column import Category, Number
from counterflownet_bench.datasets.loading import BenchmarkData, MissingDataError, load_benchmark

__all__ = [
    "CARDS",
    "Availability",
    "BenchmarkData",
    "Category",
    "ConstraintSet",
    "DatasetCard",
    "MissingDataError",
    "Number",
    "available",
    "load_benchmark",
    "protocol_names",
]
