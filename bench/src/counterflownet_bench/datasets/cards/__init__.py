"""One card for each data set of the paper's two protocols."""
