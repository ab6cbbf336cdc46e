"""How values, changes and outcomes are worded, the same in every form."""

import math
from collections import Counter
from datetime import datetime
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from counterflownet._printable import printable
from counterflownet.errors import counted
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, ClassesTarget

if TYPE_CHECKING:
    from counterflownet.explain.explanation import Explanation


LONGEST = 60  # characters of one value; the tables of to_frame() have it whole
MISSING = "missing"
GROUPED_FROM = 10_000  # numbers of four digits, such as years, are written without a separator
NEAR = 0.001  # probabilities nearer than that to 0 or 1 are not told more exactly


def value_text(value: Any, digits: int = 4) -> str:
    """A cell, a label or a column's name as a person would write it, on one line."""
    if isinstance(value, tuple):
        return f"({', '.join(value_text(item, digits) for item in value)})"
    if isinstance(value, str):
        return shortened(_string_text(value))
    if value is None or (pd.api.types.is_scalar(value) and pd.isna(value)):
        return MISSING
    if isinstance(value, (float, np.floating)):
        return number_text(float(value), digits)
    if isinstance(value, (datetime, np.datetime64)):
        return _time_text(pd.Timestamp(value))
    return shortened(printable(str(value)))


def number_text(value: float, digits: int = 4) -> str:
    """A number with about ``digits`` digits: whole numbers whole, and a fraction never rounded to look whole."""
    if not math.isfinite(value) or abs(value) >= 1e15:
        return f"{value:.{digits}g}"
    if value.is_integer():
        return str(int(value))
    precision = max(digits, len(str(int(abs(value)))) + 1)  # all of the whole part, and one digit after it
    while float(f"{value:.{precision}g}").is_integer() and precision < 12:
        precision += 1
    return f"{value:.{precision}g}"


def score_text(value: float) -> str:
    """A reward or one of its terms: three places that stand under each other, more where three would lie."""
    exact = value in {0.0, 1.0}
    return f"{value:.3f}" if exact or 0.001 <= value < 0.9995 else number_text(value, 3)


def probability_text(probability: float, least: float | None = None) -> str:
    """A probability in per cent, in as few digits as leave it on its side of 50 %, and of the ``least`` asked for."""
    asked = 0.5 if least is None else least
    if 0.0 < probability < NEAR and not 0.0 < asked <= NEAR:
        return f"< {100 * NEAR:g} %"
    if 1.0 - NEAR < probability < 1.0 and not 1.0 - NEAR <= asked < 1.0:
        return f"> {100 * (1.0 - NEAR):g} %"
    for digits in range(16):
        shown = float(f"{probability:.{digits + 2}f}")
        if _sides(shown, least) == _sides(probability, least):
            return f"{100 * shown:.{digits}f} %"
    return f"{100 * probability:.3g} %"  # next to nothing, where next to nothing was asked for


def _sides(probability: float, least: float | None) -> tuple[bool, ...]:
    """What must not be rounded away: certainty, more than half, and as much as was asked for."""
    exact = (probability <= 0.0, probability < 0.5, probability > 0.5, probability >= 1.0)
    return exact if least is None else (*exact, probability >= least)


def change_texts(old: Any, new: Any) -> tuple[str, str]:
    """Old and new value, with as many digits as it takes to see that they differ."""
    for digits in range(4, 18):
        texts = value_text(old, digits), value_text(new, digits)
        if texts[0] != texts[1]:
            return texts
    return printable(repr(old)), printable(repr(new))


def told_change(old: Any, new: Any) -> tuple[str, str]:
    """The same for people to look at: numbers of five digits or more with separators."""
    texts = change_texts(old, new)
    if not any(is_large(value) for value in (old, new)):
        return texts
    return _grouped(texts[0]), _grouped(texts[1])


def is_large(value: Any) -> bool:
    """Whether it is a number that is written with separators."""
    number = isinstance(value, Real) and not isinstance(value, (bool, np.bool_, np.timedelta64))
    return number and GROUPED_FROM <= abs(float(value)) < math.inf


def _grouped(text: str) -> str:
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}{point}{rest}" if whole.lstrip("-").isdecimal() else text


def class_text(label: Any) -> str:
    """A class; strings in quotes, so that ``'1'`` and ``1`` can be told apart."""
    return shortened(printable(repr(str(label)))) if isinstance(label, str) else value_text(label)


def target_text(target: Any) -> str:
    """What was asked for: a class, several, or where a prediction is to lie."""
    if isinstance(target, ClassesTarget):
        labels = " or ".join(map(class_text, target.classes))
        return labels if isinstance(target, AnyOf) else f"anything but {labels}"
    if isinstance(target, Between):
        return f"between {told_number(target.low, 6)} and {told_number(target.high, 6)}"
    if isinstance(target, AtLeast):
        return f"at least {told_number(target.low, 6)}"
    return f"at most {told_number(target.high, 6)}" if isinstance(target, AtMost) else class_text(target)


def told_number(value: float, digits: int = 4) -> str:
    """A number by itself for people to look at: with separators if it is large."""
    text = number_text(value, digits)
    return _grouped(text) if is_large(value) else text


def wanted_text(explanation: "Explanation", position: int) -> str:
    """What a row was to become: the target, and the probability it must reach if one was asked for."""
    label, least = target_text(explanation.targets[position]), explanation.confidence
    return label if least is None else f"{label} with {probability_text(least)} or more"


def told_of(explanation: "Explanation", told: float, position: int) -> str:
    """A probability, or a prediction, as it is told of a row of this explanation."""
    if explanation.regression:
        return prediction_text(float(told), explanation.targets[position])
    return probability_text(float(told), explanation.confidence)


def prediction_text(prediction: float, target: Any, *, grouped: bool = True) -> str:
    """A prediction in as few digits as leave it on its side of the ends of what was asked for; a large one whole."""
    whole = [f"{prediction:.0f}"] if is_large(prediction) and abs(prediction) < 1e15 else []
    for text in (*whole, *(number_text(prediction, digits) for digits in range(4, 17))):
        if (target.low <= float(text) <= target.high) == (target.low <= prediction <= target.high):
            return _grouped(text) if grouped and is_large(prediction) else text
    return repr(prediction)


def before_text(explanation: "Explanation", position: int) -> str:
    """The probability that a row begins with, in parentheses; nothing of a regressor, whose prediction is told."""
    if explanation.regression:
        return ""
    return f" (probability {told_of(explanation, explanation.probability_before[position], position)})"


def predicted_text(explanation: "Explanation", position: int) -> str:
    """What the model says of a row as it is."""
    if explanation.regression:
        return told_of(explanation, explanation.probability_before[position], position)
    return class_text(explanation.predicted[position])


def summary_text(explanation: "Explanation") -> str:
    answers = counted(len(explanation.row), "counterfactual")
    return f"{answers} for {counted(len(explanation.factuals), 'row')}, {explanation.asked} asked for each"


def oddities_text(explanation: "Explanation") -> str:
    """What is odd about answers, for those who might be surprised; nothing if nothing is."""
    odd = explanation.oddities
    if not odd:
        return ""
    verb = "breaks" if odd.count == 1 else "break"
    rules = ", ".join(f"{printable(code)} ({count})" for code, count in odd.by_rule.items())
    return (
        f"{counted(odd.count, 'counterfactual')} {verb} what all training rows keep: {rules}. To rule that out, give "
        "it as a constraint (explainer.relations has all)."
    )


def outcome_counts(explanation: "Explanation") -> dict[str, int]:
    """How many rows had which outcome, the most frequent first."""
    names = Counter(row.outcome.name.lower().replace("_", " ") for row in explanation.outcomes)
    return dict(names.most_common())


def _string_text(text: str) -> str:
    # Quoted where the bare text would not be seen for what it is.
    unclear = text == MISSING or text != text.strip() or not text
    return printable(repr(str(text)) if unclear else text)


def _time_text(time: pd.Timestamp) -> str:
    midnight = time == time.normalize() and time.tzinfo is None
    return time.date().isoformat() if midnight else time.isoformat(sep=" ")


def shortened(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
