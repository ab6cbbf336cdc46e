"""Answers that the classifier takes back when it is asked again are left out, and counted."""

import numpy as np
import pytest
from made_candidates import FEATURES, asking

from counterflownet._states import States
from counterflownet.explain.search import Pool
from counterflownet.explain.verification import Verification
from counterflownet.reward.reward import Scores


@pytest.mark.parametrize("leads", [(1, -1, 1), (1, 1, 1), (-1, -1, -1)], ids=str)
def test_what_is_no_longer_valid_is_left_out_with_its_score(leads) -> None:
    codes = np.zeros((3, FEATURES), dtype=np.int64)
    codes[:, 0] = [0, 1, 2]
    candidates = asking(lambda _row, codes: leads[codes[0]])(States.of_arrays(np.zeros(3, np.int64), codes, codes > 0))
    reward, verification = np.array([0.1, 0.2, 0.3]), Verification(posed=None)
    stable = verification.stable(Pool(candidates, Scores(reward, np.log(reward), {})))
    kept = np.flatnonzero(np.array(leads) > 0)
    assert stable.candidates.states.codes[:, 0].tolist() == kept.tolist()
    assert stable.scores.reward.tolist() == reward[kept].tolist()
    assert (verification.asked, verification.contradicted) == (3, 3 - len(kept))
