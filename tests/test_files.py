import os
import stat
from pathlib import Path

import pytest

from counterflownet.errors import InvalidInputError
from counterflownet.files import write_atomically


@pytest.fixture
def old(tmp_path) -> Path:
    """A file that is there already."""
    path = tmp_path / "settings.json"
    path.write_text("old")
    return path


def test_text_and_bytes_are_written_as_they_are(tmp_path):
    assert write_atomically(tmp_path / "a.txt", "zwölf\n").read_bytes() == "zwölf\n".encode()
    assert write_atomically(tmp_path / "b.bin", b"\x00\r\n").read_bytes() == b"\x00\r\n"


def test_missing_folders_are_made_and_paths_may_be_text(tmp_path):
    path = write_atomically(str(tmp_path / "new" / "deep" / "a.txt"), "x")
    assert path == tmp_path / "new" / "deep" / "a.txt"
    assert path.read_text() == "x"


def test_an_existing_file_is_replaced_and_nothing_else_is_left(old):
    write_atomically(old, "new")
    assert old.read_text() == "new"
    assert list(old.parent.iterdir()) == [old]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failing_write_leaves_the_old_file_and_nothing_else(old, monkeypatch, failing):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(*{"fsync": (os, "fsync"), "replace": (Path, "replace")}[failing], fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomically(old, "new")
    assert old.read_text() == "old"
    assert list(old.parent.iterdir()) == [old]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(old, monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(old, "new")
    assert [path.read_text() for path in old.parent.iterdir()] == ["old"]


def test_text_that_cannot_be_encoded_leaves_the_old_file_and_nothing_else(old):
    with pytest.raises(UnicodeEncodeError):
        write_atomically(old, "\ud800")
    assert [path.read_text() for path in old.parent.iterdir()] == ["old"]


def test_a_folder_is_not_replaced(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidInputError, match="is a folder"):
        write_atomically(tmp_path / "folder", "x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_readers_see_the_old_file_or_the_new_one(old, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(old.read_text()))
    write_atomically(old, "new")
    assert seen == ["old"]


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_file_is_as_readable_as_the_process_allows(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        path = write_atomically(tmp_path / "a.txt", "x")
        assert os.umask(umask) == umask  # the process's own mask was left alone
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == mode
