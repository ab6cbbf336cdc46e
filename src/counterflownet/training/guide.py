"""Trajectories that end short of the target, led on to it: what a policy does not find by itself, it can be shown.

Balance holds for trajectories of any origin, so that these can be learned from like all others.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from counterflownet._space import CodeSpace
from counterflownet._states import States
from counterflownet.flow.edits import Trajectories, final_states
from counterflownet.seeds import keyed_uniforms, sample_keys
from counterflownet.training.batches import Batch

MOST_LED = 64  # trajectories of a batch
MOST_EDITS = 4  # that are added to each of them
TRIED = 32  # edits of a state, of which the one that helps most is made
STREAM = 1 << 34  # the number of the first stream of random numbers, far behind those that others draw from

SlackOf = Callable[[Batch, States], Float[ndarray, " state"]]


@dataclass(frozen=True, slots=True, eq=False)
class Guide:
    """Leads trajectories on; ``slack_of`` says by how much states are valid, or by how much they fail to be."""

    space: CodeSpace
    slack_of: SlackOf

    def __call__(self, batch: Batch, trajectories: Trajectories, keys: NDArray[np.uint64]) -> Trajectories:
        """The trajectories, of which some that were short of the target have more edits now."""
        if batch.questions.allowed.joint is not None:  # what rules join cannot be had by one edit after the other
            return trajectories
        states = final_states(trajectories, batch.questions.factual)
        slack = self.slack_of(batch, states)
        (led,) = (slack <= 0).nonzero()
        led = led[:MOST_LED]
        for turn in range(MOST_EDITS):
            led = led[slack[led] <= 0]
            state, place = self._tried(batch, states[led], sample_keys(keys[led], TRIED, start=STREAM), turn)
            if len(state) == 0:
                break
            tried = self._edited(states[led[state]], place)
            found = self.slack_of(batch, tried)
            best = _best_of_each(state, found)
            best = best[found[best] > slack[led[state[best]]]]
            at = led[state[best]]
            _put(states, at, tried[best])
            trajectories = _with_edit(trajectories, at, *self._edit(place[best]))
            slack[at], led = found[best], at
        return trajectories

    def _tried(
        self, batch: Batch, states: States, keys: NDArray[np.uint64], turn: int
    ) -> tuple[Int[ndarray, " tried"], Int[ndarray, " tried"]]:
        """Some edits of each state, drawn from those that are allowed: which state, and the place among all codes."""
        open_ = self._open(batch, states)
        count = open_.sum(axis=1)
        drawn = (keyed_uniforms(keys, turn).reshape(len(states), TRIED) * count[:, None]).astype(np.int64)
        state = np.repeat(np.arange(len(states)), TRIED)
        _, place = open_.nonzero()
        starts = np.cumsum(count) - count
        (some,) = (count[state] > 0).nonzero()
        state = state[some]
        return state, place[starts[state] + drawn.ravel()[some]]

    def _open(self, batch: Batch, states: States) -> Bool[ndarray, "state code"]:
        """Which codes each state may be edited to."""
        allowed, feature = batch.questions.allowed, self._features()
        room = states.change_counts < allowed.most_changes.numpy()[states.row.numpy()]
        codes = allowed.codes.numpy()[states.row.numpy()]
        return codes & ~states.edited.numpy()[:, feature] & room[:, None]

    def _features(self) -> Int[ndarray, " code"]:
        return np.repeat(np.arange(self.space.feature_count), self.space.code_counts)

    def _edit(self, place: Int[ndarray, " edit"]) -> tuple[Int[ndarray, " edit"], Int[ndarray, " edit"]]:
        feature = self._features()[place]
        return feature, place - np.array(self.space.starts)[feature]

    def _edited(self, states: States, place: Int[ndarray, " state"]) -> States:
        feature, code = self._edit(place)
        _, codes, edited = states.numpy()
        at = np.arange(len(states))
        codes[at, feature], edited[at, feature] = code, True
        return states


def _best_of_each(group: Int[ndarray, " entry"], value: Float[ndarray, " entry"]) -> Int[ndarray, " group"]:
    """Where the highest value of each group stands; the entries of a group stand together."""
    order = np.lexsort((-value, group))
    return order[np.append(True, group[order][1:] != group[order][:-1])]


def _put(states: States, at: Int[ndarray, " some"], others: States) -> None:
    for mine, theirs in zip(states.numpy(), others.numpy(), strict=True):
        mine[at] = theirs


def _with_edit(
    trajectories: Trajectories, at: Int[ndarray, " some"], feature: Int[ndarray, " some"], code: Int[ndarray, " some"]
) -> Trajectories:
    """The trajectories with one more edit of those ``at`` these places."""
    led = torch.from_numpy(at)
    length = trajectories.length.clone()
    step = length[led]
    width = max(trajectories.feature.shape[1], int(step.max()) + 1 if len(step) else 0)
    features, codes = (_widened(part, width) for part in (trajectories.feature, trajectories.code))
    features[led, step], codes[led, step] = torch.from_numpy(feature), torch.from_numpy(code)
    length[led] += 1
    return Trajectories(trajectories.row, features, codes, length)


def _widened(steps: Int[Tensor, "trajectory step"], width: int) -> Int[Tensor, "trajectory wider"]:
    """A copy with room for more steps."""
    return functional.pad(steps, (0, width - steps.shape[1])).clone()
