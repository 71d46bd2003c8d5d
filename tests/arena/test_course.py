"""A course of two weeks, simulated: what scheduling, states and ladder promise to 60 participants, on one seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks.arena.course import COVERED_GOAL, check_course, stuck_versions
from benchmarks.arena.enrolment import Sizes
from benchmarks.arena.simulated_versions import Kind
from benchmarks.arena.simulation import SimulatedCourse
from benchmarks.arena.tables import VERSIONS, Look, balanced, games_for, half_near, near, rotation

pytestmark = pytest.mark.long

SMALL = Sizes(participants=12, days=3, versions=60, deals_a_day=30)


@pytest.fixture(scope="module")
def checked():
    """Returns what became of a whole course."""
    return check_course(1)


def test_no_version_is_stuck_whatever_hangs_crashes_or_fails(checked):
    assert 0 == checked.stuck
    assert checked.rounds_abandoned > 0


def test_no_failure_of_the_machine_refuses_a_version_or_eats_a_quota(checked):
    """A check that the machine fails is made again, and only an accepted version counts for a day."""
    assert checked.checks_failed_by_machine > 0
    assert 0 == checked.wrongly_refused
    assert checked.accepted == checked.counted_for_quotas


def test_versions_that_reached_the_deals_of_a_day_are_within_one_round_of_each_other(checked):
    assert checked.full_days > 20
    assert 0 == checked.uneven_days


def test_nobody_waits_longer_for_a_placement_than_those_before_take(checked):
    assert checked.longest_wait_beyond <= 2


def test_true_differences_lie_in_their_intervals(checked):
    assert checked.differences > 5000
    assert checked.covered >= COVERED_GOAL


def test_the_final_has_those_that_may_be_first(checked):
    assert 2 <= checked.finalists <= 8


def test_a_course_is_the_same_when_it_is_played_again():
    assert check_course(3, SMALL)._replace(seconds=0.0) == check_course(3, SMALL)._replace(seconds=0.0)


def test_errors_of_versions_are_as_large_as_the_ladder_tells():
    """Of few versions, so that the range is wide: errors that are told twice as large or half as large lie outside."""
    checked = [check_course(seed, SMALL).error_ratio for seed in (3, 4)]

    assert all(0.6 < ratio < 1.6 for ratio in checked), checked


def test_a_version_that_crashes_is_parked_and_gains_nothing_by_it():
    course = SimulatedCourse(4, SMALL)
    for _ in course.play():
        pass

    crashing = [one for one in course.versions.values() if one.kind is Kind.CRASHES and one.placed]
    sound = [one for one in course.versions.values() if one.kind is Kind.SOUND and one.placed and one.owner]
    assert crashing
    assert max(sum(one.deals.values()) for one in crashing) < max(sum(one.deals.values()) for one in sound)
    assert {"parked", "retired"} >= {one.state.value for one in crashing if sum(one.deals.values()) > 60}
    assert [] == stuck_versions(course)


def test_twice_the_games_are_needed_for_an_error_that_is_smaller_by_the_root_of_two():
    errors = 2.0 / np.sqrt(np.arange(1, 17))

    assert pytest.approx(8.0) == games_for(errors[3] / 2**0.5, errors)
    assert pytest.approx(6.5) == games_for(2.0 / 6.5**0.5, errors)
    assert np.isnan(games_for(errors[-1] / 2, errors))


@pytest.mark.parametrize("maker", [rotation, balanced, near, half_near])
def test_at_every_kind_of_tables_all_sit_equally_often_and_nobody_twice_at_one(maker):
    look = Look(1, 3, np.linspace(-1.0, 1.0, VERSIONS), np.random.default_rng(5))

    tables = maker(look)

    sat = Counter(member for table in tables for member in table)
    assert all(3 == len(set(table)) for table in tables)
    assert VERSIONS == len(sat)
    assert max(sat.values()) - min(sat.values()) <= 1
