import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from made_up_results import made_up

from counterflownet.errors import SavedFileError
from counterflownet_bench.benchmark.cell import failed_result
from counterflownet_bench.benchmark.json_lines import JsonLines
from counterflownet_bench.benchmark.store import ResultStore, identity, identity_of, read_all


@pytest.fixture
def store(tmp_path) -> ResultStore:
    return ResultStore(tmp_path / "deep" / "results.jsonl")


def test_what_is_written_is_read_again_in_its_order(store, german):
    results = [made_up(german(seed=seed)) for seed in (3, 1, 2)]
    for result in results:
        store.append(result)
    assert list(store.read().results) == results
    assert len(store.path.read_text().splitlines()) == 3


def test_a_file_that_is_not_there_holds_nothing(store):
    assert store.read().results == ()
    assert store.finished(with_failed=True) == frozenset()


def test_a_torn_last_line_is_ignored_and_reported(store, german):
    store.append(made_up(german()))
    with store.path.open("ab") as file:
        file.write(b'{"protocol": "a", "dataset": "ger')
    stored = store.read()
    assert len(stored.results) == 1
    assert "line 2 of" in stored.notes[0]
    assert "torn" in stored.notes[0]


@pytest.mark.parametrize("torn", [b'{"protocol": "a", "data', b"\xff\xfe", b'{"a": 1'])
def test_the_next_result_takes_the_place_of_a_torn_line(store, german, torn):
    store.append(made_up(german()))
    with store.path.open("ab") as file:
        file.write(torn)
    store.append(made_up(german(seed=1)))
    assert [result["seed"] for result in store.read().results] == [0, 1]
    assert store.read().notes == ()


def test_a_whole_last_line_without_its_end_is_kept(store, german):
    store.append(made_up(german()))
    store.path.write_bytes(store.path.read_bytes().rstrip())
    assert len(store.read().results) == 1
    store.append(made_up(german(seed=1)))
    assert [result["seed"] for result in store.read().results] == [0, 1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("<<<<<<< HEAD", "line 1 of .* is no JSON"),
        ("[1, 2]", "line 1 of .* is no JSON object"),
        ('{"protocol": "a"}', "it lacks cell, dataset"),
    ],
)
def test_any_other_damage_is_an_error_that_names_the_line(store, german, line, message):
    store.append(made_up(german()))
    store.path.write_text(f"{line}\n{store.path.read_text()}")
    with pytest.raises(SavedFileError, match=message):
        store.read()


def test_a_cell_of_another_version_is_an_error_that_names_the_line(store, german):
    result = made_up(german())
    store.append(result | {"cell": result["cell"] | {"colour": "red"}})
    with pytest.raises(SavedFileError, match=r"result 1 of .* cannot be read: .*colour"):
        store.read()


def test_many_writers_lose_nothing(store, german):
    """A lock on a file holds between open files, so threads tell as much as processes do."""
    results = [made_up(german(seed=seed)) for seed in range(120)]
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(store.append, results))
    assert sorted(result["seed"] for result in store.read().results) == list(range(120))


def test_a_cell_is_finished_as_its_last_result_says(store, german):
    cell = german()
    store.append(failed_result(cell, "no luck"))
    assert store.finished(with_failed=True) == {identity_of(cell)}
    assert store.finished(with_failed=False) == frozenset()
    store.append(made_up(cell))
    assert store.finished(with_failed=False) == {identity_of(cell)}


def test_a_result_belongs_to_its_cell_under_its_settings_only(german):
    cell = german()
    assert identity(json.loads(json.dumps(made_up(cell)))) == identity_of(cell)
    others = [german(seed=1), german(steps=5), german(selection="raw"), german(preset="paper"), german(instances=11)]
    assert len({identity_of(other) for other in [cell, *others]}) == 6
    older = made_up(cell)
    older["settings"]["training"]["width"] = 128
    assert identity(older) != identity_of(cell)


def test_several_files_are_one(tmp_path, german):
    for seed in (0, 1):
        ResultStore(tmp_path / f"{seed}.jsonl").append(made_up(german(seed=seed)))
    paths = [tmp_path / "0.jsonl", tmp_path / "1.jsonl"]
    assert [result["seed"] for result in read_all(paths).results] == [0, 1]
    with pytest.raises(SavedFileError, match="there is no file"):
        read_all([*paths, tmp_path / "2.jsonl"])


def test_a_number_that_json_does_not_know_is_never_written(store, german):
    with pytest.raises(ValueError, match="Out of range float"):
        store.append(made_up(german(), sparsity=float("nan")))
    assert store.read().results == ()


def test_what_answers_the_same_question_is_replaced_and_all_else_stays(tmp_path):
    file = JsonLines(tmp_path / "new" / "lines.jsonl")
    file.replace([{"question": 1, "answer": "a"}, {"question": 2}], key="question")
    file.append({"question": 3})
    file.replace([{"question": 1, "answer": "b"}], key="question")
    assert file.read().lines == ({"question": 2}, {"question": 3}, {"question": 1, "answer": "b"})


def test_who_waited_while_the_file_was_replaced_writes_to_the_new_one(tmp_path):
    file = JsonLines(tmp_path / "lines.jsonl")

    def write(number: int) -> None:
        if number % 3:
            file.append({"question": number})
        else:
            file.replace([{"question": number}], key="question")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(60)))
    assert sorted(line["question"] for line in file.read().lines) == list(range(60))
