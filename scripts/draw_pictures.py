"""Draws docs/images/answer.svg, the README's picture, from a real answer: python scripts/draw_pictures.py."""

import os
import re
import sys
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from rich.console import Console
from rich.text import Text
from sklearn.model_selection import train_test_split

from counterflownet import CounterFlowNet, Immutable, Increasing, MaxChanges
from counterflownet.datasets import german_credit

ROOT = Path(__file__).parent.parent
FONTS = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)  # rich's come from another host; the page's own will do
sys.path.insert(0, str(ROOT / "examples"))
from german_credit import classifier  # noqa: E402 - the classifier of the demo


def main() -> None:
    data = german_credit()
    X_train, X_test, y_train, _ = train_test_split(data.X, data.y, test_size=0.2, random_state=0)
    model = classifier().fit(X_train, y_train)
    explainer = CounterFlowNet(model, training={"steps": 300}, seed=0).fit(X_train)
    constraints = [Immutable(*data.immutable), Increasing(*data.increasing), MaxChanges(3)]
    rejected = X_test[model.predict(X_test) == "bad"].head(1)
    answer = explainer.explain(rejected, target="good", count=5, constraints=constraints)
    with patch("sys.stdout.isatty", return_value=True), patch.dict(os.environ, {"COLUMNS": "96"}):
        coloured = Text.from_ansi(repr(answer))
    console = Console(record=True, width=98, file=StringIO())
    console.print(Text(">>> explainer.explain(applicant, target='good', constraints=[...])", style="bold green"))
    console.print(coloured)
    picture = FONTS.sub("", console.export_svg(title="CounterFlowNet"))
    (ROOT / "docs" / "images" / "answer.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
