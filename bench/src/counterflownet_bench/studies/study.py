"""What all studies have in common: questions, answered unless they were before, and a chapter about them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.benchmark.progress_bar import progress_bar
from counterflownet_bench.benchmark.scoring import plain_json
from counterflownet_bench.datasets import load_benchmark
from counterflownet_bench.studies.chapter import Chapter
from counterflownet_bench.studies.made_by import commits_words, made_by

Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Study:
    """What was found, kept in a file of a folder, and a chapter about it. Every result has a ``"question"``."""

    name: str
    chapter: Callable[[Sequence[Mapping[str, Any]]], Chapter]

    def file(self, folder: Path) -> JsonLines:
        return JsonLines(folder / f"{self.name}.jsonl")

    def results(self, folder: Path) -> tuple[Found, ...]:
        return self.file(folder).read().lines

    def told(self, results: Sequence[Mapping[str, Any]]) -> Chapter:
        """The chapter, which ends with the commits that results were made by."""
        return replace(self.chapter(results), made_by=commits_words(results))

    def write(self, folder: Path) -> tuple[Path, ...]:
        """The page about what the folder holds, and its pictures."""
        return self.told(self.results(folder)).write(folder, self.name)


@dataclass(frozen=True, slots=True)
class MeasuringStudy(Study):
    """``answered`` measures what one question asks of its data set; ``line`` tells a result to those who watch.

    A question is a frozen dataclass with a ``dataset``, which is loaded for it.
    """

    answered: Callable[[Any, Any], Found]
    line: Callable[[Mapping[str, Any]], str]

    def run(
        self, asked: Sequence[Any], folder: Path, *, data: str | Path | None = None, progress: bool | None = None
    ) -> Iterator[Found]:
        """What is not there yet, each kept as soon as it is measured; ``progress`` None: a bar on a terminal."""
        file = self.file(folder)
        known = [line["question"] for line in file.read().lines]
        missing = [question for question in asked if plain_json(asdict(question)) not in known]
        code = made_by()  # as it is now: files may change while hours of fits go on with what was imported
        with progress_bar(self.name, shown=progress) as bar:
            task = bar.add_task("questions", total=len(missing), part="")
            for question in missing:
                bar.update(task, part=str(question))
                told = {"question": asdict(question)}
                result = plain_json(told | self.answered(question, self.loaded(question, data)) | code)
                file.append(result)
                bar.advance(task)
                yield result

    def loaded(self, question: Any, data: str | Path | None) -> Any:
        """The rows that a question is about."""
        return load_benchmark(question.dataset, data=data)
