"""How the reference classifiers of both protocols are trained, and what accuracy was published for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from counterflownet.errors import check_at_least, check_between


@dataclass(frozen=True, slots=True, kw_only=True)
class LogisticSettings:
    """A logistic regression with balanced classes, as in L2C's code.

    ``held_out`` is the share at the end of the training rows that is not trained on. With ``scaled_on_test`` numbers
    are standardised by training and test rows together.
    """

    held_out: float = 0.2
    scaled_on_test: bool = True
    iterations: int = 1_000

    def __post_init__(self) -> None:
        check_between("held_out", self.held_out, 0.0, 0.9)
        check_at_least("iterations", self.iterations, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSettings:
    """A network D-H-H-classes: after each hidden layer dropout, then ReLU; Adam on shuffled batches.

    With ``held_out`` rows at the end of the training rows, the epoch with the best accuracy on them is kept, and an
    accuracy of ``enough`` ends the training; without, the last epoch is. L2C's code never switches its dropout off
    while it trains, so it validates with dropout (``validated_with_dropout``), and applies the cross-entropy to
    probabilities as if these were logits (``softmax_twice``).
    """

    hidden: int = 30
    dropout: float = 0.5
    learning_rate: float = 1e-3
    batch: int = 100
    epochs: int = 100
    held_out: float = 0.0
    scaled_on_test: bool = False
    enough: float = 1.0
    validated_with_dropout: bool = False
    softmax_twice: bool = False

    def __post_init__(self) -> None:
        for name in ("hidden", "batch", "epochs"):
            check_at_least(name, getattr(self, name), 1)
        check_between("dropout", self.dropout, 0.0, 0.99)
        check_between("held_out", self.held_out, 0.0, 0.9)


Settings = LogisticSettings | NetworkSettings


def _l2c_network(hidden: int) -> NetworkSettings:
    return NetworkSettings(
        hidden=hidden,
        held_out=0.2,
        scaled_on_test=True,
        enough=0.95,
        validated_with_dropout=True,
        softmax_twice=True,
    )


RECIPES: Mapping[str, Settings] = MappingProxyType(
    {
        # Protocol A: L2C (KDD 2023), its code and its table
        "german_credit": LogisticSettings(),
        "student_performance": LogisticSettings(),
        "adult_protocol_a": _l2c_network(30),
        "graduate_admission": _l2c_network(40),
        # Protocol B: DiCoFlex (NeurIPS 2025), its code and the weights published with it
        "adult_protocol_b": NetworkSettings(),
        "bank_marketing": NetworkSettings(),
        "credit_default": NetworkSettings(),
        "give_me_some_credit": NetworkSettings(),
        "lending_club": NetworkSettings(),
    }
)
