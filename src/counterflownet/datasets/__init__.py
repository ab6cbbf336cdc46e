"""Small public tables that come with the library."""

from counterflownet.datasets.card import Dataset
from counterflownet.datasets.catalogue import DATASETS
from counterflownet.datasets.german import german_credit

__all__ = ["DATASETS", "Dataset", "german_credit"]
