"""What is wanted, as JSON tells it: a class as it is, everything else as a record of one entry."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from counterflownet.errors import InvalidInputError, unknown_name
from counterflownet.explain.request import class_number
from counterflownet.explain.targets import AnyOf, AtLeast, AtMost, Between, By, ClassesTarget, Not
from counterflownet.serve.describe import cell_record

KINDS: Mapping[str, Callable[[Any], Any]] = {
    "any_of": lambda labels: AnyOf(*_list("any_of", labels)),
    "not": lambda labels: Not(*_list("not", labels)),
    "at_least": AtLeast,
    "at_most": AtMost,
    "between": lambda ends: Between(*_list("between", ends, length=2)),
    "by": By,
    "by_percent": lambda percent: By(percent=percent),
}


def target_of(given: Any) -> Any:
    """The target that the library takes: ``{"at_least": 5}`` is ``AtLeast(5)``; a class stands for itself."""
    if not isinstance(given, Mapping):
        return given
    if len(given) != 1:
        raise InvalidInputError(f"a target has one entry, such as {{'at_least': 5}}; got {len(given)} of them.")
    ((kind, what),) = given.items()
    if kind not in KINDS:
        raise unknown_name("target", kind, list(KINDS))
    return KINDS[kind](what)


def record_of(target: Any, classes: Sequence[Any]) -> Any:
    """The target as JSON tells it, if it is one that the page can begin with; None stays None."""
    if target is None:
        return None
    if classes and not isinstance(target, Between | AtLeast | AtMost | By | ClassesTarget):
        return cell_record(classes[class_number(target, tuple(classes))])
    if not classes and isinstance(target, Between):
        return {"between": [target.low, target.high]}
    if not classes and isinstance(target, AtLeast | AtMost):
        return {"at_least": target.low} if isinstance(target, AtLeast) else {"at_most": target.high}
    wanted = "one class" if classes else "AtLeast(x), AtMost(x) or Between(low, high)"
    raise InvalidInputError(f"the page begins with {wanted}; got {target!r}.")


def _list(kind: str, given: Any, length: int | None = None) -> list[Any]:
    if not isinstance(given, list) or not given or (length is not None and len(given) != length):
        wanted = "a list" if length is None else f"a list of {length}"
        raise InvalidInputError(f"the target {kind!r} takes {wanted}; got {given!r}.")
    return given
