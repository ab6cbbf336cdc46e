"""Columns that rise and fall together: whenever one is higher in a row than in another, so is the other."""

from collections import defaultdict

from counterflownet.tabular.relations.seen import SeenColumn, SeenTable

FEWEST_VALUES = 10  # that many in the same order by chance: one in millions


def co_movements(table: SeenTable) -> tuple[tuple[SeenColumn, ...], ...]:
    """Groups of ordered columns whose values have the same ranks in all rows.

    Equal values must meet equal ones: between two rows of a table one may not move without the others.
    """
    alike: dict[bytes, list[SeenColumn]] = defaultdict(list)
    for column in table.columns:
        if column.feature.has_order and column.complete and column.value_count >= FEWEST_VALUES:
            alike[column.codes.tobytes()].append(column)
    return tuple(tuple(group) for group in alike.values() if len(group) > 1)
