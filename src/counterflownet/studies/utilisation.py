"""Which columns do methods change? Counted by the benchmark for every method; nothing is fitted here."""

from counterflownet.studies.study import Study
from counterflownet.studies.utilisation_page import chapter

STUDY = Study("utilisation", chapter)
