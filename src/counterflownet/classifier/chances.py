"""Scores as probabilities."""

import numpy as np
import torch
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def sigmoid(scores: NDArray[np.floating]) -> Numbers:
    """The probability of the second of two classes, from its log-odds."""
    return torch.as_tensor(scores, dtype=torch.float64).sigmoid().numpy()


def softmax(scores: NDArray[np.floating]) -> Numbers:
    """The probability of every class, row by row."""
    return torch.as_tensor(scores, dtype=torch.float64).softmax(dim=1).numpy()
