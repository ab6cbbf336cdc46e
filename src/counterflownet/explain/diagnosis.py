"""How near to proportional the sampler is: for each row, and exactly where all its states can be counted."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch
from jaxtyping import Float, Int
from numpy import ndarray

from counterflownet.explain.answering import Chunk
from counterflownet.explain.candidates import Edited
from counterflownet.explain.search import Drawn, Search
from counterflownet.flow.edits import States
from counterflownet.flow.enumeration import enumerate_states, state_count, terminal_log_probs
from counterflownet.flow.importance import effective_share, log_probabilities
from counterflownet.flow.marginal import estimated_log_marginals
from counterflownet.seeds import numpy_generator, row_keys

COUNTABLE = 200_000  # states of one row, up to which all of them are visited
ORDERS = 16  # how many orders of its edits the probability of a state is estimated from
NOISE_REPEATS = 5
COUNTED = ("total_variation", "noise_floor", "sampled_variation", "corrected_variation")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diagnosis:
    """One line per row in ``rows``; NaN where a number cannot be had.

    ``spread``: the deviation of log P_F - log P_B - log R over samples of one row, 0 for an exact sampler.
    ``effective_share``: the effective sample size of importance weights as a share of the samples, 1 for an exact one.
    ``rank_correlation``: of log P(x') with log R(x') over the distinct samples of one row.
    ``total_variation``: between the policy's exact distribution over all states of the row and R/Z, 0 for an exact one,
    and ``noise_floor``, the total variation that as many samples of R/Z itself would show. ``sampled_variation`` is
    what the samples show, ``corrected_variation`` what as many out of a larger pool do. All four only if countable.
    """

    rows: pd.DataFrame
    samples: int

    def __repr__(self) -> str:
        if self.rows.empty:
            return "Diagnosis: no row could be sampled"
        middle = self.rows.median(numeric_only=True)
        lines = [
            f"Diagnosis of {len(self.rows)} rows, {self.samples} samples each (medians; see .rows)",
            f"  effective samples     {middle['effective_share']:.0%} of those drawn (100% if proportional)",
            f"  spread of residuals   {middle['spread']:.2f} (0 if proportional)",
            f"  rank correlation      {middle['rank_correlation']:.2f} of log P(x') with log R(x')",
        ]
        counted = self.rows["total_variation"].notna().sum()
        if counted:
            lines.append(
                f"  total variation       {middle['total_variation']:.3f} exact, over all states of {counted} rows "
                f"({self.samples} perfect samples would show {middle['noise_floor']:.3f})"
            )
        return "\n".join(lines)


def diagnosed(
    chunks: Iterable[Chunk], labels: pd.Index, *, exact: bool, pool: int, seed: int, samples: int
) -> Diagnosis:
    """The diagnosis of all rows that can be sampled."""
    parts, start = [], 0
    for chunk in chunks:
        found = sampled_facts(chunk.search, chunk.asked)
        found = found | (_counted_facts(chunk, seed, pool) if exact else _uncounted(len(chunk.asked)))
        parts.append(pd.DataFrame(found, index=labels.take(start + chunk.asked)))
        start += len(chunk.search.questions)
    return Diagnosis(pd.concat(parts), samples)


def sampled_facts(search: Search, asked: Int[ndarray, " asked"]) -> dict[str, Float[ndarray, " asked"]]:
    """What samples say of each row."""
    if len(asked) == 0:
        return {name: np.zeros(0) for name in ("effective_share", "spread", "rank_correlation")}
    sampler, questions = search.sampler, search.questions
    trajectories = sampler.draw(questions, asked)
    states = Edited.ends_of(trajectories, questions)
    first, number = states.distinct()
    log_rewards = search.judged(states[first]).scores.log_reward
    log_probs = log_probabilities(sampler.policy, questions, trajectories).numpy().astype(np.float64)
    log_weights = (log_rewards[number] - log_probs).reshape(len(asked), sampler.samples)
    distinct = _states_of(states[first])
    keys = row_keys(np.column_stack([states.row, states.codes])[first], seed=sampler.seed)
    log_marginals = estimated_log_marginals(sampler.policy, questions, distinct, keys, orders=ORDERS).numpy()
    own = [states.row[first] == row for row in asked]
    return {
        "effective_share": effective_share(log_weights),
        "spread": log_weights.std(axis=1),
        "rank_correlation": np.array([_rank_correlation(log_marginals[some], log_rewards[some]) for some in own]),
    }


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """All states of one row: the policy's exact distribution over them, and the one that is wanted, R/Z."""

    states: Edited
    log_probs: Float[ndarray, " state"]
    wanted: Float[ndarray, " state"]

    @classmethod
    def of(cls, search: Search, row: int) -> "Counted":
        question, policy = search.questions[torch.tensor([row])], search.sampler.policy
        enumeration = enumerate_states(policy.space, question)
        states = enumeration.states
        edited = Edited(np.full(len(states), row), states.codes.numpy(), states.edited.numpy())
        log_rewards = torch.from_numpy(search.judged(edited).scores.log_reward)
        log_rewards[~_may_stop(search, row, edited)] = -torch.inf
        log_probs = terminal_log_probs(policy, question, enumeration).double()
        return cls(edited, log_probs.numpy(), log_rewards.softmax(dim=0).numpy())

    @property
    def total_variation(self) -> float:
        return _apart(np.exp(self.log_probs), self.wanted)

    def variation_of(self, drawn: Drawn) -> float:
        """The total variation between the samples of one row and the distribution that is wanted."""
        sampled = drawn.sample[0]
        own, order = self.states.keys(), np.argsort(self.states.keys())
        keys = drawn.candidates.edited.keys()[sampled[sampled >= 0]]
        place = order[np.searchsorted(own, keys, sorter=order)]
        counts = np.bincount(place, minlength=len(own)).astype(np.float64)
        counts[0] += (sampled < 0).sum()  # the first state is the factual itself
        return _apart(counts / counts.sum(), self.wanted)


def _apart(one: Float[ndarray, " state"], other: Float[ndarray, " state"]) -> float:
    return float(np.abs(one - other).sum() / 2)


def noise_floor(probabilities: Float[ndarray, " state"], samples: int, generator: np.random.Generator) -> float:
    """The total variation that so many samples of the distribution itself show, from chance alone."""
    draws = generator.multinomial(samples, probabilities / probabilities.sum(), size=NOISE_REPEATS)
    return float((np.abs(draws / samples - probabilities).sum(axis=1) / 2).mean())


def _may_stop(search: Search, row: int, states: Edited) -> ndarray:
    """Which states lack nothing that a constraint requires."""
    required = search.questions.allowed.required[row].numpy()
    return np.asarray((states.changed | ~required).all(axis=1))


def _counted_facts(chunk: Chunk, seed: int, pool: int) -> dict[str, Float[ndarray, " asked"]]:
    search = chunk.search
    codes, sampler = search.questions.allowed.codes, search.sampler
    found = _uncounted(len(chunk.asked))
    for place, row in enumerate(chunk.asked.tolist()):
        if state_count(sampler.policy.space, codes[row]) <= COUNTABLE:
            counted, alone = Counted.of(search, row), chunk.asked[[place]]
            larger = replace(search, sampler=replace(sampler, samples=pool))
            noise = numpy_generator(seed, "noise", row)
            found["total_variation"][place] = counted.total_variation
            found["noise_floor"][place] = noise_floor(counted.wanted, sampler.samples, noise)
            found["sampled_variation"][place] = counted.variation_of(search.draw(alone))
            found["corrected_variation"][place] = counted.variation_of(larger.resample(alone, sampler.samples))
    return found


def _uncounted(count: int) -> dict[str, Float[ndarray, " asked"]]:
    return {name: np.full(count, np.nan) for name in COUNTED}


def _states_of(edited: Edited) -> States:
    return States(*(torch.from_numpy(part) for part in (edited.row, edited.codes, edited.changed)))


def _rank_correlation(one: ndarray, other: ndarray) -> float:
    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:  # what does not vary has no rank
        return float("nan")
    return float(pd.Series(one).corr(pd.Series(other), method="spearman"))
