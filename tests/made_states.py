"""States written down by hand."""

import numpy as np
import torch

from counterflownet._states import States


def states(row, codes, edited=None) -> States:
    """States of these rows; what differs from code 0 was edited, unless ``edited`` says otherwise."""
    codes = torch.tensor(np.asarray(codes, dtype=np.int64))
    flags = codes != 0 if edited is None else torch.tensor(np.asarray(edited, dtype=bool))
    return States(torch.tensor(np.asarray(row, dtype=np.int64)), codes, flags)
