"""What is saved of the networks is what was learned; all else follows from the space of codes."""

from counterflownet._space import CodeSpace
from counterflownet.flow.model import FlowModel


def test_the_policy_keeps_its_weights_and_nothing_else() -> None:
    policy = FlowModel(CodeSpace((4, 3), (True, False)), 2, width=8, seed=0).policy
    assert set(policy.state_dict()) == {name for name, _ in policy.named_parameters()}
