"""An explainer that can be handed on without the training rows, from the command line."""

from loan_commands import ORDER, error_line, explain_rows, fit


def test_reference_rows_bring_plausibility_back(folder, tmp_path, capsys) -> None:
    fit(folder / "loans.csv", tmp_path / "loans.cfn", "--drop", "customer", "--order", ORDER, "--private")
    for name, reference in {"with": ["--reference", str(folder / "loans.csv")], "without": []}.items():
        capsys.readouterr()
        assert explain_rows(tmp_path, folder / "rejected.csv", *reference, "--out", str(tmp_path / f"{name}.csv")) == 0
        assert ("plausibility is off" in capsys.readouterr().err) == (name == "without")
    assert explain_rows(folder, folder / "rejected.csv", "--out", str(tmp_path / "whole.csv")) == 0
    assert (tmp_path / "with.csv").read_text() == (tmp_path / "whole.csv").read_text()
    assert "plausibility" not in (tmp_path / "without.csv").read_text().splitlines()[0]


def test_reference_rows_are_not_overwritten(folder, capsys) -> None:
    loans = str(folder / "loans.csv")
    assert explain_rows(folder, folder / "rejected.csv", "--reference", loans, "--out", loans) == 2
    assert "loans.csv" in error_line(capsys)
