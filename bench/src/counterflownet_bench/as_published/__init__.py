"""The paper's method as its text says, and nothing else: none of what our library adds to it.

What the text leaves open are readings by name (:mod:`counterflownet_bench.as_published.reading`).
"""
