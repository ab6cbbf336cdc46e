"""A pool of forked processes answers as its parent does, however many threads the parent has used before."""

import multiprocessing
import subprocess
import sys

import pytest

FORKED = """
import multiprocessing
import sys
import faiss, numpy, pandas, torch
from counterflownet import CounterFlowNet

torch.set_num_threads(2)
faiss.omp_set_num_threads(2)
draw = numpy.random.default_rng(0)
X = pandas.DataFrame({"a": draw.random(400), "b": draw.integers(0, 9, 400), "c": draw.choice(list("xyz"), 400)})

def model(rows):
    return 1 / (1 + numpy.exp(-10 * (rows["a"] + rows["b"] / 9 - 1)))

def asked(ask):
    explainer = CounterFlowNet(model, classes=[0, 1], training={"steps": 2}) if ask == "fit" else FITTED
    if ask == "fit":
        explainer.fit(X)
    if ask == "load":
        explainer = CounterFlowNet.load(sys.argv[1], model, classes=[0, 1])
    if ask == "diagnose":
        return explainer.diagnose(X.head(2), target=1, samples=20, pool=40, exact=False).rows
    answer = explainer.sample(X.head(100), target=1) if ask == "sample" else explainer.explain(X.head(100), target=1)
    return answer.to_frame()

ASKS = ["explain", "sample", "diagnose", "load", "fit"]
FITTED = CounterFlowNet(model, classes=[0, 1], training={"steps": 2}).fit(X)
FITTED.save(sys.argv[1])
alone = [asked(ask) for ask in ASKS]
with multiprocessing.get_context("fork").Pool(2) as pool:
    forked = pool.map_async(asked, ASKS, chunksize=1).get(timeout=240)
again = [asked(ask) for ask in ASKS]
print(torch.get_num_threads(), [one.equals(other) for one, other in zip(alone * 2, forked + again)])
"""


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
def test_forked_processes_give_the_answers_of_their_parent_and_leave_it_its_threads(tmp_path) -> None:
    command = [sys.executable, "-c", FORKED, str(tmp_path / "saved.cfn")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603 - our own text
    assert (done.stdout, done.stderr) == (f"2 {[True] * 10}\n", "")
