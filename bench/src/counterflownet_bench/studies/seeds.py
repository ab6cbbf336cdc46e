"""Results that differ by the seed alone are one setting, of which pages tell the mean."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

Result = Mapping[str, Any]
SEEDS = (0, 1, 2)  # without several, nobody knows which differences are noise


@dataclass(frozen=True, slots=True)
class Setting:
    """What was asked, whatever the seed, and what each seed found."""

    results: tuple[Result, ...]

    @property
    def question(self) -> Mapping[str, Any]:
        """What all seeds were asked."""
        return _without_seed(self.results[0])

    @property
    def seeds(self) -> tuple[int, ...]:
        return tuple(int(result["question"]["seed"]) for result in self.results)

    @property
    def seed_count(self) -> str:
        """How many seeds there are, as a table shows it."""
        return str(len(self.results))

    def each(self, *path: str) -> list[Any]:
        """What every seed has at the end of a path through its result, seed by seed."""
        return [_at(result, path) for result in self.results]

    def mean(self, *path: str) -> Any:
        """The mean over seeds of what is at the end of a path, entry by entry."""
        return mean_of(self.each(*path))


def settings_of(results: Sequence[Result]) -> list[Setting]:
    """The settings in the order in which they were first asked about, each with its seeds from small to large."""
    found: dict[str, list[Result]] = {}
    for result in results:
        found.setdefault(json.dumps(_without_seed(result), sort_keys=True), []).append(result)
    return [Setting(tuple(sorted(own, key=lambda result: int(result["question"]["seed"])))) for own in found.values()]


def mean_of(values: Sequence[Any]) -> Any:
    """The mean of numbers, or entry by entry of mappings of them; of what some do not know, over those that do.

    None where nothing is known.
    """
    known = [value for value in values if value is not None]
    if not known:
        return None
    if not isinstance(known[0], Mapping):
        return mean(map(float, known))
    names = dict.fromkeys(name for value in known for name in value)
    return {name: mean_of([value.get(name) for value in known]) for name in names}


def seeds_words(results: Sequence[Result]) -> str:
    """How many seeds settings have; of a single one, which."""
    return words_of_seeds([setting.seeds for setting in settings_of(results)])


def words_of_seeds(of_settings: Sequence[tuple[int, ...]]) -> str:
    """The same of the seeds of each setting."""
    told = set(of_settings)
    if len(told) == 1 and len(of_settings[0]) == 1:
        return f"seed {of_settings[0][0]} alone"
    counts = sorted({len(seeds) for seeds in told})
    return f"{' or '.join(map(str, counts))} {'seed' if counts == [1] else 'seeds'}"


def _without_seed(result: Result) -> dict[str, Any]:
    return {name: value for name, value in result["question"].items() if name != "seed"}


def _at(found: Any, path: Sequence[str]) -> Any:
    for name in path:
        found = found[name]
    return found
