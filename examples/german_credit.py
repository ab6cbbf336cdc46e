"""What would have to be different for a rejected loan applicant to be accepted?

Trains a classifier on German Credit, fits an explainer to it, and explains a few rejected applicants, who cannot change
their sex or their past, or get younger. Run: python examples/german_credit.py --report report.html
"""

import argparse
import time
from pathlib import Path

from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OrdinalEncoder

from counterflownet import CounterFlowNet, Immutable, Increasing, MaxChanges
from counterflownet.datasets import german_credit


def classifier() -> Pipeline:
    """Gradient boosting on the raw table, text columns included."""
    words = make_column_selector(dtype_exclude=["number", "bool"])
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    columns = make_column_transformer((encoder, words), remainder="passthrough")
    return make_pipeline(columns, HistGradientBoostingClassifier(max_depth=3, max_iter=80, random_state=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, default=Path("report.html"), help="where the HTML report goes")
    parser.add_argument("--steps", type=int, default=400, help="training steps of the explainer")
    options = parser.parse_args()

    data = german_credit()
    X_train, X_test, y_train, y_test = train_test_split(data.X, data.y, test_size=0.2, random_state=0)
    model = classifier().fit(X_train, y_train)
    score = model.score(X_test, y_test)
    print(f"{data.title}: the classifier is right about {score:.0%} of {len(X_test)} new applicants.")

    begun = time.perf_counter()
    explainer = CounterFlowNet(model, training={"steps": options.steps}, seed=0).fit(X_train, minutes=1.5)
    print(f"The explainer was fitted in {time.perf_counter() - begun:.0f} s.\n  {explainer.history}\n")

    rejected = X_test[model.predict(X_test) == "bad"].head(4)
    begun = time.perf_counter()
    answer = explainer.explain(
        rejected,
        target="good",
        count=5,
        constraints=[Immutable(*data.immutable), Increasing(*data.increasing), MaxChanges(3)],
    )
    print(f"{len(rejected)} rejected applicants, explained in {time.perf_counter() - begun:.2f} s:\n")
    print(answer)

    accepted = model.predict(answer.counterfactuals)
    print(
        f"\nThe classifier says 'good' to {(accepted == 'good').mean():.0%} of these {len(accepted)} counterfactuals."
    )
    answer.to_html(options.report, title="German Credit: what would have to be different?")
    print(f"The report is in {options.report}")


if __name__ == "__main__":
    main()
