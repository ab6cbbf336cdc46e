"""Names and values that would act in a terminal are shown as escapes wherever the library writes them."""

import numpy as np
import pandas as pd
import pytest

from counterflownet import CounterFlowNet, Immutable, NotOneOf, OneOf, Schema
from counterflownet.errors import InvalidInputError
from counterflownet.explain.labels import Labels
from counterflownet.explain.wording import Change, sentence

RED = "\x1b[31m"
HIDDEN = "\u202e"


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    draw = np.random.default_rng(0)
    words = [f"{RED}no", f"y{HIDDEN}es", "maybe\r\n"]
    return pd.DataFrame({f"{RED}word": draw.choice(words, 90), f"size{HIDDEN}": draw.random(90).round(2)})


def harmless(text: str) -> bool:
    return all(sign.isprintable() or sign == "\n" for sign in text)


def test_a_printed_schema_shows_escapes(table) -> None:
    schema = Schema.infer(table)
    assert harmless(str(schema))
    assert "\\x1b[31mword" in str(schema)
    assert harmless(repr(schema[f"{RED}word"]))


@pytest.mark.parametrize(
    "cause",
    [
        lambda schema, table: schema.ordered_rows(table.rename(columns={f"{RED}word": "other"}), "rows"),
        lambda schema, _: OneOf(f"{RED}word", ["yes"]).columns(schema),
        lambda schema, _: Immutable("siz").columns(schema),
        lambda _, table: Schema.infer(table, orders={f"{RED}word": [f"{RED}no"]}),
    ],
)
def test_errors_show_escapes(table, cause) -> None:
    with pytest.raises(InvalidInputError) as caught:
        cause(Schema.infer(table), table)
    assert harmless(str(caught.value))
    assert "\\x1b[31m" in str(caught.value)


def test_sentences_show_escapes() -> None:
    labels = Labels.of({"a": {"label": f"{RED}a", "unit": HIDDEN, "values": {"3": RED}}})
    changes = [Change("a", 1, 2), Change("a", 1, 3), Change(f"{RED}b", f"{RED}x", f"y{HIDDEN}")]
    assert all(harmless(sentence(change, labels)) for change in changes)


def test_explanations_and_their_reasons_show_escapes(table) -> None:
    def likes(rows: pd.DataFrame) -> np.ndarray:
        return (rows[f"{RED}word"] == f"y{HIDDEN}es").to_numpy(dtype=float) * 0.8 + 0.1

    tiny = {"steps": 3, "batch_rows": 16, "width": 16}
    explainer = CounterFlowNet(likes, classes=[f"{RED}no", "yes"], training=tiny).fit(table, progress=False)
    rows = table[likes(table) < 0.5].head(4).set_axis([f"{RED}{n}" for n in range(4)], axis=0)
    bare = [Immutable(f"{RED}word"), NotOneOf(f"{RED}word", [rows.iloc[0, 0]])]
    answer = explainer.explain(rows, target="yes", row_constraints={f"{RED}0": bare})
    assert len(answer.row)
    assert harmless(repr(answer))
    assert harmless(answer.outcomes[0].reason)
    assert "leave no value" in answer.outcomes[0].reason
