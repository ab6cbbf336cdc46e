import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest

from counterflownet.seeds import (
    derived_seed,
    keyed_uniforms,
    mixed,
    numpy_generator,
    row_keys,
    row_names,
    sample_keys,
    seeded_networks,
)

CODES = np.array([[0, 1], [2, 3]])


def keys(count: int) -> np.ndarray:
    return row_keys(np.arange(count)[:, None], seed=0)


def test_derived_seeds_are_stable():
    assert derived_seed(7, "explain", 3) == 1_572_913_780_858_091_839
    assert derived_seed(0) == 4_761_921_975_702_974_394


def test_derived_seeds_differ_by_seed_name_and_number():
    seeds = [derived_seed(seed, name, number) for seed in range(5) for name in "abc" for number in range(20)]
    assert len(set(seeds)) == len(seeds)


@settings(deadline=None)
@given(st.integers(), st.text())
def test_derived_seeds_fit_into_63_bits(seed, name):
    assert 0 <= derived_seed(seed, name) < 2**63


def test_generators_of_one_name_are_alike_and_of_two_are_not():
    first, again, other = (numpy_generator(0, name).random(5).tolist() for name in ("a", "a", "b"))
    assert first == again != other


def test_numbers_of_keyed_streams_are_stable():
    found = row_keys(CODES, seed=0)
    assert found.tolist() == [16_234_688_944_032_004_825, 8_441_110_934_952_795_522]
    assert sample_keys(found, 2)[1:3].tolist() == [8_214_194_693_003_873_960, 678_729_150_971_186_826]
    assert keyed_uniforms(found, 0).tolist() == [0.7857016089569667, 0.03679398100061004]
    assert keyed_uniforms(found, 5).tolist() == [0.5853892347903001, 0.21852474653858078]


def test_mixing_is_that_of_splitmix64():
    published = 0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F  # its first numbers from seed 0
    states = np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert tuple(mixed(states).tolist()) == published


@settings(deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=50))
def test_mixing_keeps_different_numbers_different(numbers):
    assert len(np.unique(mixed(np.array(numbers, dtype=np.uint64)))) == len(numbers)


@pytest.mark.parametrize("step", [0, 1, 1_000])
def test_numbers_are_uniform_over_keys(step):
    found = keyed_uniforms(keys(20_000), step)
    assert kstest(found, "uniform").pvalue > 0.001
    assert found.min() >= 0
    assert found.max() < 1


def test_numbers_are_uniform_over_steps_and_over_samples():
    stream = np.array([keyed_uniforms(keys(1), step)[0] for step in range(2_000)])
    assert kstest(stream, "uniform").pvalue > 0.001
    assert kstest(keyed_uniforms(sample_keys(keys(1), 20_000), 0), "uniform").pvalue > 0.001


def test_steps_keys_and_samples_are_independent():
    table = np.stack([keyed_uniforms(keys(20_000), step) for step in range(6)])
    assert np.abs(np.corrcoef(table) - np.eye(6)).max() < 0.03
    assert abs(np.corrcoef(table[0, 1:], table[0, :-1])[0, 1]) < 0.03
    pairs = keyed_uniforms(sample_keys(keys(20_000), 2), 0).reshape(-1, 2)
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 0.03


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(-5, 5), min_size=3, max_size=3), min_size=1, max_size=8))
def test_the_key_of_a_row_does_not_depend_on_the_rows_beside_it(rows):
    codes = np.array(rows)
    together = row_keys(codes, seed=3)
    alone = [row_keys(codes[[number]], seed=3)[0] for number in range(len(rows))]
    assert together.tolist() == alone


def test_keys_of_different_rows_and_seeds_differ():
    codes = np.array([[one, other] for one in range(50) for other in range(50)])
    found = np.concatenate([row_keys(codes, seed=0), row_keys(codes, seed=1)])
    assert len(np.unique(found)) == 5_000


def test_the_samples_of_a_key_do_not_depend_on_how_many_are_drawn():
    few, many = sample_keys(keys(3), 4).reshape(3, 4), sample_keys(keys(3), 9).reshape(3, 9)
    assert (few == many[:, :4]).all()


def test_networks_are_initialised_from_their_seed():
    def weights(seed: int) -> torch.Tensor:
        with seeded_networks(seed):
            return torch.nn.Linear(3, 3).weight

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


@pytest.mark.parametrize(
    "build",
    [
        lambda: torch.nn.Linear(3, 5).weight,
        lambda: torch.nn.Linear(3, 5).bias,
        lambda: torch.nn.Embedding(4, 6).weight,
        lambda: torch.nn.GRU(3, 4).weight_hh_l0,
        lambda: torch.nn.init.xavier_normal_(torch.empty(4, 5)),
        lambda: torch.nn.init.trunc_normal_(torch.empty(4, 5)),
        lambda: torch.nn.init.orthogonal_(torch.empty(4, 4)),
        lambda: torch.nn.init.kaiming_normal_(torch.empty(4, 4)),
        lambda: torch.nn.init.sparse_(torch.empty(4, 4), 0.5),
        lambda: torch.randn(3, 7),
        lambda: torch.randperm(9),
    ],
)
def test_networks_begin_as_torch_itself_would_begin_them(build):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        usual = build()
    before = torch.get_rng_state()
    with seeded_networks(3):
        assert torch.equal(build(), usual)
    assert torch.equal(before, torch.get_rng_state())


def test_building_networks_leaves_the_generators_of_the_process_alone():
    before = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()  # noqa: NPY002
    with seeded_networks(3):
        torch.nn.Linear(3, 3)
    after = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()  # noqa: NPY002
    assert before[:2] == after[:2]
    assert torch.equal(before[2], after[2])


def test_the_generator_is_restored_after_an_error_too():
    before = torch.get_rng_state()
    with pytest.raises(ZeroDivisionError), seeded_networks(3):
        torch.rand(1).item() / 0
    assert torch.equal(before, torch.get_rng_state())


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(-1, 3)] * 4), min_size=1))
def test_rows_have_the_same_name_if_and_only_if_they_are_equal(rows):
    names = row_names(np.array(rows)).tolist()
    assert len(set(zip(names, rows, strict=True))) == len(set(names)) == len(set(rows))
