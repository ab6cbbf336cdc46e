"""What pages say of the code that results were made by."""

from dataclasses import dataclass

import pytest
from made_up_others import write_others

from counterflownet_bench.benchmark.store import ResultStore
from counterflownet_bench.studies import study
from counterflownet_bench.studies.made_by import code_words, commits_words
from counterflownet_bench.studies.others import taken_over

CODE = {"library": "l1", "bench": "b1", "paper": "p1"}


def made(commit: str | None) -> dict:
    return {"question": {"seed": 0}} | ({} if commit is None else {"commit": commit})


def test_commits_are_counted_with_those_that_do_not_say() -> None:
    first, second = "1" * 40, f"{'2' * 40}+"
    told = commits_words([made(first), made(None), made(second), made(first)])
    assert told == (
        "2 results by commit `1111111`; 1 result by commit `2222222`+; 1 result does not say by which commit "
        "(+: with changes that were not committed)."
    )
    assert commits_words([made(first)]) == "1 result by commit `1111111`."
    assert commits_words([made(None), made(None)]) == "2 results do not say by which commit."
    assert commits_words([]) == ""


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ({}, "library"),
        ({"method": "counterflownet", "preset": "tuned"}, "library"),
        ({"method": "counterflownet", "preset": "paper"}, "paper"),
        ({"method": "cchvae", "preset": "tuned"}, "bench"),
    ],
)
def test_a_result_is_of_the_code_as_it_is_if_the_part_that_decides_it_is(question, part) -> None:
    changed = {name: "other" for name in CODE if name != part} | {part: CODE[part]}
    assert "of 1 result, 1 were made by the code that decides" in code_words(
        [{"question": question, "code": changed}], CODE
    )
    assert "1 were made by other code" in code_words([{"question": question, "code": CODE | {part: "other"}}], CODE)
    assert "1 do not say" in code_words([{"question": question}], CODE)


@dataclass(frozen=True)
class Question:
    """The least that a study can ask."""

    seed: int


@dataclass(frozen=True, slots=True)
class StudyWithoutData(study.MeasuringStudy):
    """A study whose answers need no rows."""

    def loaded(self, question, data) -> None:
        """Nothing to load."""


def test_lines_tell_the_code_that_a_run_began_with(tmp_path, monkeypatch) -> None:
    """Files may change while a run goes on, but what was imported stays."""
    now = {"commit": "1" * 40}
    monkeypatch.setattr(study, "made_by", now.copy)

    def answered(question, data):
        now["commit"] = "2" * 40
        return {"found": question.seed}

    own = StudyWithoutData("own", chapter=lambda results: None, answered=answered, line=str)
    list(own.run([Question(0), Question(1)], tmp_path, progress=False))
    assert [line["commit"] for line in own.results(tmp_path)] == ["1" * 40] * 2


def test_what_is_taken_over_keeps_its_code_and_rows(tmp_path) -> None:
    file = write_others(tmp_path / "results.jsonl", {("cchvae", "raw"): {"age": 1}})
    (line,) = (result for result in ResultStore(file).read().results if "error" not in result)
    told = {"commit": "1" * 40, "code": CODE, "rows": "r1"}
    ResultStore(file).append(line | told)
    (new,) = taken_over([file], "adult_protocol_b")
    assert told.items() <= new.items()
    ResultStore(file).append({name: value for name, value in line.items() if name not in told})
    (old,) = taken_over([file], "adult_protocol_b")
    assert not set(told) & set(old)  # results from before they told it
