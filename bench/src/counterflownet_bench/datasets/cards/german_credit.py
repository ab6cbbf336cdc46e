"""German Credit with the level numbers of Protocol A, and its misspelt column names."""

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import l2c_split
from counterflownet_bench.datasets.column import Number, nominal, ordinal

# The labels are those of the bundled table, from which the level numbers are made again.
_COLUMNS = (
    nominal("Checking-account", range(1, 5), labels=("< 0 DM", "0-200 DM", ">= 200 DM", "none")),
    Number("Months"),
    nominal(
        "Credit-history",
        range(5),
        labels=(
            "no credits or all repaid",
            "all repaid at this bank",
            "existing repaid so far",
            "delays in the past",
            "critical or credits elsewhere",
        ),
    ),
    nominal(
        "Purpose",
        (0, 1, 2, 3, 4, 5, 6, 8, 9, 10),
        labels=(
            "new car",
            "used car",
            "furniture",
            "radio or television",
            "appliances",
            "repairs",
            "education",
            "retraining",
            "business",
            "other",
        ),
    ),
    Number("Credit-amount"),
    # 1 to 4 are ordered, 5 stands outside
    nominal(
        "Savings-account",
        range(1, 6),
        labels=("< 100 DM", "100-500 DM", "500-1000 DM", ">= 1000 DM", "unknown or none"),
    ),
    ordinal(
        "Present-employment-since",
        range(1, 6),
        labels=("unemployed", "< 1 year", "1-4 years", "4-7 years", ">= 7 years"),
    ),
    ordinal("Insatllment-rate", range(1, 5)),
    nominal("Personal-status", (0, 1), labels=("female", "male")),
    nominal("Other-debtors", range(1, 4), labels=("none", "co-applicant", "guarantor")),
    ordinal("Present-residence-since", range(1, 5)),
    nominal(
        "Property",
        range(1, 5),
        labels=("real estate", "savings agreement or life insurance", "car or other", "unknown or none"),
    ),
    Number("age"),
    nominal("Other-installment-plans", range(1, 4), labels=("bank", "stores", "none")),
    nominal("Housing", range(1, 4), labels=("rent", "own", "free")),
    ordinal("Number-of-existing-credits", range(1, 5)),
    ordinal(
        "Job",
        range(1, 5),
        labels=(
            "unemployed or unskilled non-resident",
            "unskilled resident",
            "skilled",
            "management or highly qualified",
        ),
    ),
    ordinal("Number-of-people-being-lible", (1, 2)),
    nominal("Telephone", (1, 2), labels=("no", "yes")),
    nominal("Foreign-worker", (1, 2), labels=("yes", "no")),
)

GERMAN_CREDIT = DatasetCard(
    name="german_credit",
    title="German Credit (Statlog)",
    protocol="a",
    columns=_COLUMNS,
    target="target",
    classes=(0, 1),
    class_labels=("bad", "good"),
    desirable=1,
    immutable=("Foreign-worker", "Number-of-people-being-lible", "Personal-status", "Purpose"),
    increasing=("age", "Months", "Present-employment-since", "Present-residence-since"),
    train_count=800,
    test_count=200,
    train_sha256="b6e2e0400d687c282bef55f83edfe9489ae14dee4b4a5116420b31af611752ab",
    test_sha256="3d34288ca213c07dc65cee0b04619c06d6b78d0ece3c10807c7ced75953e5c1e",
    split="numpy's RandomState(18).permutation over german.data; the first 800 train, the last 200 test",
    published=l2c_split("german"),
    published_accuracy=0.67,
    bundled=True,
    licence="CC BY 4.0",
    citation=(
        "Hofmann, H. (1994). Statlog (German Credit Data) [Dataset]. UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C5NC77"
    ),
    source="https://archive.ics.uci.edu/dataset/144/statlog+german+credit+data",
    note="Personal-status holds the sex only; column names are spelt as in the published files.",
)
