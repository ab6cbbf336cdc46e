"""What the name of a column says of it, in English and German, however it is written."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import Schema
from counterflownet.tabular.relations.usual_names import Usual, usual


def said(name: str | int, values=(1, 2, 3)) -> Usual | None:
    frame = pd.DataFrame({name: list(values)})
    return usual(Schema.infer(frame)[name])


@pytest.mark.parametrize(
    "name",
    [
        *(
            "sex",
            "Sex",
            "SEX",
            "personal_status_sex",
            "personStatusSex",
            "gender-identity",
            "Geschlecht",
            "geschlecht_m",
        ),
        *("race", "ethnicity", "Ethnic Group", "native-country", "NativeCountry", "country_of_origin", "nationality"),
        *("Staatsangehörigkeit", "Nationalität", "Herkunftsland", "foreign_worker"),
        *("birth_date", "dateOfBirth", "DOB", "year born", "birthplace", "Geburtsdatum", "geburtsort", "GeburtsLand"),
        *("age_at_diagnosis", "Alter bei Abschluss"),
    ],
)
def test_people_cannot_change_it(name) -> None:
    assert said(name) is Usual.FIXED


@pytest.mark.parametrize(
    "name",
    [
        *("age", "AGE", "ageYears", "age_in_years", "Alter", "lebensalter", "Age (years)"),
        *("TotalWorkingYears", "yrs_married", "years_of_experience", "Berufserfahrung", "Berufsjahre"),
    ],
)
def test_it_can_only_rise(name) -> None:
    assert said(name) is Usual.ONLY_RISES


@pytest.mark.parametrize(
    "name",
    [
        *("mileage", "average", "package", "wage", "language", "Essex", "trace", "grace_period", "brace", "embrace"),
        *("median_age", "birth_rate", "car_age", "house age", "native", "origin", "country", "alternative", "stage"),
        *("number_of_births", "income", "0", "rebirthing", "agenda", "Verwaltung", "altersvorsorge_betrag"),
        *("YearsAtCompany", "YearsSinceLastPromotion", "married", "experience", "working_hours", "year"),
    ],
)
def test_it_says_nothing(name) -> None:
    assert said(name) is None


def test_an_age_in_words_without_an_order_can_only_be_fixed() -> None:
    assert said("age_group", ["18-30", "31-50"]) is Usual.FIXED


def test_a_race_of_many_times_is_one_of_runners() -> None:
    assert said("race_time", np.linspace(9.8, 12.3, 100)) is None


def test_a_number_as_a_name_says_nothing() -> None:
    assert said(7) is None
