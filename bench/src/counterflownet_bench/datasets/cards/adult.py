"""Adult (Census Income), in the two forms of the two protocols."""

from counterflownet_bench.datasets.card import ConstraintSet, DatasetCard
from counterflownet_bench.datasets.cards.published import dicoflex_split
from counterflownet_bench.datasets.column import Number, nominal, ordinal, words

EDUCATION = words(
    "Preschool 1st-4th 5th-6th 7th-8th 9th 10th 11th 12th HS-grad Some-college Assoc-voc Assoc-acdm Bachelors Masters "
    "Prof-school Doctorate"
)
_WORKCLASS = words("Federal-gov Local-gov Never-worked Private Self-emp-inc Self-emp-not-inc State-gov Without-pay")
_MARITAL_STATUS = words(
    "Divorced Married-AF-spouse Married-civ-spouse Married-spouse-absent Never-married Separated Widowed"
)
_OCCUPATION = words(
    "Adm-clerical Armed-Forces Craft-repair Exec-managerial Farming-fishing Handlers-cleaners Machine-op-inspct "
    "Other-service Priv-house-serv Prof-specialty Protective-serv Sales Tech-support Transport-moving"
)
_RELATIONSHIP = words("Husband Not-in-family Other-relative Own-child Unmarried Wife")
_RACE = words("Amer-Indian-Eskimo Asian-Pac-Islander Black Other White")
_SEX = words("Female Male")
_COUNTRY = words(
    "Cambodia Canada China Columbia Cuba Dominican-Republic Ecuador El-Salvador England France Germany Greece "
    "Guatemala Haiti Holand-Netherlands Honduras Hong Hungary India Iran Ireland Italy Jamaica Japan Laos Mexico "
    "Nicaragua Outlying-US(Guam-USVI-etc) Peru Philippines Poland Portugal Puerto-Rico Scotland South Taiwan Thailand "
    "Trinadad&Tobago United-States Vietnam Yugoslavia"
)
_LICENCE = "CC BY 4.0"
_CITATION = (
    "Becker, B. and Kohavi, R. (1996). Adult [Dataset]. UCI Machine Learning Repository. "
    "https://doi.org/10.24432/C5XW20"
)
_SOURCE = "https://archive.ics.uci.edu/dataset/2/adult"


def _constraint_sets(country: str, marital_status: str) -> tuple[ConstraintSet, ...]:
    """The three sets of the paper's study, each stricter than the one before."""
    return (
        ConstraintSet("set_1", ("sex", "race"), ("age",)),
        ConstraintSet("set_2", ("sex", "race", country), ("age", "education")),
        ConstraintSet("set_3", ("sex", "race", country, marital_status), ("age", "education")),
    )


ADULT_PROTOCOL_A = DatasetCard(
    name="adult_protocol_a",
    title="Adult (Census Income), Protocol A",
    protocol="a",
    columns=(
        Number("age"),
        nominal("workclass", (value for value in _WORKCLASS if value != "Never-worked")),
        ordinal("education", EDUCATION),
        ordinal("education-num", range(1, 17)),
        nominal("marital-status", _MARITAL_STATUS),
        nominal("occupation", _OCCUPATION),
        nominal("relationship", _RELATIONSHIP),
        nominal("race", _RACE),
        nominal("sex", _SEX),
        Number("capital-gain"),
        Number("capital-loss"),
        Number("hours-per-week"),
        nominal("native-country", _COUNTRY),
    ),
    target="income",
    classes=("<=50K", ">50K"),
    class_labels=("at most 50,000 dollars a year", "more than 50,000 dollars a year"),
    desirable=">50K",
    immutable=("race", "sex", "native-country", "marital-status"),
    increasing=("age", "education"),
    constraint_sets=_constraint_sets("native-country", "marital-status"),
    train_count=36_177,
    test_count=9_045,
    train_sha256="416a8d3b7c711331b09114f51aa3edb04fff12fbd944de858342c5fe98dda45b",
    test_sha256="d53719d3f5f86f606fefd17f4abb81df0f09d3493beb7df58c6f22e27bb98cfd",
    split=(
        "the rows of adult.data and adult.test without a missing value, numpy's RandomState(18).permutation, the first "
        "36,177 train, the rest test; the sizes are L2C's, but its own drawing was never published"
    ),
    published_accuracy=0.8553,
    bundled=True,
    licence=_LICENCE,
    citation=_CITATION,
    source=_SOURCE,
    note="education-num is education as a number, so the two change together or contradict each other.",
)

ADULT_PROTOCOL_B = DatasetCard(
    name="adult_protocol_b",
    title="Adult (Census Income), Protocol B",
    protocol="b",
    columns=(
        Number("age"),
        nominal("workclass", ("?", *_WORKCLASS)),
        ordinal("education", EDUCATION),
        nominal("marital_status", _MARITAL_STATUS),
        nominal("occupation", ("?", *_OCCUPATION)),
        nominal("relationship", _RELATIONSHIP),
        nominal("race", _RACE),
        nominal("sex", _SEX),
        Number("capital_gain"),
        Number("capital_loss"),
        Number("hours_per_week"),
        nominal("native_country", ("Other", "United-States")),
    ),
    target="income",
    classes=("<=50K", ">50K"),
    class_labels=("at most 50,000 dollars a year", "more than 50,000 dollars a year"),
    desirable=">50K",
    constraint_sets=_constraint_sets("native_country", "marital_status"),
    train_count=24_000,
    test_count=10_000,
    train_sha256="86c536b0088f4c45445ceb8f8e07368ba58557c37d7d57c260d0ed19f8f67269",
    test_sha256="61a61cdf8ff9aa39595300978afa60e6c761c69eee8dc68a529ec5cd34ffd096",
    split=(
        "scikit-learn's train_test_split, stratified, random_state 42: 30,000 rows of adult.data, of them 80 % train; "
        "10,000 rows of adult.test"
    ),
    published=dicoflex_split("adult"),
    published_accuracy=0.8474,
    bundled=True,
    licence=_LICENCE,
    citation=_CITATION,
    source=_SOURCE,
    note='"?" is a category of its own; every country but the United States is "Other".',
)
