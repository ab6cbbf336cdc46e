"""German Credit with readable labels: a thousand applicants of a bank, each a good or a bad risk."""

from counterflownet.datasets.bundled import bundled_table, with_orders
from counterflownet.datasets.table import Dataset

_ORDERS = {
    "employment_since": ("unemployed", "< 1 year", "1-4 years", "4-7 years", ">= 7 years"),
    "job": ("unemployed or unskilled non-resident", "unskilled resident", "skilled", "management or highly qualified"),
}


def german_credit() -> Dataset:
    """1,000 rows with 20 features, in the order of the original file; 700 are "good", 300 "bad"."""
    frame = with_orders(bundled_table("german_credit.csv", booleans=True), _ORDERS)
    return Dataset(
        name="german_credit",
        title="German Credit (Statlog)",
        X=frame.drop(columns="risk"),
        y=frame["risk"],
        target="risk",
        desirable="good",
        immutable=("sex", "foreign_worker", "dependents", "purpose"),
        increasing=("age", "employment_since", "residence_since"),
        licence="CC BY 4.0",
        citation=(
            "Hofmann, H. (1994). Statlog (German Credit Data) [Dataset]. UCI Machine Learning Repository. "
            "https://doi.org/10.24432/C5NC77"
        ),
        source="https://archive.ics.uci.edu/dataset/144/statlog+german+credit+data",
    )
