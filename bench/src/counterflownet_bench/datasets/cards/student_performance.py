"""Student Performance: pupils of two Portuguese schools, one to learn from and one to test on."""

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import l2c_split
from counterflownet_bench.datasets.column import Number, nominal, ordinal

_SCHOOLING = ("none", "primary", "5th to 9th grade", "secondary", "higher")
_NO_YES = ("no", "yes")
_ONE_TO_FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)

STUDENT_PERFORMANCE = DatasetCard(
    name="student_performance",
    title="Student Performance (Portuguese language course)",
    protocol="a",
    columns=(
        Number("age"),
        ordinal("Medu", (0.0, 1.0, 2.0, 3.0, 4.0), labels=_SCHOOLING),
        ordinal("Fedu", (0.0, 1.0, 2.0, 3.0, 4.0), labels=_SCHOOLING),
        ordinal(
            "studytime",
            (1.0, 2.0, 3.0, 4.0),
            labels=("< 2 hours a week", "2-5 hours a week", "5-10 hours a week", "> 10 hours a week"),
        ),
        nominal("famsup", _NO_YES),
        nominal("higher", _NO_YES),
        nominal("internet", _NO_YES),
        nominal("romantic", _NO_YES),
        ordinal("freetime", _ONE_TO_FIVE),
        ordinal("goout", _ONE_TO_FIVE),
        ordinal("health", _ONE_TO_FIVE),
        Number("absences"),
        Number("G1"),
        Number("G2"),
    ),
    target="label",
    classes=(0, 1),
    class_labels=("final grade below 12", "final grade of 12 or more"),
    desirable=1,
    immutable=("Medu", "Fedu", "famsup", "G1"),
    increasing=("age",),
    train_count=423,
    test_count=226,
    train_sha256="abb5b6cceb67426eddd919354fde9e37fac3f55693ee97561602a9447b90f18b",
    test_sha256="18612d865fb82baf1caf2ada5660590cec7f39af8d28103bfd73326cf17b0cac",
    split="the rows of student-por.csv in their order; school GP trains, school MS tests",
    published=l2c_split("student"),
    published_accuracy=0.9469,
    bundled=True,
    licence="CC BY 4.0",
    citation=(
        "Cortez, P. (2008). Student Performance [Dataset]. UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C5TG7T"
    ),
    source="https://archive.ics.uci.edu/dataset/320/student+performance",
    note="14 of the 33 columns; L2C's text keeps Medu and Fedu only, its code famsup and G1 too.",
)
