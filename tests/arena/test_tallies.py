"""What planning is told of the rounds of a season, in sums that grow with each round."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from tournament.arena.files import RoundKind
from tournament.arena.folder import CompetitionFolder
from tournament.arena.play import tallies as played
from tournament.arena.play.tallies import TALLIES_FILE, OwnTime, RoundTally, SeasonSums, Tallies
from tournament.arena.scheduling.days import day_of
from tournament.errors import RunError

GROUP = "scout-3p"
FIRST_DAY = day_of(datetime(2026, 12, 1, 12, tzinfo=UTC), "UTC")
SECOND_DAY = day_of(datetime(2026, 12, 2, 12, tzinfo=UTC), "UTC")


def tally(number, *, kind=RoundKind.LADDER, day=1, deals=10, ms=100.0, placed=(), season=1, withdrawn=()):
    return RoundTally(
        number=number,
        season=season,
        kind=kind,
        planned=f"2026-12-0{day}T12:00:00Z",
        games=3 * deals,
        deals={GROUP: {"keeper.v1": deals}},
        times={GROUP: {"keeper.v1": OwnTime(ms, 10)}},
        placed=placed,
        withdrawn=withdrawn,
    )


@pytest.fixture
def folder(tmp_path):
    """Returns the folder of a competition, with a folder for its outcomes."""
    found = CompetitionFolder(tmp_path)
    found.outcomes.mkdir()
    return found


def written(folder, *tallies):
    """Returns the tallies of a competition that has these in its folder."""
    (folder.outcomes / TALLIES_FILE).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in tallies))
    return Tallies(folder)


def sums_of(*tallies):
    sums = SeasonSums()
    for one in tallies:
        sums.add(one)
    return sums


def test_deals_of_all_rounds_that_count_are_summed():
    sums = sums_of(tally(1), tally(2, kind=RoundKind.PLACEMENT, deals=5), tally(3, kind=RoundKind.CHALLENGE))

    assert {"keeper.v1": {GROUP: 15}} == sums.deals


def test_only_rounds_of_the_ladder_use_up_a_day(folder):
    tallies = written(folder, tally(1), tally(2, kind=RoundKind.PLACEMENT), tally(3, day=2, deals=4))

    assert {"keeper.v1": {GROUP: 10}} == tallies.ladder_deals_on(1, FIRST_DAY)
    assert {"keeper.v1": {GROUP: 4}} == tallies.ladder_deals_on(1, SECOND_DAY)
    assert {} == tallies.ladder_deals_on(2, FIRST_DAY)


def test_a_round_that_is_added_after_a_day_was_asked_for_counts_in_it_and_in_its_season(folder, monkeypatch):
    tallies = written(folder, tally(1))
    before = tallies.ladder_deals_on(1, FIRST_DAY), tallies.sums(1).deals
    monkeypatch.setattr(played, "tally_of", lambda folder, number: tally(number, day=number - 1, deals=3))

    tallies.add(2)
    tallies.add(3)

    assert ({"keeper.v1": {GROUP: 13}}, {"keeper.v1": {GROUP: 16}}) == before
    assert {"keeper.v1": {GROUP: 13}} == tallies.ladder_deals_on(1, FIRST_DAY)
    assert {"keeper.v1": {GROUP: 3}} == tallies.ladder_deals_on(1, SECOND_DAY)


def test_what_was_added_is_there_at_the_next_start(folder, monkeypatch):
    monkeypatch.setattr(played, "tally_of", lambda folder, number: tally(number, withdrawn=("keeper.v1",)))
    tallies = Tallies(folder)
    for number in (2, 1, 3):
        tallies.add(number)

    again = Tallies(folder)

    assert [tally(number, withdrawn=("keeper.v1",)) for number in (1, 2, 3)] == again.of_season(1)
    assert again.add(2) == tallies.add(2) == tally(2, withdrawn=("keeper.v1",))
    assert 3 == again.withdrawals("keeper.v1", season=1, since=FIRST_DAY.begins)
    assert 0 == again.withdrawals("keeper.v1", season=1, since=SECOND_DAY.begins)


@pytest.mark.parametrize("torn", [b'{"number":3', b"{}\n", msgspec.json.encode({"number": 3})])
def test_a_line_that_is_torn_or_damaged_counts_as_missing_with_all_behind_it(folder, torn):
    whole = b"".join(msgspec.json.encode(tally(number)) + b"\n" for number in (1, 2))
    path = folder.outcomes / TALLIES_FILE
    path.write_bytes(whole + torn)

    tallies = Tallies(folder)

    assert ([True, True, False], whole) == ([number in tallies for number in (1, 2, 3)], path.read_bytes())


def test_a_file_that_is_gone_is_told_of_and_not_taken_for_an_empty_one(folder):
    tallies = written(folder, tally(1))
    (folder.outcomes / TALLIES_FILE).unlink()

    with pytest.raises(RunError, match="Start the referee again"):
        tallies.sums(1)


def test_a_game_takes_the_mean_over_all_rounds_also_those_that_count_for_nothing():
    sums = sums_of(tally(1, ms=100.0), tally(2, kind=RoundKind.CHALLENGE, ms=300.0))

    assert {GROUP: 20.0} == sums.game_ms("keeper.v1")
    assert {} == sums.game_ms("nobody.v1")


def test_whoever_was_placed_stays_placed():
    assert {"keeper.v1"} == sums_of(tally(1, kind=RoundKind.PLACEMENT, placed=("keeper.v1",)), tally(2)).placed


def test_withdrawals_are_those_of_a_season_since_a_version_plays(folder):
    out = ("keeper.v1",)
    tallies = written(
        folder,
        tally(1, withdrawn=out),
        tally(2, season=2, withdrawn=out),
        tally(3, season=2, day=2, withdrawn=out),
        tally(4, season=2, day=2, kind=RoundKind.CHALLENGE, withdrawn=out),
        tally(5, season=2, day=2),
    )

    assert 2 == tallies.withdrawals("keeper.v1", season=2, since=FIRST_DAY.begins)
    assert 1 == tallies.withdrawals("keeper.v1", season=2, since=SECOND_DAY.begins)
