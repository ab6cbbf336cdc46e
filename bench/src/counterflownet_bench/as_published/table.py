"""Rows as codes, with what may be done to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import torch
from jaxtyping import Bool, Int
from numpy import ndarray
from torch import Tensor

from counterflownet.tabular import Codec, ColumnName, allowed_codes
from counterflownet_bench.baselines.method import Task


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows as codes, and which codes may be set in each."""

    codec: Codec
    codes: Int[Tensor, "row feature"]
    allowed: Bool[Tensor, "row code"]

    @classmethod
    def of(cls, task: Task, rows: pd.DataFrame, *, reassign: bool) -> "Table":
        codec = Codec(task.schema, rows[list(task.schema.names)].reset_index(drop=True))
        names = [name for name in task.schema.names if name not in task.card.immutable]
        allowed = _with_own(codec, allowed_codes(codec, task.constraints), names, legal=reassign)
        return cls(codec, torch.from_numpy(codec.codes), torch.from_numpy(allowed))


def _with_own(
    codec: Codec, allowed: Bool[ndarray, "row code"], names: Sequence[ColumnName], *, legal: bool
) -> Bool[ndarray, "row code"]:
    """The masks with each row's own codes of these columns legal or not; a bin may hold values beyond the row's own."""
    allowed = allowed.copy()
    for name in names:
        d = codec.schema.position(name)
        (known,) = (codec.codes[:, d] < codec.schema[name].code_count).nonzero()
        allowed[known, codec.schema.space.starts[d] + codec.codes[known, d]] = legal
    return allowed
