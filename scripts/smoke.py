"""The wheels as a user gets them: installed into an empty environment, outside of this repository, and used there.

Run: make smoke
"""

import os
import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
FIT_AND_EXPLAIN = """
from importlib.resources import files
import pandas as pd
from sklearn.linear_model import LogisticRegression
from counterflownet import CounterFlowNet, Increasing
from counterflownet.datasets import german_credit

draws = range(200)
X = pd.DataFrame({"age": [20 + draw * 7 % 50 for draw in draws], "income": [draw * 31 % 90 for draw in draws]})
model = LogisticRegression().fit(X, X["age"] + X["income"] > 90)
explainer = CounterFlowNet(model, training={"steps": 50}).fit(X)
rejected = X[~model.predict(X)].head(5)
answer = explainer.explain(rejected, target=True, constraints=[Increasing("age")])
assert len(answer.row) >= 5, answer
assert model.predict(answer.to_frame()[["age", "income"]]).all()
assert "<style>" in answer.to_html()
assert len(german_credit().X) == 1000
assert (files("counterflownet") / "py.typed").is_file()
assert "</html>" in answer.to_letter(row=rejected.index[0], language="de")
print(answer)
"""
SERVE = """
from counterflownet.serve import create_app
from counterflownet.serve.app import STATIC
from counterflownet.serve.demo import demo_explainer, demo_model, demo_rows

rows = demo_rows(demo_model())
explainer = demo_explainer()
assert {route.path for route in create_app(explainer, rows=rows).routes} >= {"/", "/v1/explain", "/v1/letter"}
assert (STATIC / "index.html").is_file() and (STATIC / "texts" / "de.json").is_file()
assert explainer.explain(rows.head(1), target="good").to_letter(form="pdf").startswith(b"%PDF-")
"""


class Environment:
    """An empty virtual environment, used from its own folder, so that nothing of the repository is in reach."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.folder = folder
        self.bin = folder / ("Scripts" if sys.platform == "win32" else "bin")

    def install(self, wheel: Path | str) -> None:
        """The wheel with all that it asks for, in the versions that we test against."""
        self.run("python", "-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), str(wheel))

    def run(self, program: str, *words: str, code: int = 0) -> str:
        """What a program of the environment prints; an error unless it ends with ``code``."""
        clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
        command = [str(self.bin / program), *words]
        done = subprocess.run(  # noqa: S603 - our own wheels
            command, cwd=self.folder, env=clean, capture_output=True, text=True, check=False
        )
        if done.returncode != code:
            sys.exit(
                f"{' '.join(command)}\nended with {done.returncode} instead of {code}:\n{done.stdout}{done.stderr}"
            )
        return done.stdout + done.stderr


def main(wheels: Path) -> None:
    """First the library alone, then the bench beside it."""
    (library,) = wheels.glob("counterflownet-*.whl")
    (bench,) = wheels.glob("counterflownet_bench-*.whl")
    with TemporaryDirectory() as folder:
        environment = Environment(Path(folder))
        environment.install(library)
        print(environment.run("python", "-c", FIT_AND_EXPLAIN))
        print(environment.run("counterflownet", "datasets", code=2))
        assert "the extra 'serve'" in environment.run("counterflownet", "serve", code=2)  # noqa: S101
        environment.install(f"{library}[serve]")
        environment.run("python", "-c", SERVE)
        environment.install(bench)
        print(environment.run("counterflownet", "datasets"))
        environment.run("counterflownet", "benchmark", "run", "--help")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
