"""Every data set by its name."""

from collections.abc import Mapping
from types import MappingProxyType

from counterflownet.errors import unknown_name
from counterflownet_bench.datasets.card import DatasetCard, ProtocolName
from counterflownet_bench.datasets.cards.adult import ADULT_PROTOCOL_A, ADULT_PROTOCOL_B
from counterflownet_bench.datasets.cards.bank_marketing import BANK_MARKETING
from counterflownet_bench.datasets.cards.credit_default import CREDIT_DEFAULT
from counterflownet_bench.datasets.cards.german_credit import GERMAN_CREDIT
from counterflownet_bench.datasets.cards.give_me_some_credit import GIVE_ME_SOME_CREDIT
from counterflownet_bench.datasets.cards.graduate_admission import GRADUATE_ADMISSION, GRADUATE_ADMISSION_400
from counterflownet_bench.datasets.cards.lending_club import LENDING_CLUB
from counterflownet_bench.datasets.cards.student_performance import STUDENT_PERFORMANCE

# Tables of the paper's two protocols, as they were published.
CARDS: Mapping[str, DatasetCard] = MappingProxyType(
    {
        card.name: card
        for card in (
            GERMAN_CREDIT,
            ADULT_PROTOCOL_A,
            GRADUATE_ADMISSION,
            GRADUATE_ADMISSION_400,
            STUDENT_PERFORMANCE,
            ADULT_PROTOCOL_B,
            BANK_MARKETING,
            CREDIT_DEFAULT,
            GIVE_ME_SOME_CREDIT,
            LENDING_CLUB,
        )
    }
)


def card_of(name: str) -> DatasetCard:
    """The card of that name, or an error that lists the names."""
    if name not in CARDS:
        raise unknown_name("data set", name, CARDS)
    return CARDS[name]


def protocol_names(protocol: ProtocolName) -> tuple[str, ...]:
    """The data sets on which the paper evaluates by that protocol; a stand-in is none of them."""
    return tuple(name for name, card in CARDS.items() if card.protocol == protocol and not card.stand_in_for)
