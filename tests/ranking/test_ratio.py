"""The state of `until: sprt`, as standings, `watch` and the report show it."""

from __future__ import annotations

from itertools import chain
from types import SimpleNamespace

import msgspec
import pytest

from tournament.ranking.sequential import elo_of_lead, format_ratio_test, ratio_follower
from tournament.records.figures import Verdict
from tournament.records.run import Bounds, GroupInfo, Until

GROUP = GroupInfo(name="scout-2p", game="scout", players=2, rules_version=1, options={}, entrants=("A", "B"))
RUN = SimpleNamespace(until=Until.SPRT, groups=(GROUP,), bounds=Bounds(low=0.0, high=0.05))


def ratio_test(run, results):
    """Returns how far the test of a run is after some results."""
    follower = ratio_follower(run)
    follower.add_results(results)
    return follower.state()


def blocks(make, outcomes, *, first=0):
    """Returns the results of blocks in the order of a run."""
    return list(
        chain.from_iterable(make.two_player_block(number, one) for number, one in enumerate(outcomes, start=first))
    )


def test_the_state_counts_blocks_and_names_lead_and_elo(make):
    """12 blocks won, 6 level and 2 lost: a lead of .5 points a block, 191 Elo."""
    test = ratio_test(RUN, blocks(make, [(1, 1)] * 12 + [(1, 0)] * 6 + [(0, 0)] * 2))

    assert ("A", "B", 20, 12, 6, 2) == (test.entrant, test.opponent, test.blocks, test.won, test.level, test.lost)
    assert (0.5, 190.85) == pytest.approx((test.lead, test.elo), abs=0.005)
    assert (-2.944, 2.944) == pytest.approx((test.lower_bound, test.upper_bound), abs=5e-4)
    # 20 (.05) (2 * .5 - .05) / (2 s^2), s^2 of 22 blocks of which 13 are won and 3 lost
    variance = (16 - 10**2 / 22) / 21
    assert pytest.approx(20 * 0.05 * 0.95 / (2 * variance)) == test.log_ratio
    assert Verdict.GO_ON == test.verdict


def test_the_state_is_said_in_a_sentence(make):
    """What a person asks of a test: how far, between which ends, who leads by how much."""
    text = format_ratio_test(ratio_test(RUN, blocks(make, [(1, 1)] * 12 + [(1, 0)] * 6 + [(0, 0)] * 2)))

    assert (
        "Test of A over B, a lead of 0 or of 0.05 points a block: log-likelihood ratio +0.87 between −2.94 and +2.94, "
        "it goes on. Lead +0.500 points a block (+191 Elo); of 20 blocks 12 won, 6 level, 2 lost."
    ) == text


def test_a_bound_that_is_passed_too_early_is_said_not_to_count_yet(make):
    """Eight blocks of eight won are beyond the bound, and the sentence said "between", and that it goes on."""
    bounds = Bounds(low=0.0, high=0.3)
    run = SimpleNamespace(**{**vars(RUN), "bounds": bounds})
    test = ratio_test(run, blocks(make, [(1, 1)] * 8))

    assert (True, Verdict.GO_ON) == (test.log_ratio > test.upper_bound, test.verdict)
    assert "it goes on, and a bound counts from block 20 on." in format_ratio_test(test)


def test_half_a_block_and_later_segments_are_none_of_the_tests(make):
    """A killed run may end in the middle of a block; who extends a run has decided to play on."""
    whole = blocks(make, [(1, 1), (1, 0)])
    later = [
        msgspec.structs.replace(one, id=f"scout-2p.1.000000.{one.rotation}", block="scout-2p.1.000000")
        for one in blocks(make, [(0, 0)])
    ]

    assert ratio_test(RUN, whole) == ratio_test(RUN, [*whole, blocks(make, [(0, 0)], first=2)[0], *later])


def test_only_blocks_in_which_both_sat_are_read(make):
    """A bot that was added sits at some tables."""
    results = make.tournament("ABC", players=2, blocks=15)
    together = {result.block for result in results if {"A", "B"} == set(result.seats)}

    assert 0 < len(together) < 15
    assert len(together) == ratio_test(RUN, results).blocks


def test_before_the_first_block_nothing_is_known(make):
    """No number is made up."""
    test = ratio_test(RUN, [])

    assert (0, None, None, None) == (test.blocks, test.lead, test.elo, test.log_ratio)
    assert "no block yet" in format_ratio_test(test)


def test_a_lead_that_is_everything_has_no_end_in_elo(make):
    """Points that all went one way."""
    assert None is elo_of_lead(1.0)
    assert None is elo_of_lead(-1.0)
    assert 0.0 == elo_of_lead(0.0)


def test_a_run_without_a_test_has_no_state():
    """Only `until: sprt` is a test of two."""
    assert None is ratio_follower(SimpleNamespace(until=Until.DECIDED))
