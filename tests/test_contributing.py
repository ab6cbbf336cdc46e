"""The guide for contributors names files, targets and layers that exist."""

import re
import tomllib

import pytest

from markdown_examples import ROOT

GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYERS = {contract["containers"][0]: contract["layers"] for contract in CONTRACTS if contract["type"] == "layers"}
PICTURE = next(
    block for block in re.findall(r"```text\n(.*?)```", GUIDE, re.DOTALL) if " counterflownet_bench\n" in block
)
WIDTH = PICTURE.index("counterflownet_bench") - 1  # where its right half begins


def test_every_path_it_names_exists() -> None:
    paths = re.findall(r"`([\w.]+/[\w./]+|[A-Z]+\.md|[\w.]+\.toml)`", GUIDE) + re.findall(r"\S*tests/\S+\.py", GUIDE)
    paths = [path.strip("`|,") for path in paths if path != "ATTRIBUTION.md"]
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_target_it_names_is_one() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"(?:^|`)make ([a-z]+)", GUIDE, re.MULTILINE))
    assert targets >= {"setup", "test", "tests", "lint", "help"}
    assert all(f"\n{target}:" in makefile for target in targets)


@pytest.mark.parametrize("package", LAYERS)
def test_the_picture_shows_the_layers_that_are_checked(package) -> None:
    source, half = ("bench/src", slice(WIDTH, None)) if package.endswith("bench") else ("src", slice(WIDTH))
    lines = [line[half] for line in PICTURE.splitlines()[1:]]
    shown = [match[1] for line in lines if (match := re.match(r" (?: \| )?([a-z_]+) {2,}", line))]
    rooms = {path.parent.name for path in (ROOT / source / package).glob("*/__init__.py")}
    checked = [name for layer in LAYERS[package] for name in layer.split(" | ") if name in rooms]
    assert shown == checked
