"""Orders of columns that no values keep: a <= b <= a, and somewhere a gap on the way round."""

from collections.abc import Iterator, Sequence

from counterflownet.tabular.condition import amount_of
from counterflownet.tabular.feature import ColumnName
from counterflownet.tabular.rule import LessEqual
from counterflownet.tabular.schema import Schema

Path = tuple[LessEqual, ...]


def impossible_circle(schema: Schema, rules: Sequence[LessEqual]) -> Path:
    """The fewest rules that lead round to where they began and ask for a gap on the way; none if there are none."""
    paths: list[Path] = [(rule,) for rule in rules]
    while paths:
        for path in paths:
            if path[-1].high == path[0].low and _asks_for_a_gap(schema, path):
                return path
        paths = [longer for path in paths for longer in _longer(path, rules)]
    return ()


def _longer(path: Path, rules: Sequence[LessEqual]) -> Iterator[Path]:
    """The path with one more rule, which begins where it ends; no column is passed twice."""
    passed: set[ColumnName] = {rule.high for rule in path}
    if path[-1].high != path[0].low:
        yield from ((*path, rule) for rule in rules if rule.low == path[-1].high and rule.high not in passed)


def _asks_for_a_gap(schema: Schema, path: Path) -> bool:
    gap = sum(amount_of(rule, schema[rule.low], rule.offset) for rule in path)
    return gap > 0 or (gap == 0 and any(rule.strict for rule in path))
