"""Small public tables that come with the library, and the data sets of the paper's two protocols."""

from counterflownet.datasets import Dataset, german_credit
from counterflownet_bench.datasets.availability import Availability, available
from counterflownet_bench.datasets.card import ConstraintSet, DatasetCard
from counterflownet_bench.datasets.catalogue import CARDS, DATASETS, protocol_names
from counterflownet_bench.datasets.column import Category, Number
from counterflownet_bench.datasets.loading import BenchmarkData, MissingDataError, load_benchmark

__all__ = [
    "CARDS",
    "DATASETS",
    "Availability",
    "BenchmarkData",
    "Category",
    "ConstraintSet",
    "Dataset",
    "DatasetCard",
    "MissingDataError",
    "Number",
    "available",
    "german_credit",
    "load_benchmark",
    "protocol_names",
]
