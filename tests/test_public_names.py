"""The public names, used as in a notebook."""

from __future__ import annotations

import pytest

from tournament import audit, load_game, read_records, replay, run_tournament, standings
from tournament.configuration.file import default_source
from tournament.configuration.flags import with_flags
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget


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
    assert standings(str(folder)) == standings(read_records(folder))


def test_several_runs_by_name_are_pooled_as_the_command_does(folder, tmp_path):
    """A list of paths was taken for records: an AttributeError."""
    source, _ = with_flags(default_source(), seed="second", budget=Budget(deals=1), isolation="none")
    second = run_tournament(resolve(source), out=tmp_path / "run")
    pooled = standings([folder, str(second)])

    assert [2 * group.games for group in standings(folder).groups] == [group.games for group in pooled.groups]
    assert standings(folder) == standings([folder])
