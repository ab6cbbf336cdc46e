"""What can be loaded here and now."""

from dataclasses import dataclass
from pathlib import Path

from counterflownet_bench.datasets.card import DatasetCard, ProtocolName
from counterflownet_bench.datasets.catalogue import CARDS
from counterflownet_bench.datasets.folder import complete, folder_of
from counterflownet_bench.datasets.loading import BUNDLED


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """One line of the list of data sets."""

    name: str
    title: str
    protocol: ProtocolName
    rows: int
    """Published training and test rows together."""
    columns: int
    """Features, without the target."""
    licence: str
    where: str
    """A folder, "bundled", or the address to get it from."""
    available: bool


def available(data: str | Path | None = None) -> list[Availability]:
    """Every data set of the protocols, whether it is at hand or not, and where."""
    return [_availability(card, folder_of(card, data)) for card in CARDS.values()]


def _availability(card: DatasetCard, folder: Path | None) -> Availability:
    elsewhere = BUNDLED if card.bundled else card.source
    return Availability(
        name=card.name,
        title=card.title,
        protocol=card.protocol,
        rows=card.row_count,
        columns=len(card.columns),
        licence=card.licence,
        where=elsewhere if folder is None else str(folder),
        available=card.bundled if folder is None else complete(folder),
    )
