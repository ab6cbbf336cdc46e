"""Where the valid steps of tracks begin, found with few questions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterflownet.explain.bisection import PROBES, begins

TRACKS = st.lists(st.tuples(st.integers(0, 300), st.floats(0, 1)), max_size=8)


@given(TRACKS)
def test_of_tracks_that_stay_valid_the_first_valid_step_is_found(tracks) -> None:
    counts = np.array([count for count, _ in tracks], dtype=np.int64)
    first = np.array([round(share * count) for count, share in tracks], dtype=np.int64)
    rounds = []

    def valid(track: np.ndarray, step: np.ndarray) -> np.ndarray:
        assert ((step >= 0) & (step < counts[track])).all()
        assert len(np.unique(np.stack([track, step]), axis=1).T) == len(track)
        rounds.append(np.bincount(track))
        return step >= first[track]

    assert begins(counts, valid).tolist() == first.tolist()
    assert len(rounds) <= 3  # 300 steps, cut into sixteen parts each time
    assert all((asked <= PROBES).all() for asked in rounds)


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_of_any_track_a_valid_step_is_found_or_its_end(flags) -> None:
    told = np.array(flags)
    (found,) = begins(np.array([len(told)]), lambda _, step: told[step])
    assert found == len(told) or told[found]
