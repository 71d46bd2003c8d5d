"""How far a run under way is, and when it may end: an estimate, and called one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from made_runs import small_run

from tournament.records.run import RunState, Until
from tournament.report.shown.pace import Sighting, Watch, format_progress, progress_of
from tournament.store.folder import read_run

BEGUN = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def info(tmp_path_factory):
    """A run of 18 games that is being played."""
    info = read_run(small_run(tmp_path_factory.mktemp("runs")))
    return msgspec.structs.replace(info, state=RunState.RUNNING, started=BEGUN.isoformat())


def after(seconds):
    """Returns a time so long after the beginning."""
    return BEGUN + timedelta(seconds=seconds)


def test_a_run_that_is_not_being_played_has_no_progress(info):
    for state in RunState:
        found = progress_of(msgspec.structs.replace(info, state=state), played=3, first=None, now=after(60))

        assert (found is not None) == (state is RunState.RUNNING)


def test_at_first_the_pace_since_the_beginning_counts(info):
    progress = progress_of(info, played=6, first=Sighting(after(58), 6), now=after(60))

    assert (6, 18, 120.0, None) == (
        progress.played,
        progress.planned,
        progress.seconds_left,
        progress.watched_seconds,
    )


def test_then_the_pace_that_was_seen_counts(info):
    """A run that lay still for a day is not expected to take days."""
    progress = progress_of(info, played=12, first=Sighting(after(86_400), 6), now=after(86_460))

    assert (60.0, 60.0) == (progress.seconds_left, progress.watched_seconds)


def test_before_the_first_game_nothing_is_estimated(info):
    progress = progress_of(info, played=0, first=None, now=after(60))

    assert progress.seconds_left is None
    assert "0 % played: 0 of 18 games." == format_progress(progress)


def test_the_end_is_called_an_estimate(info):
    text = format_progress(progress_of(info, played=6, first=None, now=after(600)))

    assert (
        "33 % played: 6 of 18 games. About 20 min left, until 12:30 UTC: an estimate from its pace since it began."
        == text
    )


def test_a_run_that_may_be_decided_before_says_so(info):
    until = msgspec.structs.replace(info, until=Until.DECIDED)

    assert "It ends sooner if it is decided before." in format_progress(
        progress_of(until, played=6, first=None, now=after(600))
    )


def test_more_games_than_planned_are_all_of_them(info):
    """A knockout plays more where tables are tied."""
    progress = progress_of(info, played=20, first=None, now=after(600))

    assert (20, 20) == (progress.played, progress.planned)
    assert "100 % played: 20 of 20 games." == format_progress(progress)


def test_a_watch_forgets_what_was_long_ago_and_begins_anew_where_games_are_gone():
    watch = Watch()
    first = watch.look(1, after(0))
    for seconds in range(10, 2000, 10):
        last = watch.look(1 + seconds, after(seconds))

    assert Sighting(after(0), 1) == first
    assert after(1990 - 900) == last.at
    assert Sighting(after(2010), 5) == watch.look(5, after(2010))
