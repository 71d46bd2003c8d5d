"""The public names, used as in a notebook."""

from __future__ import annotations

import pytest

from tournament import audit, load_game, read_records, replay, run_tournament, standings
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.errors import BotError
from tournament.ranking.comparison import compare


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    source, _ = with_flags(default_source(), seed="notebook", budget=Budget(deals=1), isolation="none")
    return run_tournament(resolve(source), out=tmp_path_factory.mktemp("notebook") / "run")


def test_records_are_read_replayed_and_audited(folder):
    """Public names, for notebooks too."""
    record = next(read_records(folder))
    walk = replay(record)
    walk.jump(walk.last)

    assert record.result.scores == walk.state.outcome().scores
    assert "SCOUT" == load_game(record.game.name).title
    assert () == audit(folder).findings


def test_a_run_and_its_records_give_the_same_standings(folder):
    """`standings` takes a path or records."""
    of_run, of_records = standings(str(folder)), standings(read_records(folder))

    assert (of_run.groups, of_run.championship) == (of_records.groups, of_records.championship)
    assert (("tournament",), ()) == (of_run.runs, of_records.runs)


def test_several_runs_by_name_are_pooled_as_the_command_does(folder, tmp_path):
    """A list of paths was taken for records: an AttributeError."""
    source, _ = with_flags(default_source(), seed="second", budget=Budget(deals=1), isolation="none")
    second = run_tournament(resolve(source), out=tmp_path / "run")
    pooled = standings([folder, str(second)])

    assert [2 * group.games for group in standings(folder).groups] == [group.games for group in pooled.groups]
    assert standings(folder) == standings([folder])


def test_two_bots_of_a_run_are_compared_as_the_command_does(folder):
    """A path gives the names of its runs, records the same figures without."""
    first, second = sorted({seat.bot for record in read_records(folder) for seat in record.seats})[:2]
    of_run, of_records = compare(first, second, folder), compare(first, second, read_records(folder))

    assert (first, second) == of_run.entrants
    assert (("tournament",), ()) == (of_run.runs, of_records.runs)
    assert (of_run.overall, of_run.groups) == (of_records.overall, of_records.groups)


def test_a_bot_that_is_not_in_the_run_is_named_when_it_is_compared(folder):
    """With those that are."""
    with pytest.raises(BotError, match='There is no entrant "nobody"'):
        compare("nobody", "nobody", folder)
