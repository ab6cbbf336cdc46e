"""Small public tables that come with the library, and the data sets of the paper's two protocols."""

from counterflownet.datasets.availability import Availability, available
from counterflownet.datasets.card import ConstraintSet, DatasetCard
from counterflownet.datasets.catalogue import CARDS, DATASETS, protocol_names
from counterflownet.datasets.column import Category, Number
from counterflownet.datasets.german import german_credit
from counterflownet.datasets.loading import BenchmarkData, MissingDataError, load_benchmark
from counterflownet.datasets.table import Dataset

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
