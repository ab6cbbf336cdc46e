"""The classifiers that both protocols explain."""
