"""Where the two earlier papers have put their training and test files."""

from counterflownet_bench.datasets.card import PublishedSplit


def l2c_split(name: str) -> PublishedSplit:
    """The files of L2C (Vo et al., KDD 2023), on which Protocol A rests."""
    return PublishedSplit(
        repository="https://github.com/isVy08/L2C",
        commit="0e539fa8828f7070a7d98e43a4c04f158054002d",
        train=f"data/{name}_train.csv",
        test=f"data/{name}_test.csv",
    )


def dicoflex_split(folder: str) -> PublishedSplit:
    """The files of DiCoFlex (NeurIPS 2025), on which Protocol B rests."""
    return PublishedSplit(
        repository="https://github.com/ofurman/counterfactuals",
        commit="0612c9d67d6b54bb311fe770a2999ea21d26dd70",
        train=f"data/{folder}/train.csv",
        test=f"data/{folder}/test.csv",
    )
