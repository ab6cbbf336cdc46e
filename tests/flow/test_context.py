"""What the flow is conditioned on."""

from dataclasses import replace

import torch

from counterflownet._space import CodeSpace
from counterflownet.flow.context import Context
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
