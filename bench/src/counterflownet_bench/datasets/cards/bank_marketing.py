"""Bank Marketing: calls of a Portuguese bank that sells term deposits."""

from counterflownet_bench.datasets.card import DatasetCard
from counterflownet_bench.datasets.cards.published import dicoflex_split
from counterflownet_bench.datasets.column import Number, nominal, words

_NO_YES = ("no", "yes")

BANK_MARKETING = DatasetCard(
    name="bank_marketing",
    title="Bank Marketing",
    protocol="b",
    columns=(
        Number("age"),
        nominal(
            "job",
            words(
                "admin. blue-collar entrepreneur housemaid management retired self-employed services student "
                "technician unemployed unknown"
            ),
        ),
        nominal("marital", words("married single")),
        nominal("education", words("primary secondary tertiary unknown")),  # "unknown" stands outside the order
        nominal("default", _NO_YES),
        Number("balance"),
        nominal("housing", _NO_YES),
        nominal("loan", _NO_YES),
        nominal("contact", words("cellular telephone unknown")),
        Number("day"),
        nominal("month", words("jan feb mar apr may jun jul aug sep oct nov dec")),
        Number("duration"),
        Number("campaign"),
        Number("pdays"),
        Number("previous"),
        nominal("poutcome", words("failure other success unknown")),
    ),
    target="y",
    classes=("no", "yes"),
    class_labels=("no subscription", "subscription"),
    desirable="yes",
    train_count=16_001,
    test_count=10_000,
    train_sha256="37523a3868cc9fcaf728f8a3410d77d65a71fa855eb15a7c2509f04b7d06a834",
    test_sha256="10c6b2fd87d3e778aca2da0d42076190f3169245334d9dff623d2336c1e1aeee",
    split=(
        "the 40,004 rows of bank-full.csv whose marital status is not divorced, numpy's RandomState(1234).permutation, "
        "cut into halves; scikit-learn's train_test_split, stratified, random_state 42: 80 % of the first half train, "
        "10,000 rows of the second test"
    ),
    published=dicoflex_split("bank"),
    published_accuracy=0.9052,
    bundled=True,
    licence="CC BY 4.0",
    citation=(
        "Moro, S., Rita, P. and Cortez, P. (2014). Bank Marketing [Dataset]. UCI Machine Learning Repository. "
        "https://doi.org/10.24432/C5K306"
    ),
    source="https://archive.ics.uci.edu/dataset/222/bank+marketing",
    note="pdays -1 means not contacted before; duration is known only after the call.",
)
