"""The codes' log-probabilities are the same whether computed for all features at once or for one after the other."""

import pytest
import torch

from counterflownet._space import CodeSpace
from counterflownet.flow import policy as module

SPACE = CodeSpace((3, 7, 2, 5), (True, True, False, False))


@pytest.mark.parametrize("shared", [False, True])
def test_both_ways_agree_in_values_and_gradients(make_policy, make_questions, monkeypatch, shared) -> None:
    policy, questions = make_policy(SPACE), make_questions(SPACE, 30, constrained=False)
    feature = torch.randint(0, 4, (30,), generator=torch.Generator().manual_seed(0))
    feature[feature == 2] = 0  # a feature that nobody chose
    state = torch.arange(29, -1, -1) // 2 if shared else torch.arange(30)
    found = []
    for few in (10**9, 0):
        monkeypatch.setattr(module, "FEW_CODES", few)
        monkeypatch.setattr(module, "FEW_LOGITS", few)
        policy.zero_grad()
        hidden = policy.hidden(policy.asked(questions).context)
        codes, row = questions.allowed.codes, torch.arange(30)
        logs, allowed = policy.code_log_probs(policy.tables(), hidden, feature, codes, row, state)
        logs[allowed].square().sum().backward()
        found.append((logs[:, :7][allowed[:, :7]].detach(), policy.trunk.weight.grad.clone()))
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-4)
