"""Which columns do methods change? Counted by the benchmark for every method; nothing is fitted here."""

from counterflownet_bench.studies.study import Study
from counterflownet_bench.studies.utilisation_page import chapter

STUDY = Study("utilisation", chapter)
