"""What is asked for, as options: a class, several, or where a prediction is to lie."""

import argparse
from typing import Any

from counterflownet.cli.column_types import number_of, value_of
from counterflownet.cli.constraint_options import split_list
from counterflownet.errors import InvalidInputError
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, By, Not

OF_CLASSES = ("--target", "--any-of", "--not")
OF_NUMBERS = ("--at-least", "--at-most", "--between", "--by")


def add_question(command: argparse.ArgumentParser) -> None:
    """Add the options, of which one is enough."""
    add = command.add_argument
    add("--target", metavar="CLASS", help="the class you want (default, with two classes: the other one)")
    add("--any-of", metavar="CLASSES", help="several classes, any of which will do")
    add("--not", metavar="CLASSES", help="any class but these")
    add("--at-least", metavar="X", help="of a regressor: the lowest prediction that will do")
    add("--at-most", metavar="X", help="of a regressor: the highest prediction that will do")
    add("--between", metavar="LOW:HIGH", help="of a regressor: both; --between=-1:1 if the first is negative")
    add("--by", metavar="X", help="of a regressor: more than the row's own; --by 20%%, or --by=-20%% for less")


def target_of(options: argparse.Namespace, classes: tuple[Any, ...]) -> Any:
    """The target that the options name; ``classes`` are those of the model, none of a regressor."""
    given = [option for option in (*OF_CLASSES, *OF_NUMBERS) if _text(options, option) is not None]
    if len(given) > 1:
        raise InvalidInputError(f"{' and '.join(given)} ask for different things; give one of them.")
    option = given[0] if given else None
    _check_fits(option, classes)
    if option is None:
        return None
    text = _text(options, option)
    if option in OF_NUMBERS:
        return _NUMBERS[option](text)
    labels = [value_of(entry, classes) for entry in ([text] if option == "--target" else split_list(text))]
    return labels[0] if option == "--target" else (AnyOf if option == "--any-of" else Not)(*labels)


def _check_fits(option: str | None, classes: tuple[Any, ...]) -> None:
    if not classes and option not in OF_NUMBERS:
        given = "nothing was asked for" if option is None else f"{option} names a class"
        raise InvalidInputError(
            f"the model of this file is a regressor, and {given}. Say where its prediction should lie: --at-least 0.6, "
            "--at-most 0.6, --between 0.4:0.6, --by 0.2, or --by 20%."
        )
    if classes and option in OF_NUMBERS:
        raise InvalidInputError(
            f"{option} is for regressors, and the model of this file gives classes. For a class of probability 0.6 or "
            f"more: --target {classes[-1]} --confidence 0.6"
        )


def _text(options: argparse.Namespace, option: str) -> Any:
    return getattr(options, option.removeprefix("--").replace("-", "_"))


def _number(option: str, text: str) -> float:
    number = number_of(text.strip())
    if isinstance(number, str):
        raise InvalidInputError(f"{option} needs a number; got {text!r}.")
    return float(number)


def _between(text: str) -> Between:
    low, colon, high = text.partition(":")
    if not colon:
        raise InvalidInputError(f"--between needs LOW:HIGH, such as 0.4:0.6; got {text!r}.")
    ends = _number("--between", low), _number("--between", high)
    if ends[0] > ends[1]:
        raise InvalidInputError(f"--between {text} has its ends the wrong way round: --between {high}:{low}")
    return Between(*ends)


def _by(text: str) -> By:
    share = text.strip().removesuffix("%")
    number = _number("--by", share)
    return By(percent=number) if share != text.strip() else By(number)


_NUMBERS = {
    "--at-least": lambda text: AtLeast(_number("--at-least", text)),
    "--at-most": lambda text: AtMost(_number("--at-most", text)),
    "--between": _between,
    "--by": _by,
}
