"""Graduate Admission: the 500 rows of Protocol A, and the 400 of them that may be tried at once."""

from dataclasses import replace

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import l2c_split
from counterflownet_bench.datasets.column import Number, ordinal

_STRENGTHS = (1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0)

GRADUATE_ADMISSION = DatasetCard(
    name="graduate_admission",
    title="Graduate Admission",
    protocol="a",
    columns=(
        Number("GRE Score"),
        Number("TOEFL Score"),
        ordinal("University Rating", range(1, 6)),
        ordinal("SOP", _STRENGTHS),
        ordinal("LOR", _STRENGTHS),
        Number("CGPA"),
        ordinal("Research", (0, 1), labels=("no research", "research")),  # the protocol asks that it does not decrease
    ),
    target="Chance of Admit",
    classes=(0, 1),
    class_labels=("below 0.7", "0.7 or more"),
    desirable=1,
    immutable=("University Rating",),
    increasing=("Research",),
    train_count=400,
    test_count=100,
    train_sha256="d349336d32f6a038461c09557f600b63f3af5cf28b0477f55aa21388f100df52",
    test_sha256="46ac5ffb127fccf83328df1d2ccc1f71a392ed1374f90a68391ed3b89f2cafa6",
    split="Admission_Predict_Ver1.1.csv in its order; the first 400 rows train, the last 100 test",
    published=l2c_split("admission"),
    published_accuracy=0.906,
    bundled=False,
    licence="CC0 1.0",
    citation=(
        "Acharya, M. S., Armaan, A. and Antony, A. S. (2019). A Comparison of Regression Models for Prediction of "
        "Graduate Admissions. International Conference on Computational Intelligence in Data Science."
    ),
    source="https://www.kaggle.com/datasets/mohansacharya/graduate-admissions",
)

GRADUATE_ADMISSION_400 = replace(
    GRADUATE_ADMISSION,
    name="graduate_admission_400",
    title="Graduate Admission, the 400 rows of its first edition",
    train_count=320,
    test_count=80,
    train_sha256="",
    test_sha256="",
    split="the 400 training rows of graduate_admission; its first 320 train, its validation part of 80 is the test",
    published=None,
    published_accuracy=None,
    bundled=True,
    stand_in_for="graduate_admission",
    note="For trying Protocol A at once. The paper's 100 test rows are not among these, so no number compares with it.",
)
