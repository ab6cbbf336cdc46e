"""The command that puts faults into the code runs exactly the tests that may notice one."""

from pathlib import Path
from textwrap import dedent

import pytest

FOLDER = Path(__file__).parents[1] / "scripts" / "mutants"
SOURCE = dedent(
    """
    LIMIT = 3

    def clipped(value, limit=LIMIT):
        if (
            value > limit
        ):
            return limit
        return (
            value
        )
    """
)


@pytest.fixture
def touched(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import touched  # noqa: PLC0415 - it lies in a folder that is a program

    return touched


@pytest.mark.parametrize(
    ("line", "lines"), [(2, None), (4, None), (6, range(5, 8)), (8, range(8, 9)), (10, range(9, 12))]
)
def test_a_line_in_a_function_runs_with_its_statement_but_not_with_the_statements_inside(touched, line, lines) -> None:
    assert touched.run_with(SOURCE, line) == lines


@pytest.mark.parametrize(("line", "tests"), [(8, ["b"]), (6, ["b", "a"]), (2, ["b", "a", "d", "c"])])
def test_tests_that_run_the_line_are_tried_quickest_first_and_all_if_it_is_in_no_function(touched, line, tests) -> None:
    from mutation import Mutation  # noqa: PLC0415 - as above

    known = touched.Touched({"a": 2.0, "b": 1.0, "c": 0.5, "d": 0.1})
    known.lines["clipped.py"] = {5: {"a", "b"}, 8: {"b"}}
    assert known.seeing(Mutation("clipped.py", line, "", 0, "", ""), SOURCE) == tests


DIFFERENCE = """\
diff --git a/src/counterflownet/old.py b/src/counterflownet/old.py
--- a/src/counterflownet/old.py
+++ b/src/counterflownet/old.py
@@ -3 +3,2 @@ def one():
-    return 1
+    two = 2
+    return two
@@ -9,2 +10,0 @@ def other():
-    gone
-    gone
@@ -20 +19 @@
-a
+b
diff --git a/src/counterflownet/new.py b/src/counterflownet/new.py
--- /dev/null
+++ b/src/counterflownet/new.py
@@ -0,0 +1,3 @@
+x
+y
+z
"""


def test_lines_are_fresh_that_a_difference_adds(monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    from fresh import new_lines  # noqa: PLC0415 - as above

    found = new_lines(DIFFERENCE)
    assert found["src/counterflownet/old.py"] == {3, 4, 19}
    assert found["src/counterflownet/new.py"] == {1, 2, 3}


def test_what_was_noticed_at_first_stays_known_when_other_lines_change(monkeypatch, tmp_path) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))
    import results  # noqa: PLC0415 - as above

    monkeypatch.setattr(results, "RESULTS", tmp_path / "mutants.jsonl")
    found = {"file": "one.py", "text": "x = 1", "column": 4, "before": "1", "after": "2"}
    for code, killed_by in (("older", None), ("newer", "a new test")):
        results.append({**found, "killed_by": killed_by}, 0, code)
    (record,) = results.stored(0).values()
    assert (record["code"], record["killed_by"], record["at_first"]) == ("newer", "a new test", False)
