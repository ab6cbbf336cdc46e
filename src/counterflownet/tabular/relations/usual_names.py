"""Columns that people usually cannot change, told by the words in their names, English or German."""

import re
from collections.abc import Iterable
from enum import Enum
from unicodedata import normalize

from counterflownet.tabular.feature import ColumnName, Feature

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
MOST_GROUPS = 60  # different values: more, and "race" is a race of horses

AGES = {"age", "alter", "lebensalter", "altersjahre"}
YEARS = {"year", "years", "yr", "yrs", "jahre", "jahren"}
LIVED = {"working", "experience", "married"}  # years of them only grow; those at a company or in a job begin anew
YEARS_LIVED = {"berufsjahre", "berufserfahrung", "ehejahre"}
REPLACED = {"house", "housing", "home", "building", "property", "car", "vehicle", "auto", "machine", "equipment"}
AT_A_TIME = {"at", "when", "bei"}  # age at diagnosis: a fact of the past
BIRTH = {"birth", "birthdate", "birthday", "birthplace", "birthyear", "born", "dob", "geburt", "geboren"}
BIRTH_PARTS = ("geburts",)  # Geburtsdatum, Geburtsort, Geburtsland, Geburtsjahr
GROUPS = {"sex", "gender", "race", "ethnicity", "ethnic", "geschlecht", "ethnie", "hautfarbe"}
ORIGINS = {"nationality", "staatsangehoerigkeit", "nationalitaet", "herkunft", "herkunftsland"}
PAIRS = (
    {"native", "country"},
    {"native", "language"},
    {"country", "origin"},
    {"national", "origin"},
    {"foreign", "worker"},
)
NOT_OF_A_PERSON = {"rate", "rates", "ratio", "count", "number", "share", "percent", "pct", "mean", "avg", "median"}


class Usual(Enum):
    """What people can do about a column, as far as its name says."""

    FIXED = "is nothing that a person can change"
    ONLY_RISES = "can only rise"


def usual(feature: Feature) -> Usual | None:
    """What the name of a column says of it; None if it says nothing."""
    words = words_of(feature.name)
    if not words or NOT_OF_A_PERSON & set(words):
        return None
    if AGES & set(words) and not REPLACED & set(words):  # who buys another car may find it younger
        return Usual.ONLY_RISES if feature.has_order and not AT_A_TIME & set(words) else Usual.FIXED
    if feature.has_order and _of_years_lived(set(words)):
        return Usual.ONLY_RISES
    return Usual.FIXED if _of_birth(words) or _of_a_group(feature, words) else None


def words_of(name: ColumnName) -> list[str]:
    """The words of a name in small letters, be it written with _, -, blanks or capitals.

    >>> words_of("dateOfBirth"), words_of("NATIVE-COUNTRY"), words_of("Geschlecht_m")
    (['date', 'of', 'birth'], ['native', 'country'], ['geschlecht', 'm'])
    """
    letters = normalize("NFC", str(name)).translate(UMLAUTS)
    return [word.lower() for word in WORD.findall(letters)]


def _of_years_lived(words: set[str]) -> bool:
    return bool(YEARS_LIVED & words or (YEARS & words and LIVED & words))


def _of_birth(words: Iterable[str]) -> bool:
    return any(word in BIRTH or word.startswith(BIRTH_PARTS) for word in words)


def _of_a_group(feature: Feature, words: Iterable[str]) -> bool:
    told = set(words)
    if ORIGINS & told or any(pair <= told for pair in PAIRS):
        return True
    few = feature.code_count <= MOST_GROUPS and not (feature.numeric and len(feature.fine) > MOST_GROUPS)
    return bool(GROUPS & told) and few
