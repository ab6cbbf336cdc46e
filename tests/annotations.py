"""How annotations, shapes included, are enforced while tests run (see addopts in pyproject.toml)."""

from beartype import BeartypeConf, beartype

enforced = beartype(conf=BeartypeConf(is_pep484_tower=True))  # an int may stand for a float, as everywhere in Python
