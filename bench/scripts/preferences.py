"""One fit for any preference, beside fits that are dedicated to one: how near it comes, what weights and costs buy.

Two ways: a flow that was trained for one preference, and one that is conditioned on preferences and trained for all of
them (``preferences=True``). Samples of both are drawn out of a pool by importance weights, as the library does it by
itself. Needs the folder of datasets (COUNTERFLOWNET_DATA=...) for all but the made table:

    python bench/scripts/preferences.py --part countable --steps 300 --dedicated 6   # total variation, exactly counted
    python bench/scripts/preferences.py --part rewards --steps 300 --dedicated 4     # mean reward, and what is bought
    python bench/scripts/preferences.py --part speed                                 # a training step, and explain
    python bench/scripts/preferences.py --show

All fits of a comparison have the same number of steps. Lines are appended to bench/results/preferences.jsonl; a seed
whose line is there is not measured again. It takes the engine apart, so it imports more than public names.
"""

import argparse
import time
from typing import Any

import numpy as np
import pandas as pd
import torch
from common import classifier, keep, lines, machine
from preferences_page import section
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from counterflownet import Bins, CounterFlowNet, Schema
from counterflownet.explain.diagnosis import Counted
from counterflownet.explain.pose import pose
from counterflownet.flow.edits import final_states
from counterflownet.flow.enumeration import total_variation
from counterflownet.flow.importance import log_probabilities
from counterflownet.reward.preference import Wish
from counterflownet_bench.datasets import load_benchmark

NAME = "preferences"
UNSEEN = 100
POOL, POOLS = 200, 50  # ten samples are drawn from so many
WEIGHTS = ("validity", "proximity", "plausibility", "sparsity")
LEVELS = tuple(np.linspace(0.0, 1.0, 11))
COSTS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
BETA = 20.0
ROWS, SAMPLES = 100, 20
DEFAULT_SPACES = {
    "countable": ("made", "graduate_admission"),
    "rewards": ("adult_protocol_b",),
    "speed": ("adult_protocol_b",),
}


def made() -> tuple[pd.DataFrame, Any]:
    """Five columns of four categories each, and a model that adds them up unevenly."""
    chance = np.random.default_rng(0)
    X = pd.DataFrame({name: chance.integers(0, 4, 600).astype(str) for name in "abcde"})
    score = X.astype(int).to_numpy() @ np.array([1.0, 0.8, -0.6, 0.4, 0.2]) + chance.normal(0, 0.5, 600)
    return X, make_pipeline(OneHotEncoder(), LogisticRegression()).fit(X, score > np.median(score))


def graduate() -> tuple[pd.DataFrame, Any]:
    """Graduate Admission without two of its columns, so that all states of a row can be counted in a moment."""
    data = load_benchmark("graduate_admission")
    X = data.X_train.drop(columns=["SOP", "LOR"])
    return X, make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()).fit(X, data.y_train)


SPACES = {"made": made, "graduate_admission": graduate}


def unseen(count: int, seed: int) -> list[dict[str, Any]]:
    """Weights and temperatures from the whole box; those of training have another generator."""
    chance = np.random.default_rng([seed, 18])
    return [
        {
            "weights": {name: float(chance.random()) for name in WEIGHTS},
            "beta": BETA * 4 ** float(chance.uniform(-1, 1)) if chance.random() < 0.5 else BETA,
        }
        for _ in range(count)
    ]


def fitted(X: pd.DataFrame, model: Any, schema: Schema, steps: int, seed: int, **told: Any) -> CounterFlowNet:
    """An explainer of so many steps, for one preference or for any."""
    training = {"steps": steps, "patience": None, "repair": 0.0, "preferences": told.pop("preferences", False)}
    beta = told.pop("beta", BETA)
    reward = {"temperature": {"beta": beta}}
    explainer = CounterFlowNet(model, schema=schema, training=training, reward=reward, seed=seed, **told)
    return explainer.fit(X, progress=False)


def variation(explainer: CounterFlowNet, rows: pd.DataFrame, **wish: Any) -> float:
    """The median total variation of these rows to what is wanted."""
    return float(explainer.diagnose(rows, samples=20, pool=20, **wish).rows["total_variation"].median())


def corrected_variation(explainer: CounterFlowNet, rows: pd.DataFrame, wish: dict[str, Any]) -> float:
    """The same of samples as :meth:`CounterFlowNet.sample` draws them if it corrects: each out of a pool, by weight.

    Over many pools, each of which counts by all its weights, so that chance adds little.
    """
    asked = (None, (), None, False, None, None, False)
    wished = Wish(wish.get("weights"), None, wish.get("beta"))
    request = explainer._request(POOLS * POOL, *asked, wished, None)  # noqa: SLF001
    found = []
    for chunk in pose(explainer._fitted(), request, rows).chunks():  # noqa: SLF001
        search, questions = chunk.search, chunk.search.questions
        trajectories = search.sampler.draw(questions, chunk.asked)
        states = final_states(trajectories, questions.factual)
        first, number = states.distinct()
        rewards = search.judged(search.ground.settled(states[first])).scores.log_reward
        spread = rewards[number] - log_probabilities(search.sampler.policy, questions, trajectories).numpy()
        log_weights = torch.from_numpy(spread.reshape(len(chunk.asked), POOLS, POOL).astype(np.float64))
        shares = log_weights.softmax(dim=2).numpy().reshape(len(chunk.asked), -1) / POOLS
        keys = search.ground.settled(states).keys().reshape(len(chunk.asked), -1)
        for place, row in enumerate(chunk.asked.tolist()):
            counted = Counted.of(search, row)
            known = counted.states.keys()
            order = np.argsort(known)
            at = order[np.searchsorted(known, keys[place], sorter=order)]
            drawn = np.bincount(at, shares[place], minlength=len(known))
            found.append(total_variation(drawn, counted.wanted))
    return float(np.median(found))


def countable(name: str, steps: int, dedicated: int, seed: int) -> dict[str, Any]:
    """Total variation of one fit over unseen preferences, beside dedicated fits for some of them and one without."""
    X, model = SPACES[name]()
    schema = Schema.infer(X, bins=Bins(count=4))
    rows = X[model.predict(X) == model.classes_[0]].head(3)
    wishes = unseen(UNSEEN, seed)
    one = fitted(X, model, schema, steps, seed, preferences=True)
    plain = fitted(X, model, schema, steps, seed)
    flow = [variation(one, rows, **wish) for wish in wishes]
    conditioned = [corrected_variation(one, rows, wish) for wish in wishes]
    corrected = [corrected_variation(plain, rows, wish) for wish in wishes]
    dedicated_fits = [fitted(X, model, schema, steps, seed, **wish) for wish in wishes[:dedicated]]
    own = [variation(fit, rows) for fit in dedicated_fits]
    own_corrected = [corrected_variation(fit, rows, {}) for fit in dedicated_fits]
    ways = {"flow": flow, "conditioned": conditioned, "corrected": corrected, "dedicated": own}
    ways["dedicated_corrected"] = own_corrected
    return {
        "all": {name: float(np.median(ways[name])) for name in ("flow", "conditioned", "corrected")},
        "of_dedicated": {name: float(np.median(values[:dedicated])) for name, values in ways.items()},
        "ratios": {name: float(np.median(np.array(ways[name][:dedicated]) / np.array(own))) for name in ways},
        "default": variation(plain, rows),
        "default_conditioned": corrected_variation(one, rows, {}),
    }


def log_reward(explainer: CounterFlowNet, rows: pd.DataFrame, **wish: Any) -> float:
    """The mean reward of samples as the library draws them; one that changed nothing counts 0."""
    found = explainer.sample(rows, samples=SAMPLES, **wish)
    return float(found.reward.sum() / (SAMPLES * len(rows)))


def bought(explainer: CounterFlowNet, rows: pd.DataFrame, name: str) -> float:
    """The rank correlation between the weight of a term and its mean logarithm over samples.

    Of validity, that of the target's probability: the term itself is 1 as soon as a row is valid.
    """
    values = []
    for level in LEVELS:
        found = explainer.sample(rows, samples=SAMPLES, weights={name: level})
        told = found.to_frame()["probability"] if name == "validity" else explained(explainer, rows, found)[name]
        values.append(float(told.clip(1e-6).pipe(np.log).mean()))
    return float(pd.Series(LEVELS).corr(pd.Series(values), method="spearman"))


def explained(explainer: CounterFlowNet, rows: pd.DataFrame, found: Any) -> pd.DataFrame:
    """The samples judged by all four terms, whichever were asked for."""
    factuals = rows.iloc[found.row].reset_index(drop=True)
    targets = [found.targets[row] for row in found.row]
    weights = dict.fromkeys(WEIGHTS, 1.0)
    return explainer.score(factuals, found.counterfactuals.reset_index(drop=True), target=targets, weights=weights)


def avoided(explainer: CounterFlowNet, rows: pd.DataFrame, column: str) -> float:
    """The rank correlation between the cost of a column and how often samples change it."""
    place = list(rows.columns).index(column)
    changed = [explainer.sample(rows, samples=SAMPLES, costs={column: cost}).changed[:, place].mean() for cost in COSTS]
    return float(pd.Series(COSTS).corr(pd.Series(changed), method="spearman"))


def rewards(name: str, steps: int, dedicated: int, seed: int, row_count: int) -> dict[str, Any]:
    """Mean rewards of samples, and what weights and costs buy."""
    data = load_benchmark(name)
    X, model = data.X_train, classifier(data)
    schema = Schema.infer(X, kinds=dict.fromkeys(data.card.continuous, "continuous"))
    rows, wishes = data.X_test.head(row_count), unseen(dedicated, seed)
    one = fitted(X, model, schema, steps, seed, preferences=True)
    plain = fitted(X, model, schema, steps, seed)
    any_of = [log_reward(one, rows, **wish) for wish in wishes]
    corrected = [log_reward(plain, rows, **wish) for wish in wishes]
    dedicated_fits = [fitted(X, model, schema, steps, seed, **wish) for wish in wishes]
    own = [log_reward(fit, rows) for fit in dedicated_fits]
    own_corrected = [log_reward(fit, rows, pool=20 * SAMPLES) for fit in dedicated_fits]
    usual = plain.sample(rows, samples=SAMPLES).changed.mean(axis=0)
    often = [rows.columns[place] for place in np.argsort(-usual)[:4]]
    return {
        "corrected": float(np.mean(corrected)),
        "conditioned": float(np.mean(any_of)),
        "dedicated": float(np.mean(own)),
        "dedicated_corrected": float(np.mean(own_corrected)),
        "ratio": float(np.sum(corrected) / np.sum(own)),
        "ratio_of_corrected": float(np.sum(corrected) / np.sum(own_corrected)),
        "ratio_conditioned": float(np.sum(any_of) / np.sum(own)),
        "ratio_conditioned_of_corrected": float(np.sum(any_of) / np.sum(own_corrected)),
        "default": log_reward(plain, rows),
        "default_conditioned": log_reward(one, rows),
        "answers": float(plain.explain(rows).reward.mean()),
        "answers_conditioned": float(one.explain(rows).reward.mean()),
        "bought": {name: bought(plain, rows, name) for name in WEIGHTS},
        "bought_conditioned": {name: bought(one, rows, name) for name in WEIGHTS},
        "avoided": {column: avoided(plain, rows, column) for column in often},
        "avoided_conditioned": {column: avoided(one, rows, column) for column in often},
    }


def speed(seed: int, repeats: int, steps: int = 30) -> dict[str, Any]:
    """A training step and a call of explain, with preferences and without, by turns so that noise is shared."""
    data = load_benchmark("adult_protocol_b")
    X, model = data.X_train.head(5_000), classifier(data)
    schema = Schema.infer(X, kinds=dict.fromkeys(data.card.continuous, "continuous"))
    rows, wish = data.X_test.head(100), {"weights": {"sparsity": 0.9}, "costs": {data.card.continuous[0]: 4.0}}
    step: dict[bool, list[float]] = {True: [], False: []}
    call: dict[str, list[float]] = {"usual": [], "corrected": [], "conditioned": []}
    for _ in range(repeats):
        for with_them in (False, True):
            begun = time.process_time()
            fitted(X, model, schema, 1, seed, preferences=with_them)
            between = time.process_time()
            explainer = fitted(X, model, schema, steps + 1, seed, preferences=with_them)
            step[with_them].append((time.process_time() - between - (between - begun)) / steps)
            explainer.explain(rows)  # the first call is slower
            calls = {"conditioned": wish} if with_them else {"usual": {}, "corrected": wish}
            for name, asked in calls.items():
                begun = time.process_time()
                explainer.explain(rows, **asked)
                call[name].append(time.process_time() - begun)
    usual = np.median(call["usual"])
    return {
        "explain_ratio": float(np.median(call["corrected"]) / usual),
        "explain_ratio_conditioned": float(np.median(call["conditioned"]) / usual),
        "step_ratio_conditioned": float(np.median(step[True]) / np.median(step[False])),
        "step_ms": 1_000 * float(np.median(step[False])),
    }


def run(part: str, seed: int, options: argparse.Namespace) -> None:
    """One line of one part for each space it has."""
    spaces, steps, dedicated = options.space, options.steps, options.dedicated
    known = {(line["part"], line["space"], line["steps"], line["seed"]) for line in lines(NAME)}
    for space in spaces or DEFAULT_SPACES[part]:
        if (part, space, steps, seed) in known:
            continue
        circumstance = machine()
        begun = time.perf_counter()
        if part == "countable":
            found = countable(str(space), steps, dedicated, seed)
        elif part == "rewards":
            found = {"rows": options.rows} | rewards(str(space), steps, dedicated, seed, options.rows)
        else:
            found = {"repeats": options.repeats} | speed(seed, options.repeats)
        told = {"part": part, "space": space, "steps": steps, "seed": seed, "dedicated_fits": dedicated}
        seconds = time.perf_counter() - begun
        keep({"benchmark": NAME, **told, **found, "seconds": seconds, **circumstance}, NAME)
        print(told, found, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", nargs="+", default=[], choices=("countable", "rewards", "speed"))
    parser.add_argument("--space", nargs="+", default=[], metavar="NAME", help="data sets (default: those of the part)")
    parser.add_argument("--steps", type=int, default=300, help="of every fit")
    parser.add_argument("--dedicated", type=int, default=6, help="preferences that get a fit of their own")
    parser.add_argument("--seed", type=int, nargs="+", default=[0])
    parser.add_argument("--rows", type=int, default=ROWS, help="test rows of the rewards (default: %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="of the speeds (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="run nothing, print what is known")
    options = parser.parse_args()
    for part in [] if options.show else options.part:
        for seed in options.seed:
            run(part, seed, options)
    print(section(lines(NAME)))


if __name__ == "__main__":
    main()
