"""Stopping early: the confidence sequence, the likelihood ratio, and chunks of a schedule."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import msgspec
import numpy as np
import pytest
from scipy.stats import norm, t

from tournament.ranking.sequential import (
    DecisionTest,
    DifferenceTest,
    Goal,
    log_likelihood_ratio,
    separated,
)
from tournament.ranking.stopping import ChunkCollector
from tournament.records.figures import Verdict


def noisy(means, *, chunks, seed=1, noise=0.1):
    """Chunks of points around these means."""
    rng = Random(seed)
    return [[mean + rng.gauss(0, noise) for mean in means] for _ in range(chunks)]


def decide(chunks, entrants, *, goal):
    """What these chunks decide."""
    test = DecisionTest(entrants, goal=goal)
    for chunk in chunks:
        test.add(chunk)
    return test.decision()


def ratio_test(differences):
    """What these differences say of 0 and 0.04."""
    test = DifferenceTest(low=0.0, high=0.04)
    for difference in differences:
        test.add(difference)
    return test


def radius(*, chunks, deviation, alpha):
    """The half-width that the page of statistics gives, with quantiles of scipy."""
    r = (-2 * log(alpha) + log(1 - 2 * log(alpha))) / 300
    boundary = sqrt(2 * (chunks * r + 1) / (chunks**2 * r) * log(sqrt(chunks * r + 1) / alpha))
    return deviation * boundary * t.ppf(1 - alpha / 2, chunks - 1) / norm.ppf(1 - alpha / 2)


def are_apart(gap, *, chunks):
    """Whether two entrants this far apart, with a deviation of 0.3 of their difference, are told apart."""
    return bool(separated(np.array([gap, 0.0]), np.diag([0.045, 0.045]), chunks=chunks, alpha=0.05)[0, 1])


def test_the_ratio_of_the_worked_example():
    """Worked example 9: 400 blocks, mean .03, variance .09, d0 = 0, d1 = .04: 1.777778, go on."""
    blocks, added = 400, 2 + 2 * 0.03**2 * 400 / 402  # one block at +1 and one at -1 count for the spread
    spread = sqrt((0.09 * (blocks + 1) - added) / blocks)
    differences = [0.03 + spread, 0.03 - spread] * (blocks // 2)

    test = ratio_test(differences)

    assert pytest.approx(1.777778, abs=5e-7) == log_likelihood_ratio(
        blocks=400, mean=0.03, variance=0.09, low=0.0, high=0.04
    )
    assert pytest.approx(1.777778, abs=5e-7) == test.log_ratio
    assert (400, Verdict.GO_ON) == (test.blocks, test.verdict)


def test_the_bounds_of_the_ratio_are_those_of_five_percent():
    """GSPRT: bounds -+2.944 at 5 % / 5 %."""
    test = ratio_test([])

    assert (-2.944, 2.944) == pytest.approx((test.lower_bound, test.upper_bound), abs=5e-4)
    assert (0, None, None, Verdict.GO_ON) == (test.blocks, test.mean, test.log_ratio, test.verdict)


@pytest.mark.parametrize(("mean", "verdict"), [(0.1, Verdict.HIGHER), (-0.06, Verdict.LOWER)])
def test_a_clear_difference_ends_the_test(mean, verdict):
    """GSPRT: the verdict is that of the bound reached."""
    differences = [row[0] for row in noisy([mean], chunks=400, noise=0.3)]

    assert verdict == ratio_test(differences).verdict


def test_the_verdict_falls_once_and_later_blocks_change_nothing():
    """Resume continues the test exactly: the same blocks stop at the same block."""
    differences = [row[0] for row in noisy([0.1], chunks=400, noise=0.3)]
    test = ratio_test(differences)

    assert vars(test) == vars(ratio_test(differences[: test.blocks]))
    assert Verdict.GO_ON == ratio_test(differences[: test.blocks - 1]).verdict
    assert test.blocks < 400


@pytest.mark.parametrize(("value", "blocks"), [(1.0, 20), (0.0, 86)])
def test_blocks_that_all_end_alike_decide_when_there_are_enough(value, blocks):
    """Twenty level blocks decided at once, because their spread was 0; two blocks are added to it now."""
    test = ratio_test([value] * 400)

    assert Verdict.HIGHER if value else Verdict.LOWER == test.verdict
    assert blocks == test.blocks
    assert (blocks, 0) == ((test.won, test.level) if value else (test.level, test.won))


@pytest.mark.parametrize(("level", "high"), [(0.9, 0.05), (0.95, 0.05), (0.98, 0.01)])
def test_bots_that_are_nearly_always_level_are_judged_by_their_lead(level, high):
    """Exactly at the upper bound the test said "nearer 0" in 21, 41 and 69 %; 5 % are asked for."""
    rng = Random(3)
    wrong = 0
    for _ in range(300):
        test = DifferenceTest(low=0.0, high=high)
        while test.verdict is Verdict.GO_ON:
            drawn = rng.random() - level
            test.add(0.0 if drawn < 0.0 else 1.0 if drawn < (1.0 - level + high) / 2.0 else -1.0)
        wrong += test.verdict is Verdict.LOWER

    assert wrong / 300 < 0.11


def test_the_radius_is_that_of_the_page():
    """Early stop: the formula, two sides of the boundary."""
    edge = radius(chunks=100, deviation=0.3, alpha=0.05)

    assert are_apart(edge * 1.000001, chunks=100)
    assert not are_apart(edge * 0.999999, chunks=100)


def test_nobody_is_told_apart_in_the_burn_in():
    """Early stop: burn-in 20."""
    assert not are_apart(100.0, chunks=19)
    assert are_apart(100.0, chunks=20)


def test_a_clear_order_is_decided_and_not_before_the_burn_in():
    """Early stop on chunks: burn-in 20."""
    chunks = noisy([0.9, 0.5, 0.1], chunks=40)

    early, late = decide(chunks[:19], "ABC", goal=Goal.ALL), decide(chunks, "ABC", goal=Goal.ALL)

    assert (False, (("A", "B"), ("A", "C"), ("B", "C"))) == (early.decided, early.open_pairs)
    assert (True, (), "A", 40) == (late.decided, late.open_pairs, late.leader, late.chunks)


def test_the_top_may_be_decided_while_the_rest_is_open():
    """`until: decided`: top entrant, or all pairs."""
    chunks = noisy([0.3, 0.9, 0.3], chunks=60)

    top, every = decide(chunks, "ABC", goal=Goal.TOP), decide(chunks, "ABC", goal=Goal.ALL)

    assert (True, "B") == (top.decided, top.leader)
    assert (False, {"A", "C"}) == (every.decided, set(every.open_pairs[0]))


def test_a_decision_uses_bonferroni_over_pairs():
    """Early stop: |difference| > radius at alpha / pairs, two sides of the boundary."""
    swing = [0.1, -0.1] * 50
    deviation = sqrt(100 / 99 * 0.01)
    edge = radius(chunks=100, deviation=deviation, alpha=0.05 / 3)

    def is_apart(gap):
        chunks = [[gap + noise, 0.0, -5.0] for noise in swing]
        return ("A", "B") not in decide(chunks, "ABC", goal=Goal.ALL).open_pairs

    assert is_apart(edge * 1.001)
    assert not is_apart(edge * 0.999)


def test_looks_after_every_chunk_rarely_separate_equal_bots():
    """Early stop: at most 5 % false claims with 200 looks; 100 runs here, the rest in benchmarks."""
    wrong = 0
    for seed in range(100):
        test = DecisionTest("ABC", goal=Goal.ALL)
        for chunk in noisy([0.5, 0.5, 0.5], chunks=200, seed=seed):
            test.add(chunk)
            if len(test.decision().open_pairs) < 3:
                wrong += 1
                break

    assert wrong <= 10


def test_a_single_entrant_is_decided_and_nothing_is_open():
    """Single entrant: there is no pair."""
    assert decide([[0.5]] * 3, "A", goal=Goal.ALL).decided


def test_a_chunk_ends_when_all_sat_equally_often(make):
    """Chunks: where one ends depends on the schedule alone."""
    collector = ChunkCollector({"scout-2p": "ABCD"}, ranked="ABCD", weights={"scout-2p": 1.0})
    blocks = [make.two_player_block(n, (1, n % 2), entrants=pair) for n, pair in enumerate(["AB", "AC", "CD", "BD"])]

    assert [None, None, None, [0.75, 0.75, 0.25, 0.25]] == [collector.add_block(block) for block in blocks]


def test_a_block_that_is_not_played_ends_a_chunk_where_it_would_have_ended(make):
    """Chunks: a void block counts for the schedule; means are over the games that were played."""
    collector = ChunkCollector({"scout-2p": "ABCD"}, ranked="ABCD", weights={"scout-2p": 1.0})

    assert collector.add_block(make.two_player_block(0, (1, 0), entrants="AB")) is None
    assert collector.pass_over("scout-2p", "CD") is None
    assert collector.add_block(make.two_player_block(2, (1, 0), entrants="AC")) is None
    assert [0.5, 0.25, 0.5, 1.0] == collector.add_block(make.two_player_block(3, (1, 1), entrants="DB"))


def test_chunks_go_on_without_an_entrant_that_is_withdrawn(make):
    """Chunks: its later blocks are passed over, and nobody waits for a game of it."""
    collector = ChunkCollector({"scout-2p": "ABC"}, ranked="ABC", weights={"scout-2p": 1.0})
    one_pass = ["AB", "AC", "BC"]
    whole = [collector.add_block(make.two_player_block(n, (1, 1), entrants=pair)) for n, pair in enumerate(one_pass)]
    collector.withdraw("C")

    assert [None, None, [1.0, 0.5, 0.0]] == whole
    assert collector.add_block(make.two_player_block(3, (1, 0))) is None
    assert collector.pass_over("scout-2p", "AC") is None
    assert [0.5, 0.5] == collector.pass_over("scout-2p", "BC")


def test_a_withdrawn_entrant_is_in_no_open_pair_and_eases_nothing():
    """Early stop: decided among those left, at the error allowed for all pairs of the beginning."""
    chunks = noisy([0.7, 0.6, 0.2], chunks=60)
    test, pair = DecisionTest("ABC", goal=Goal.ALL), DecisionTest("AB", goal=Goal.ALL, alpha=0.05 / 3)
    for chunk in chunks[:10]:
        test.add(chunk)
        pair.add(chunk[:2])
    test.withdraw("C")
    for chunk in chunks[10:]:
        test.add(chunk[:2])
        pair.add(chunk[:2])

        assert pair.decision() == test.decision()


def test_several_groups_give_one_chunk_of_each(make):
    """Groups take turns block by block; their points are weighted."""
    collector = ChunkCollector(
        {"scout-2p": "AB", "scout-3p": "ABC"}, ranked="AB", weights={"scout-2p": 0.5, "scout-3p": 0.5}
    )
    three = [make.game("ABC"[r:] + "ABC"[:r], [3, 2, 1], rotation=r) for r in range(3)]
    three_won_by_a = [
        msgspec.structs.replace(g, places=tuple(1 if name == "A" else 2 for name in g.seats)) for g in three
    ]

    assert collector.add_block(make.two_player_block(0, (1, 0))) is None
    assert collector.add_block(make.two_player_block(1, (1, 1))) is None
    assert [0.75, 0.375] == collector.add_block(three_won_by_a)
    assert [1.0, 0.125] == collector.add_block(three_won_by_a)
