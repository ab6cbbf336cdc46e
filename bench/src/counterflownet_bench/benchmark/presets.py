"""The settings under which the protocols are run: the paper's, and the library's own."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from counterflownet import Bins, RewardSettings, RewardWeights, Temperature, TrainingSettings
from counterflownet.errors import InvalidInputError, check_at_least, check_one_of
from counterflownet_bench.datasets.card import Protocol

PresetName = Literal["paper", "sparsest", "default", "diverse", "most-diverse"]
Selection = Literal["raw", "selected", "minimal"]
PRESETS: tuple[PresetName, ...] = ("paper", "sparsest", "default", "diverse", "most-diverse")
CURVE = PRESETS[1:]  # of Protocol B: few changes to the left, answers that differ much from each other to the right
SELECTIONS: tuple[Selection, ...] = ("raw", "selected", "minimal")
COUNT = 10  # counterfactuals for each instance (paper: K)

ROUNDS = 8  # of samples at most, for rows with too few answers

INSTANCES = 1_000  # how many test rows are explained unless a run says otherwise: all of them on the small data sets

# How each protocol cuts numbers into codes. Protocol A also measures its answers in these bins, whatever a method uses.
BINS: Mapping[Protocol, Bins] = MappingProxyType(
    {
        "a": Bins(count=4, strategy="quantile", decode="centre", distinct=False),
        "b": Bins(count=64, strategy="uniform", decode="centre", distinct=False),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardPreset:
    """Weights and other settings of the reward, which belong together."""

    weights: RewardWeights
    reward: RewardSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """Everything our method is told for one data set, but the seed.

    Answers are ``"raw"`` samples as they were drawn, ``"selected"`` from ``samples`` of them with this ``diversity``,
    or the same after changes that are not needed were undone (``"minimal"``). Rows with too few answers are sampled
    again, up to ``rounds`` times. Training ends after ``training.steps``
    or ``minutes``, whichever comes first.
    """

    name: PresetName
    bins: Bins
    weights: RewardWeights
    reward: RewardSettings
    training: TrainingSettings
    diversity: float
    samples: int
    rounds: int = ROUNDS
    minutes: float | None = field(default=None)

    def __post_init__(self) -> None:
        if self.minutes is not None:
            check_at_least("minutes", self.minutes, 0.001)

    def to_json(self) -> dict[str, Any]:
        """All that decides the answers; ``rounds`` only if there are others than usual, as in older results."""
        told = asdict(self)
        return told if self.rounds != ROUNDS else {name: value for name, value in told.items() if name != "rounds"}


_PAPER_TEMPERATURE = Temperature(kind="exponential", beta=40.0, floor=0.001)
_DISCRETE = RewardPreset(
    weights=RewardWeights(validity=1.0, sparsity=0.01, proximity=0.0, plausibility=0.0),
    reward=RewardSettings(margin=0.0, sparsity_over="all", temperature=_PAPER_TEMPERATURE),
)
_MIXED = RewardPreset(
    weights=RewardWeights(validity=1.0, sparsity=0.8, plausibility=0.4, proximity=0.4),
    reward=RewardSettings(
        margin=0.1, proximity_over="numeric", sparsity_over="categorical", temperature=_PAPER_TEMPERATURE
    ),
)
_LENDING = RewardPreset(
    weights=replace(_MIXED.weights, proximity=0.3, sparsity=0.5), reward=replace(_MIXED.reward, margin=0.25)
)

# Ours for Protocol B is what the library does by itself: see Temperature for what is wrong with the paper's.
_OURS = RewardPreset(weights=RewardWeights(), reward=RewardSettings())


def _weighted(**weights: float) -> RewardPreset:
    return replace(_OURS, weights=replace(_OURS.weights, **weights))


_REWARDS: Mapping[tuple[PresetName, Protocol], RewardPreset] = MappingProxyType(
    {
        ("paper", "a"): _DISCRETE,
        ("paper", "b"): _MIXED,
        ("default", "a"): _DISCRETE,
        ("sparsest", "b"): _weighted(sparsity=0.4),
        ("default", "b"): _OURS,
        ("diverse", "b"): _weighted(sparsity=0.2, proximity=0.0, plausibility=0.0),
        ("most-diverse", "b"): _weighted(sparsity=0.05, proximity=0.0, plausibility=0.0),
    }
)
_OWN_REWARDS: Mapping[tuple[PresetName, str], RewardPreset] = MappingProxyType({("paper", "lending_club"): _LENDING})

# The paper: trajectory balance, Adam at 0.005, log-flow rate ten times that, one step for each batch of 1,000. It does
# not say how many steps ("less than 10 hours" on a GPU): 200 keep a whole protocol within an hour on two cores.
_PAPER_TRAINING = TrainingSettings(
    objective="trajectory",
    learning_rate=5e-3,
    log_flow_rate=10.0,
    batch_rows=1_000,
    steps=200,
    passes=1,
    width=256,
    constrained=0.0,
)
_TRAINING: Mapping[tuple[PresetName, Protocol], TrainingSettings] = MappingProxyType(
    {
        ("paper", "a"): _PAPER_TRAINING,
        ("paper", "b"): _PAPER_TRAINING,
        ("default", "a"): TrainingSettings(objective="detailed", steps=400),  # as the committed results were made
    }
)
_CURVE_TRAINING = TrainingSettings(steps=700)

# How much mutual distance counts when answers are selected (the paper: nothing), and from how many samples (the paper:
# 100), chosen on rows of the training tables. More distance needs more changes, which Protocol A's harmonic mean pays
# for. In Protocol B nothing is nearer and more plausible than rows that exist (dice-kdtree's), so ours is to be ahead
# in diversity, besides sparsity and validity.
_DIVERSITY: Mapping[Protocol, float] = MappingProxyType({"a": 0.2, "b": 0.8})
_SAMPLES = 100
_OWN_SAMPLES: Mapping[tuple[PresetName, Protocol], int] = MappingProxyType({("default", "b"): 400})
# On Default there are rows of which one sample in a thousand is valid: only these cost more by this.
_OWN_ROUNDS: Mapping[tuple[PresetName, str], int] = MappingProxyType({("default", "credit_default"): 32})
_OWN_DIVERSITY: Mapping[str, float] = MappingProxyType({"graduate_admission": 0.1, "graduate_admission_400": 0.1})
_PRESET_DIVERSITY: Mapping[PresetName, float] = MappingProxyType(
    {"paper": 0.0, "sparsest": 0.0, "diverse": 0.5, "most-diverse": 1.0}
)


def preset_of(
    name: PresetName, protocol: Protocol, dataset: str, *, steps: int | None = None, minutes: float | None = None
) -> Preset:
    """The preset for one data set; ``steps`` and ``minutes`` limit its training instead of its own limits."""
    check_one_of("preset", name, PRESETS)
    if (name, protocol) not in _REWARDS:
        raise InvalidInputError(f"preset {name!r} is one of Protocol B's; protocol {protocol} has 'paper', 'default'.")
    reward = _OWN_REWARDS.get((name, dataset), _REWARDS[name, protocol])
    training = _TRAINING.get((name, protocol), _CURVE_TRAINING)
    return Preset(
        name=name,
        bins=BINS[protocol],
        weights=reward.weights,
        reward=reward.reward,
        training=training if steps is None else replace(training, steps=steps),
        diversity=_PRESET_DIVERSITY.get(name, _OWN_DIVERSITY.get(dataset, _DIVERSITY[protocol])),
        samples=_OWN_SAMPLES.get((name, protocol), _SAMPLES),
        rounds=_OWN_ROUNDS.get((name, dataset), ROUNDS),
        minutes=minutes,
    )
