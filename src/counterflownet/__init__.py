"""Many different, sparse, plausible, actionable counterfactuals for any tabular classifier."""

__version__ = "0.1.0"
