"""Many rows: tables to tables of answers, files larger than memory, and engines that exist."""

from counterflownet.batch.run import Summary, explain_files
from counterflownet.batch.table_answers import TableAnswers, answer_table
from counterflownet.batch.work import Work

__all__ = ["Summary", "TableAnswers", "Work", "answer_table", "explain_files"]
