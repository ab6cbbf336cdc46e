"""The space of codes: what tables are turned into, and what the flow edits."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor


@dataclass(frozen=True)
class CodeSpace:
    """How many codes each feature can be changed to.

    A *factual* may also hold two codes that are never legal as a change: ``code_count`` for a missing value and
    ``code_count + 1`` for a value never seen in training.
    """

    code_counts: tuple[int, ...]
    ordered: tuple[bool, ...] | None = None

    @property
    def ordered_flags(self) -> tuple[bool, ...]:
        """Which features' codes stand in an order that means something; none if nothing was said."""
        return (False,) * self.feature_count if self.ordered is None else self.ordered

    @property
    def feature_count(self) -> int:
        return len(self.code_counts)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each feature's codes begin when all features' codes stand side by side; the total comes last."""
        return tuple(accumulate(self.code_counts, initial=0))

    @property
    def code_total(self) -> int:
        return self.starts[-1]

    def span(self, feature: int) -> slice:
        """The columns of one feature in a mask over all codes."""
        return slice(self.starts[feature], self.starts[feature + 1])


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """What may be done next in each of some states: which codes may be set, and whether to stop."""

    codes: Bool[Tensor, "state code"]
    stop: Bool[Tensor, " state"]

    @classmethod
    def of_arrays(cls, codes: ndarray, stop: ndarray) -> "Moves":
        return cls(torch.from_numpy(codes), torch.from_numpy(stop))


@runtime_checkable
class Joint(Protocol):
    """What joins the features of rows: which edits of a state lead to one where all that is joined fits together.

    States are :class:`counterflownet._states.States`, which know nothing of this module, nor this one of them.
    """

    def needs(self, allowed: "Allowed", states: Any) -> Int[ndarray, " state"]:
        """The least number of further edits that each state needs; more than there are columns if nothing helps."""

    def moves(self, allowed: "Allowed", states: Any) -> Moves:
        """The edits that still leave a way to an end, and where it is reached."""

    def completed(self, allowed: "Allowed", states: Any) -> Any:
        """The states with the fewest further edits that they need."""

    def directly(self) -> "Joint":
        """The same, but edits of a state that is not at an end are only those that bring it nearer to one."""

    def sparing(self, rows: Bool[ndarray, " row"]) -> "Joint":
        """The same with nothing joined in some of the rows, of which every state is an end."""

    def __getitem__(self, rows: Any) -> "Joint":
        """The same for some of the rows."""


@dataclass(frozen=True, slots=True, eq=False)  # eq=False: == on tensors has no single truth value
class Allowed:
    """What may be done to each row: which new codes, which features must change, how many may change.

    The factual's own code is among ``codes`` only if the feature must change and the code stands for another value, so
    that the edited features are the changed features. Rules that join features, if there are any, are ``joint``.
    """

    codes: Bool[Tensor, "row code"]
    required: Bool[Tensor, "row feature"]
    most_changes: Int[Tensor, " row"]
    joint: Joint | None = None

    def editable(self, space: CodeSpace) -> Bool[Tensor, "row feature"]:
        """The features that have at least one new code left."""
        return self._open(space) > 0

    def locked(self, space: CodeSpace) -> Float[Tensor, "row feature"]:
        """How much of each feature is closed: 0 if every new code is allowed, 1 if none is."""
        return 1.0 - self._open(space) / torch.tensor(space.code_counts, device=self.codes.device)

    def _open(self, space: CodeSpace) -> Float[Tensor, "row feature"]:
        """How many new codes each feature has left: differences of one running count, however many features."""
        ends = torch.tensor(space.starts[1:], device=self.codes.device) - 1
        counts = self.codes.cumsum(dim=1, dtype=torch.int32).index_select(1, ends)
        return counts.diff(dim=1, prepend=counts.new_zeros(len(counts), 1)).float()

    def directly(self) -> "Allowed":
        """The same without detours on the way to keeping all rules."""
        return self if self.joint is None else replace(self, joint=self.joint.directly())

    def __getitem__(self, rows: Int[Tensor, " some"]) -> "Allowed":
        joint = None if self.joint is None else self.joint[rows.cpu().numpy()]
        return Allowed(self.codes[rows], self.required[rows], self.most_changes[rows], joint)


def everything_allowed(space: CodeSpace, held: Int[Tensor, "row feature"], most_changes: int | None = None) -> Allowed:
    """Every code but the factual's own, any number of changes unless ``most_changes`` says otherwise."""
    row_count, feature_count = held.shape
    codes = without_own_codes(space, torch.ones(row_count, space.code_total, dtype=torch.bool), held)
    most = feature_count if most_changes is None else min(most_changes, feature_count)
    required = torch.zeros(row_count, feature_count, dtype=torch.bool)
    return Allowed(codes, required, torch.full((row_count,), most))


def without_own_codes(
    space: CodeSpace, codes: Bool[Tensor, "row code"], held: Int[Tensor, "row feature"]
) -> Bool[Tensor, "row code"]:
    """The mask with each factual's own codes taken out."""
    counts, starts = torch.tensor(space.code_counts), torch.tensor(space.starts[:-1])
    row, feature = (held < counts).nonzero(as_tuple=True)  # a missing or never-seen value has no code to take out
    codes = codes.clone()
    codes[row, starts[feature] + held[row, feature]] = False
    return codes
