"""How near to proportional the sampler is: for each row, and exactly where all its states can be counted."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray
from torch import Tensor

from counterflownet._states import States
from counterflownet.explain.pose import Chunk, Posed
from counterflownet.explain.search import Drawn, Search
from counterflownet.flow.edits import final_states
from counterflownet.flow.enumeration import enumerate_states, state_count, terminal_log_probs, total_variation
from counterflownet.flow.importance import effective_share, estimated_log_marginals, log_probabilities
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


def diagnosed(posed: Posed, *, pool: int, exact: bool) -> Diagnosis:
    """The diagnosis of all rows that can be sampled."""
    parts = []
    for chunk in posed.chunks():
        facts = sampled_facts(chunk.search, chunk.asked)
        facts |= _counted_facts(chunk, posed.request.seed, pool, exact=exact)
        parts.append(pd.DataFrame(facts, index=posed.given.index.take(chunk.start + chunk.asked)))
    return Diagnosis(pd.concat(parts), posed.request.samples)


def sampled_facts(search: Search, asked: Int[ndarray, " asked"]) -> dict[str, Float[ndarray, " asked"]]:
    """What samples say of each row."""
    if len(asked) == 0:
        return {name: np.zeros(0) for name in ("effective_share", "spread", "rank_correlation")}
    sampler, questions = search.sampler, search.questions
    trajectories = sampler.draw(questions, asked)
    states = final_states(trajectories, questions.factual)
    first, number = states.distinct()
    distinct = states[first]
    log_rewards = search.judged(search.ground.settled(distinct)).scores.log_reward
    log_probs = log_probabilities(sampler.policy, questions, trajectories).numpy().astype(np.float64)
    log_weights = (log_rewards[number] - log_probs).reshape(len(asked), sampler.samples)
    row, codes, _ = distinct.numpy()
    keys = row_keys(np.column_stack([row, codes]), seed=sampler.seed)
    log_marginals = estimated_log_marginals(sampler.policy, questions, distinct, keys, orders=ORDERS).numpy()
    correlations = [_rank_correlation(log_marginals[row == one], log_rewards[row == one]) for one in asked]
    return {
        "effective_share": effective_share(log_weights),
        "spread": log_weights.std(axis=1),
        "rank_correlation": np.array(correlations),
    }


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """All states of one row: the policy's exact distribution over them, and the one that is wanted, R/Z."""

    states: States
    log_probs: Float[ndarray, " state"]
    wanted: Float[ndarray, " state"]

    @classmethod
    def of(cls, search: Search, row: int) -> "Counted":
        question, policy = search.questions[torch.tensor([row])], search.sampler.policy
        enumeration = enumerate_states(policy.space, question)
        states = replace(enumeration.states, row=torch.full((len(enumeration.states),), row))
        states = search.ground.settled(states)  # as samples are
        log_rewards = torch.from_numpy(search.judged(states).scores.log_reward)
        log_rewards[~_may_stop(search, row, states)] = -torch.inf
        log_probs = terminal_log_probs(policy, question, enumeration).double()
        return cls(states, log_probs.numpy(), log_rewards.softmax(dim=0).numpy())

    @property
    def total_variation(self) -> float:
        return total_variation(np.exp(self.log_probs), self.wanted)

    def variation_of(self, drawn: Drawn) -> float:
        """The total variation between the samples of one row and the distribution that is wanted."""
        sampled = drawn.sample[0]
        known = self.states.keys()
        order = np.argsort(known)
        keys = drawn.pool.candidates.states.keys()[sampled[sampled >= 0]]
        place = order[np.searchsorted(known, keys, sorter=order)]
        counts = np.bincount(place, minlength=len(known)).astype(np.float64)
        counts[0] += (sampled < 0).sum()  # the first state is the factual itself
        return total_variation(counts / counts.sum(), self.wanted)


def noise_floor(probabilities: Float[ndarray, " state"], samples: int, generator: np.random.Generator) -> float:
    """The total variation that so many samples of the distribution itself show, from chance alone."""
    draws = generator.multinomial(samples, probabilities / probabilities.sum(), size=NOISE_REPEATS)
    return float((np.abs(draws / samples - probabilities).sum(axis=1) / 2).mean())


def _may_stop(search: Search, row: int, states: States) -> Bool[Tensor, " state"]:
    """Which states lack nothing that a constraint requires, and keep all rules."""
    allowed = search.questions.allowed
    if allowed.joint is not None:
        return allowed.joint.moves(allowed, states).stop
    return (states.edited | ~search.questions.allowed.required[row]).all(dim=1)


def _counted_facts(chunk: Chunk, seed: int, pool: int, *, exact: bool) -> dict[str, Float[ndarray, " asked"]]:
    search = chunk.search
    codes, sampler = search.questions.allowed.codes, search.sampler
    facts = {name: np.full(len(chunk.asked), np.nan) for name in COUNTED}
    for place, row in enumerate(chunk.asked.tolist()):
        if exact and state_count(sampler.policy.space, codes[row]) <= COUNTABLE:
            counted, alone = Counted.of(search, row), chunk.asked[[place]]
            larger = replace(search, sampler=replace(sampler, samples=pool))
            noise = numpy_generator(seed, "noise", row)
            facts["total_variation"][place] = counted.total_variation
            facts["noise_floor"][place] = noise_floor(counted.wanted, sampler.samples, noise)
            facts["sampled_variation"][place] = counted.variation_of(search.draw(alone))
            facts["corrected_variation"][place] = counted.variation_of(larger.resample(alone, sampler.samples))
    return facts


def _rank_correlation(one: ndarray, other: ndarray) -> float:
    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:  # what does not vary has no rank
        return float("nan")
    return float(pd.Series(one).corr(pd.Series(other), method="spearman"))
