"""Give Me Some Credit: anonymous credit users of a Kaggle competition."""

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import dicoflex_split
from counterflownet_bench.datasets.column import Number, ordinal

GIVE_ME_SOME_CREDIT = DatasetCard(
    name="give_me_some_credit",
    title="Give Me Some Credit",
    protocol="b",
    columns=(
        Number("RevolvingUtilizationOfUnsecuredLines"),
        Number("age"),
        ordinal("NumberOfTime30-59DaysPastDueNotWorse", (*range(11), 12, 96, 98)),
        Number("DebtRatio"),
        Number("MonthlyIncome"),
        Number("NumberOfOpenCreditLinesAndLoans"),
        Number("NumberOfTimes90DaysLate"),
        Number("NumberRealEstateLoansOrLines"),
        ordinal("NumberOfTime60-89DaysPastDueNotWorse", (*range(7), 8, 9, 11, 96, 98)),
        ordinal("NumberOfDependents", (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)),
    ),
    target="SeriousDlqin2yrs",
    classes=(0, 1),
    class_labels=("no serious delinquency", "serious delinquency"),
    desirable=0,
    train_count=24_000,
    test_count=10_000,
    train_sha256="9ac11f374f89fb1315d8fd3a07dd6757ff83da8d87408a0b28f7cb74560c09a7",
    test_sha256="a80432f4f648074e77cc6cff1cc2b622154275a543f3bdae238b844857c33dca",
    split=(
        "the first 100,000 rows of cs-training.csv without a missing value, shuffled by numpy's seeds 1234 to 1357 one "
        "after the other, cut into halves; scikit-learn's train_test_split, stratified, random_state 5: 80 % of 30,000 "
        "rows of the first half train, 10,000 rows of the second test"
    ),
    published=dicoflex_split("gmc"),
    published_accuracy=0.9316,
    bundled=False,
    licence="Kaggle competition rules: not redistributable",
    citation="Credit Fusion and Cukierski, W. (2011). Give Me Some Credit. Kaggle competition.",
    source="https://www.kaggle.com/c/GiveMeSomeCredit",
    note="96 and 98 in the past-due counts are special codes; ratios and income have very large outliers.",
)
