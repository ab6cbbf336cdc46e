"""Lending Club: loans between private people, repaid or not."""

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import dicoflex_split
from counterflownet_bench.datasets.column import Number, nominal, ordinal, words

LENDING_CLUB = DatasetCard(
    name="lending_club",
    title="Lending Club",
    protocol="b",
    columns=(
        Number("loan_amnt"),
        ordinal("term", ("36 months", "60 months")),
        Number("int_rate"),
        Number("installment"),
        ordinal("grade", words("A B C D E F G")),  # A is the best
        ordinal("emp_length", ("< 1 year", "1 year", *(f"{years} years" for years in range(2, 10)), "10+ years")),
        nominal("home_ownership", words("MORTGAGE OWN RENT")),
        Number("annual_inc"),
        Number("dti"),
        Number("delinq_2yrs"),
        Number("fico_range_low"),
        Number("fico_range_high"),
    ),
    target="loan_status",
    classes=("Charged Off", "Fully Paid"),
    class_labels=("charged off", "repaid"),
    desirable="Fully Paid",
    train_count=24_000,
    test_count=10_000,
    train_sha256="ff505a9684665c9d5e5e155b76bde9580a2efa78a5c753906869682fc8f862a2",
    test_sha256="ec47c359c20874ae6447ff67310f001feb40570e47a07cf085d78c40bff43a9f",
    split="as published; how its rows were drawn from the loan statistics cannot be retraced",
    published=dicoflex_split("lending-club"),
    published_accuracy=0.8065,
    bundled=False,
    licence="not redistributable",
    citation="George, N. All Lending Club loan data. Kaggle dataset, from the loan statistics of Lending Club.",
    source="https://www.kaggle.com/datasets/wordsforthewise/lending-club",
)
