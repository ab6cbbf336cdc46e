"""A small public table that comes with the library, to try it on."""

from counterflownet.datasets.german import german_credit
from counterflownet.datasets.table import Dataset

__all__ = ["Dataset", "german_credit"]
