"""What is remembered of states: each value at its key, whatever came when."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from counterflownet.explain.memory import Memory


@given(st.lists(st.sets(st.integers(0, 2**64 - 1), max_size=5), max_size=5))
def test_every_value_is_found_at_its_key(parts) -> None:
    memory, known = Memory(np.zeros(0), np.zeros(0, dtype=np.bool_)), set[int]()
    for part in parts:
        new = np.array(sorted(part - known), dtype=np.uint64)
        assert not memory.knows(new).any()
        memory.learn(new, new.astype(float) / 3, new % np.uint64(2) == 0)
        known |= part
    keys = np.array(sorted(known), dtype=np.uint64)
    assert memory.knows(keys).all()
    thirds, even = memory.of(keys)
    assert thirds.tolist() == (keys.astype(float) / 3).tolist()
    assert even.tolist() == [key % 2 == 0 for key in sorted(known)]
