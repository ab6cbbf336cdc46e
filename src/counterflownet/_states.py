"""Factuals after some edits: the one value that rollout, codec, geometry, reward and selection hand to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from numpy.typing import NDArray
from torch import Tensor

from counterflownet.seeds import row_names


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: == on tensors has no single truth value
class States:
    """Edited factuals: which factual each began as, the code of every feature, and which features were edited.

    The edited features are the changed ones: an edit sets the factual's own code only if the code stands for a value
    other than the factual's.
    """

    row: Int[Tensor, " state"]
    codes: Int[Tensor, "state feature"]
    edited: Bool[Tensor, "state feature"]

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, chosen: Tensor | ndarray) -> "States":
        """Copies of the chosen states, by numbers or by flags."""
        if self.row.device.type != "cpu":
            index = torch.as_tensor(chosen)
            return States(self.row[index], self.codes[index], self.edited[index])
        number = np.asarray(chosen)
        if number.dtype == np.bool_:
            (number,) = number.nonzero()
        # Taking whole rows is several times as quick in numpy as indexing is in torch.
        return States.of_arrays(*(array.take(number, axis=0) for array in self.numpy()))

    @classmethod
    def of_arrays(cls, row: ndarray, codes: ndarray, edited: ndarray) -> "States":
        """The states that these arrays describe, in the same memory."""
        return cls(torch.from_numpy(row), torch.from_numpy(codes), torch.from_numpy(edited))

    @classmethod
    def joined(cls, parts: Sequence["States"]) -> "States":
        """The states of all parts, one part after the other."""
        if any(part.row.device.type != "cpu" for part in parts):
            return cls(*(torch.cat([getattr(part, name) for part in parts]) for name in cls.__slots__))
        return cls.of_arrays(
            *(np.concatenate(arrays) for arrays in zip(*(part.numpy() for part in parts), strict=True))
        )

    @property
    def change_counts(self) -> Int[ndarray, " state"]:
        """How many features of each state were changed."""
        # In numpy's own loops, not by its BLAS, whose threads keep a core busy while they wait for the next product.
        return np.einsum("sf->s", self.edited.numpy().view(np.int8), dtype=np.int64)

    def numpy(self) -> tuple[Int[ndarray, " state"], Int[ndarray, "state feature"], Bool[ndarray, "state feature"]]:
        """Row, codes and edited as arrays that share the memory of the tensors."""
        return self.row.numpy(), self.codes.numpy(), self.edited.numpy()

    def keys(self) -> NDArray[np.uint64]:
        """One number per state by which equal states are recognised."""
        row, codes, edited = self.numpy()
        marked = codes + 1  # 0 stands for what was not edited
        marked *= edited
        return row_names(marked, row)

    def distinct(self) -> tuple[Int[ndarray, " distinct"], Int[ndarray, " state"]]:
        """Where each distinct state first occurs, in the order of occurring, and which of these every state is."""
        groups = groups_of(self.keys())
        order = np.argsort(groups.first)
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return groups.first[order], place[groups.number]


def unedited(factual: Int[Tensor, "row feature"], row: Int[Tensor, " state"]) -> States:
    """The factuals themselves, before any edit."""
    codes = factual.index_select(0, row)
    return States(row, codes, torch.zeros_like(codes, dtype=torch.bool))


class Groups(NamedTuple):
    """Equal keys together: each distinct one, rising, where it first stands, and which of them every entry is."""

    key: NDArray[np.uint64]
    first: Int[ndarray, " group"]
    number: Int[ndarray, " entry"]


def groups_of(keys: NDArray[np.uint64]) -> Groups:
    """The same as :func:`numpy.unique` says, in less time: that sorts stably to find the first of equals."""
    order = np.argsort(keys)
    ordered = keys[order]
    begins = np.ones(len(keys), dtype=np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    (starts,) = begins.nonzero()
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.cumsum(begins) - 1
    return Groups(ordered[starts], np.minimum.reduceat(order, starts) if len(starts) else starts, number)


def rank_within(group: Int[ndarray, " entry"]) -> Int[ndarray, " entry"]:
    """How many entries of the same group stand before each; the entries of a group must stand together."""
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]])) if len(group) else np.zeros(0, np.int64)
    lengths = np.diff(np.append(starts, len(group)))
    return np.arange(len(group)) - np.repeat(starts, lengths)


def found_in(rising: NDArray[np.uint64], keys: NDArray[np.uint64]) -> Bool[ndarray, " key"]:
    """Which keys are among those that are known, which must be rising: then looking is quicker than sorting."""
    if len(rising) == 0:
        return np.zeros(len(keys), dtype=np.bool_)
    return rising[np.minimum(np.searchsorted(rising, keys), len(rising) - 1)] == keys
