"""The rows of each bundled table, made from the text of its source; cells are copied as text."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from counterflownet_bench.datasets.column import words

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
