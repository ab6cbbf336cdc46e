"""A small public table that comes with the library, to try it on."""

from counterflownet.datasets.german import Dataset, german_credit

__all__ = ["Dataset", "german_credit"]
