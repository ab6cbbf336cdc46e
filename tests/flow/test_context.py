"""What the flow is conditioned on."""

from dataclasses import replace

import pytest
import torch

from counterflownet._space import CodeSpace, everything_allowed
from counterflownet.flow.context import Context, Questions
from counterflownet.seeds import seeded_networks

SPACE = CodeSpace((4, 3))


def test_where_in_its_bin_a_value_lies_makes_a_difference_once_it_is_learned(make_questions) -> None:
    questions = make_questions(SPACE, 5)
    with seeded_networks(0):
        context = Context(SPACE, 2, 8)
    middle = context(replace(questions, offset=None))
    assert torch.equal(context(questions), middle)  # it begins without a slope
    torch.nn.init.normal_(context.slopes)
    assert not torch.allclose(context(questions), middle)
    assert torch.allclose(context(replace(questions, offset=torch.zeros_like(questions.offset))), middle)
    assert torch.allclose(context(questions[torch.tensor([3, 1])]), context(questions)[[3, 1]], atol=1e-6)


@pytest.mark.parametrize("feature_count", [1, 2, 6])
def test_a_sum_of_however_many_cells_begins_with_variance_one(feature_count) -> None:
    space = CodeSpace((30,) * feature_count)
    factual = torch.randint(30, (200, feature_count), generator=torch.Generator().manual_seed(0))
    with seeded_networks(0):
        context = Context(space, 2, 512)
    asked = Questions(factual, torch.arange(200) % 2, everything_allowed(space, factual))
    assert context(asked).var().item() == pytest.approx(1.0, rel=0.08)


def test_missing_and_never_seen_values_begin_without_any_meaning() -> None:
    missing = torch.tensor(SPACE.code_counts)
    factual, target = torch.stack([missing, missing + 1]), torch.tensor([1, 1])
    with seeded_networks(0):
        context = Context(SPACE, 2, 8)
    asked = Questions(factual, target, everything_allowed(SPACE, factual))
    assert torch.equal(context(asked), context.targets(target))


def test_a_context_is_the_sum_of_what_is_asked(make_questions) -> None:
    questions = make_questions(SPACE, 6)
    with seeded_networks(0):
        context = Context(SPACE, 2, 8)
        for parameter in context.parameters():
            torch.nn.init.normal_(parameter)
    rows = questions.factual + torch.tensor([0, SPACE.code_counts[0] + 2])
    told = context.cells.weight[rows] + context.slopes[rows] * questions.offset[:, :, None]
    told = torch.cat([told, context.targets(questions.target)[:, None]], dim=1).sum(dim=1) + context.bias
    told = told + questions.allowed.locked(SPACE) @ context.locks + context.budgets[questions.allowed.most_changes]
    assert torch.allclose(context(questions), told, atol=1e-5)
