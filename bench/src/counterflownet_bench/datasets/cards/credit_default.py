"""Default of Credit Card Clients: customers of a bank in Taiwan, 2005."""

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import dicoflex_split
from counterflownet_bench.datasets.column import Number, nominal, ordinal

_DELAYS = (-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8)
_DELAYS_WITHOUT_ONE = (-2, -1, 0, 2, 3, 4, 5, 6, 7, 8)

CREDIT_DEFAULT = DatasetCard(
    name="credit_default",
    title="Default of Credit Card Clients (Taiwan)",
    protocol="b",
    columns=(
        Number("LIMIT_BAL"),
        nominal("SEX", (1, 2), labels=("male", "female")),
        nominal(
            "EDUCATION",
            range(7),
            labels=(
                "undocumented (0)",
                "graduate school",
                "university",
                "high school",
                "others",
                "undocumented (5)",
                "undocumented (6)",
            ),
        ),
        nominal("MARRIAGE", range(4), labels=("undocumented (0)", "married", "single", "others")),
        Number("AGE"),
        ordinal("PAY_0", _DELAYS),
        ordinal("PAY_2", _DELAYS),
        ordinal("PAY_3", _DELAYS),
        ordinal("PAY_4", _DELAYS),
        ordinal("PAY_5", _DELAYS_WITHOUT_ONE),
        ordinal("PAY_6", _DELAYS_WITHOUT_ONE),
        *(Number(f"BILL_AMT{month}") for month in range(1, 7)),
        *(Number(f"PAY_AMT{month}") for month in range(1, 7)),
    ),
    target="default payment next month",
    classes=(0, 1),
    class_labels=("no default", "default"),
    desirable=0,
    train_count=21_600,
    test_count=3_000,
    train_sha256="d3b3401052f290853662e6997f8c71c5ad3b24b3e5e6b1d14f78b801763a41aa",
    test_sha256="5c489e75682905949088910e347e97565d39f5b907ed62adfdef2e443dff300c",
    split=(
        "the 30,000 rows in file order, numpy's RandomState(1234).permutation, the last 3,000 test; scikit-learn's "
        "train_test_split of the first 27,000, stratified, random_state 42: 80 % train"
    ),
    published=dicoflex_split("default"),
    published_accuracy=0.8117,
    bundled=True,
    licence="CC BY 4.0",
    citation=(
        "Yeh, I. (2009). Default of Credit Card Clients [Dataset]. UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C55S3H"
    ),
    source="https://archive.ics.uci.edu/dataset/350/default+of+credit+card+clients",
    note="PAY_*: -1 is paid duly, 1 to 8 are months of delay; -2 and 0 are not documented.",
)
