"""Data sets, reference classifiers, metrics, baselines, benchmark and studies for CounterFlowNet."""

__version__ = "0.1.0"
