"""``import counterflownet``: every public name is there when it is asked for, and nothing is imported before."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import counterflownet

PUBLIC = [name for name in counterflownet.__all__ if not name.startswith("__")]


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_imported(name) -> None:
    assert getattr(counterflownet, name) is not None


def test_a_type_checker_reads_the_same_names_as_a_program() -> None:
    tree = ast.parse(Path(counterflownet.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "counterflownet." in node.module]
    read = {alias.asname or alias.name for node in imports for alias in node.names}
    assert read == set(counterflownet.__all__) == set(dir(counterflownet))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'CounterFlow'"):
        counterflownet.CounterFlow  # noqa: B018 - asking is the test


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, counterflownet; sys.exit(', '.join({'torch', 'pandas', 'sklearn', 'faiss'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.stderr.strip() == ""
