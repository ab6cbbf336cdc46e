"""The section of docs/performance.md on preferences, from what preferences.py has kept."""

from typing import Any

import numpy as np
from common import circumstances, latest, table, verdict

Line = dict[str, Any]
VARIATION, REWARD, RANK, CALL, STEP = 1.15, 0.98, 0.9, 1.1, 1.2  # bars


def section(results: list[Line]) -> str:
    """The newest line of each part, space and seed."""
    shown = latest(results, "part", "space", "seed")
    parts = {part: [line for line in shown if line["part"] == part] for part in ("countable", "rewards", "speed")}
    texts = [write(parts[part]) for part, write in WRITERS.items() if parts[part]]
    return f"""## One fit, any preference

A fit that is trained for all preferences at once (`preferences=True`, *conditioned*), beside one that knows a single
preference and is asked for others (*one*), and fits *dedicated* to the preference that is asked for, all of the same
number of steps. Samples of the first two are drawn out of a pool twenty times as large by importance weights, which is
what `sample` does; those of dedicated fits are as drawn, unless *corrected* in the same way.
{circumstances(shown)}
Made by `python bench/scripts/preferences.py`.

{chr(10).join(texts)}"""


def countable(found: list[Line]) -> str:
    """Total variation to what is wanted."""
    names = {"conditioned": "conditioned", "flow": "its flow alone", "corrected": "one", "dedicated": "dedicated"}
    names |= {"dedicated_corrected": "dedicated, corrected"}
    rows = [
        [
            line["space"],
            f"{line['seed']}",
            f"{line['all']['conditioned']:.3f}",
            *(f"{line['of_dedicated'][name]:.3f}" for name in names),
            verdict(f"{line['ratios']['conditioned']:.2f}", met=line["ratios"]["conditioned"] <= VARIATION),
            f"{line['ratios']['flow']:.2f}",
            f"{line['ratios']['corrected']:.2f}",
        ]
        for line in found
    ]
    head = ["space", "seed", "conditioned, 100 preferences", *names.values()]
    head += ["conditioned / dedicated", "its flow alone / dedicated", "one / dedicated"]
    return f"""Total variation to R/Z where all states can be counted, medians over 100 preferences that training never
saw; the columns from the fourth on over the {found[-1]["dedicated_fits"]} of them that have a fit of their own
({found[-1]["steps"]:,} steps; the bar is {VARIATION} times as much as a dedicated fit's).

{table(head, rows)}
"""


def rewards(found: list[Line]) -> str:
    """Mean rewards of samples, and what is bought."""
    rows = [
        [
            line["space"],
            f"{line['seed']}",
            *(f"{line[name]:.3f}" for name in ("conditioned", "corrected", "dedicated", "dedicated_corrected")),
            verdict(f"{line['ratio_conditioned']:.1%}", met=line["ratio_conditioned"] >= REWARD),
            f"{line['ratio_conditioned_of_corrected']:.1%}",
            f"{line['ratio']:.1%}",
        ]
        for line in found
    ]
    head = ["space", "seed", "conditioned", "one", "dedicated", "dedicated, corrected", "conditioned / dedicated"]
    head += ["conditioned / dedicated, corrected", "one / dedicated"]
    ranks = [
        [
            line["space"],
            f"{line['seed']}",
            way,
            *(f"{value:.2f}" for value in line[f"bought{end}"].values()),
            *_verdicts(line, end),
        ]
        for line in found
        for way, end in (("conditioned", "_conditioned"), ("one", ""))
    ]
    return f"""Mean rewards of samples of {found[-1]["rows"]} test rows under {found[-1]["dedicated_fits"]} preferences
that training never saw ({found[-1]["steps"]:,} steps; the bar is {REWARD:.0%} of a dedicated fit's). A higher mean is
no proof of better samples: those that stay among the best of another preference have it, too. The
[study](../bench/studies/preferences.md) shows how far each way reaches.

{table(head, rows)}

What a weight buys: the rank correlation between the weight of a term and its mean logarithm over samples (of validity,
that of the target's probability: the term itself is 1 as soon as a row is valid), and between the cost of a column (the
four that change most often) and how often it changes. The bars are {RANK} and -{RANK}.

{table(["space", "seed", "samples", *found[-1]["bought"], "least", "costs, nearest to zero"], ranks)}

At the preference of the fit, samples of the one that knows no other have a mean reward of {_both(found, "default")},
answers of {_both(found, "answers")}.
"""


def _verdicts(line: Line, end: str) -> list[str]:
    least, most = min(line[f"bought{end}"].values()), max(line[f"avoided{end}"].values())
    return [verdict(f"{least:.2f}", met=least >= RANK), verdict(f"{most:.2f}", met=most <= -RANK)]


def _both(found: list[Line], name: str) -> str:
    usual, conditioned = (np.mean([line[f"{name}{end}"] for line in found]) for end in ("", "_conditioned"))
    told = f"{usual:.3f} (conditioned: {conditioned:.3f}, {conditioned / usual:.1%})"
    return verdict(told, met=bool(conditioned >= REWARD * usual))


def speed(found: list[Line]) -> str:
    """What preferences cost."""
    line = found[-1]
    rows = [
        ["explain, other weights and costs", _times(line["explain_ratio"], CALL)],
        ["explain, conditioned", _times(line["explain_ratio_conditioned"], CALL)],
        ["a training step, conditioned", _times(line["step_ratio_conditioned"], STEP)],
    ]
    return f"""Time of the processor beside a fit and a call without preferences, in turn ({line["repeats"]} turns):

{table(["what", "times as long"], rows)}
"""


def _times(ratio: float, bar: float) -> str:
    return verdict(f"{ratio:.2f}, bar {bar}", met=ratio <= bar)


WRITERS = {"countable": countable, "rewards": rewards, "speed": speed}
