"""The commands as tests give them, on the table of loans."""

from pathlib import Path

from counterflownet.cli import main

JOBS = ["unemployed or unskilled non-resident", "unskilled resident", "skilled", "management or highly qualified"]
ORDER = f"job={','.join(JOBS)}"
QUICK = ["--samples", "20", "--rounds", "2"]


def fit(data: Path, out: Path, *options: str) -> None:
    assert main(["fit", str(data), "--target", "risk", "--steps", "2", *options, "--out", str(out)]) == 0


def explain(folder: Path, *options: str) -> int:
    """The command on the rejected applicants with the model beside, unless options say otherwise."""
    return explain_rows(folder, folder / "rejected.csv", *options)


def explain_rows(folder: Path, rows: Path, *options: str) -> int:
    return main(["explain", str(folder / "loans.cfn"), str(rows), "--target", "good", *QUICK, *options])


def error_line(capsys) -> str:
    told = capsys.readouterr().err
    assert told.startswith("counterflownet: ")
    assert told.count("\n") == 1
    return told
