import json

import pytest

from counterflownet.errors import InvalidInputError
from counterflownet_bench.datasets import CARDS, load_benchmark, protocol_names

BUNDLED = [name for name, card in CARDS.items() if card.bundled]
PUBLISHED = [name for name, card in CARDS.items() if not card.stand_in_for]
ALL = pytest.mark.parametrize("card", CARDS.values(), ids=lambda card: card.name)


def test_each_protocol_has_the_data_sets_of_the_paper():
    assert protocol_names("a") == ("german_credit", "adult_protocol_a", "graduate_admission", "student_performance")
    assert protocol_names("b") == (
        "adult_protocol_b",
        "bank_marketing",
        "credit_default",
        "give_me_some_credit",
        "lending_club",
    )


@ALL
def test_a_card_is_found_under_its_own_name(card):
    assert CARDS[card.name] is card
    assert card.title
    assert card.licence
    assert card.citation
    assert card.source.startswith("https://")


@ALL
def test_columns_are_named_once_and_the_target_is_none_of_them(card):
    assert len({*card.features, card.target}) == len(card.features) + 1
    assert sorted(card.continuous + card.categorical) == sorted(card.features)


@ALL
def test_categories_list_each_value_once_with_one_label_each(card):
    for category in card.categories:
        assert len(set(category.values)) == len(category.values) > 1
        assert len(category.labels) in {0, len(category.values)}
        assert len(set(category.labels)) == len(category.labels)
        assert len({type(value) for value in category.values}) == 1


@ALL
def test_the_desirable_class_is_one_of_two(card):
    assert len(set(card.classes)) == len(card.class_labels) == 2
    assert card.desirable in card.classes


@ALL
def test_constraints_name_features_and_only_features_with_an_order_must_not_decrease(card):
    for rules in (card.constraint_set("protocol"), *card.constraint_sets):
        assert set(rules.immutable) <= set(card.features)
        assert set(rules.increasing) <= {*card.continuous, *card.ordered}
        assert not set(rules.immutable) & set(rules.increasing)


@pytest.mark.parametrize(
    ("name", "country", "marriage"),
    [
        ("adult_protocol_a", "native-country", "marital-status"),
        ("adult_protocol_b", "native_country", "marital_status"),
    ],
)
def test_adult_has_the_three_constraint_sets_of_the_paper(name, country, marriage):
    one, two, three = (CARDS[name].constraint_set(f"set_{number}") for number in (1, 2, 3))
    assert (set(one.immutable), set(one.increasing)) == ({"sex", "race"}, {"age"})
    assert (set(two.immutable), set(two.increasing)) == ({"sex", "race", country}, {"age", "education"})
    assert set(three.immutable) == {"sex", "race", country, marriage}
    assert set(three.increasing) == {"age", "education"}


def test_protocol_b_leaves_every_feature_free():
    rules = [CARDS[name].constraint_set("protocol") for name in protocol_names("b")]
    assert all(not rule.immutable and not rule.increasing for rule in rules)


def test_an_unknown_constraint_set_is_an_error_that_names_the_known_ones():
    with pytest.raises(InvalidInputError, match=r"constraint set of adult_protocol_b 'set_4'.*protocol, set_1"):
        CARDS["adult_protocol_b"].constraint_set("set_4")


def test_an_unknown_category_is_an_error_that_names_the_known_ones():
    with pytest.raises(InvalidInputError, match=r"'eduction'\. Did you mean 'education'\?"):
        CARDS["adult_protocol_b"].category("eduction")


@pytest.mark.usefixtures("without_data_folder")
@pytest.mark.parametrize("name", BUNDLED)
def test_a_card_describes_the_bundled_rows(name):
    agrees_with_rows(load_benchmark(name))


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_card_describes_the_published_rows(name, published_folder):
    agrees_with_rows(load_benchmark(name, data=published_folder))


def agrees_with_rows(data) -> None:
    card, train = data.card, data.train
    assert (len(data.train), len(data.test)) == (card.train_count, card.test_count)
    for part in (data.train, data.test):
        assert list(part.columns) == [*card.features, card.target]
        assert set(part[card.target]) == set(card.classes)
        assert all(part[category.name].isin(category.values).all() for category in card.categories)
    assert all(train[name].dtype.kind in "if" for name in card.continuous)
    assert all(isinstance(train[c.name].tolist()[0], type(c.values[0])) for c in card.categories)


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_declared_value_occurs(name, published_folder):
    data = load_benchmark(name, data=published_folder)
    for category in data.card.categories:
        assert set(category.values) == {*data.train[category.name], *data.test[category.name]}


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_card_says_what_the_description_beside_the_files_says(name, published_folder):
    facts, card = json.loads((published_folder / name / "dataset.json").read_text(encoding="utf-8")), CARDS[name]
    rules = facts["constraints"][card.protocol.upper()]
    assert sorted(card.continuous) == sorted(facts["continuous"])
    assert {c.name for c in card.categories} == {c["name"] for c in facts["categorical"]}
    assert card.target == facts["target"]
    assert set(map(str, card.classes)) == set(facts["classes"])
    assert str(card.desirable) == facts["positive_class"]
    assert sorted(card.immutable) == sorted(rules["immutable"])
    assert sorted(card.increasing) == sorted(rules["monotone_increasing"])
    assert card.train_sha256 == facts["files"]["train.csv"]["sha256"]
    assert card.test_sha256 == facts["files"]["test.csv"]["sha256"]


@pytest.mark.parametrize("name", PUBLISHED)
def test_orders_are_those_of_the_description_beside_the_files(name, published_folder):
    facts, card = json.loads((published_folder / name / "dataset.json").read_text(encoding="utf-8")), CARDS[name]
    for column in facts["categorical"]:
        values = list(map(str, card.category(column["name"]).values))
        assert values == column["order"] if column["ordinal"] else set(values) == set(column["values"])
