"""What an explainer says about the columns it has learned from."""


def test_an_explainer_knows_the_type_that_each_column_had_in_training(explainer, people) -> None:
    assert explainer.dtypes == people.dtypes.to_dict()
