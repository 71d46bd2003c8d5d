"""Outcomes: kept round by round, or made anew from the run folders, with the same bytes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tournament.arena.files import Lane, RoundEntrant, RoundFile, RoundKind, write_json
from tournament.arena.folder import CompetitionFolder
from tournament.arena.season import outcome_files
from tournament.arena.season.outcome_files import OutcomeFiles
from tournament.arena.season.outcomes import joined_outcomes, pair_outcomes
from tournament.arena.transitions import RoundState
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget, ConfigurationFile, GameEntry
from tournament.errors import RunError, TournamentError
from tournament.ranking.claims import head_to_head
from tournament.ranking.compact.collecting import counted_games
from tournament.ranking.points import placement_points
from tournament.ranking.results import results_of_run
from tournament.records.run import Format
from tournament.records.settings import Isolation
from tournament.run.run import Run
from tournament.store.folder import read_run

BOT = """
from tournament import Bot


class Fast(Bot):
    \"\"\"Takes a legal action, or breaks.\"\"\"

    def act(self, view):
        return {action}
"""
BOTS = {"ada": "view.legal_actions()[0]", "bea": "view.legal_actions()[-1]", "cia": "1 // 0"}


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """Returns a played run of three bots, of which one raises an exception at once, in two groups."""
    home = tmp_path_factory.mktemp("runs")
    (home / "bots").mkdir()
    for name, action in BOTS.items():
        (home / "bots" / f"{name}.py").write_text(BOT.format(action=action))
    games = tuple(GameEntry(game="explorers", players=players, options={"move_limit": 40}) for players in (2, 3))
    file = ConfigurationFile(
        name="round", games=games, bots=("bots",), budget=Budget(deals=2), isolation=Isolation.NONE
    )
    Run.begin(resolve(ConfigurationSource(file, home, None, {})), home / "run").play()
    return home / "run"


@pytest.fixture
def folder(tmp_path) -> CompetitionFolder:
    """Returns the folder of a competition without a round."""
    found = CompetitionFolder(tmp_path / "cup")
    found.rounds.mkdir(parents=True)
    return found


def put(
    folder: CompetitionFolder,
    run: Path,
    number: int,
    *,
    kind: RoundKind = RoundKind.LADDER,
    state: RoundState = RoundState.COMPLETE,
    season: int = 1,
) -> None:
    """Puts a run into a competition as a round."""
    place = folder.round(number)
    if not place.exists():
        shutil.copytree(run, place)
    entrants = tuple(RoundEntrant(name=name, bot=name, number=1, digest="0" * 64) for name in BOTS)
    told = RoundFile(
        competition="cup",
        season=season,
        number=number,
        kind=kind,
        lane=Lane.LONG,
        planned="2026-12-01T12:00:00Z",
        environment="0" * 64,
        entrants=entrants,
        games=(GameEntry(game="explorers", players=(2, 3)),),
        schedule=Format.ROUND_ROBIN,
        budget=Budget(deals=2),
        state=state,
    )
    write_json(place / "round.json", told)


def bytes_of(folder: CompetitionFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.outcomes.iterdir())}


def test_rounds_that_are_kept_one_by_one_in_any_order_give_the_bytes_of_a_rebuild(folder, run):
    files = OutcomeFiles(folder)
    for number in (3, 1, 101, 2):
        put(folder, run, number)
        assert files.add(number)
    kept = bytes_of(folder)
    shutil.rmtree(folder.outcomes)
    files.rebuild()

    assert ["000000.msgpack", "000001.msgpack"] == list(kept)
    assert kept == bytes_of(folder)


def test_a_round_that_is_kept_twice_counts_once(folder, run):
    put(folder, run, 1)
    files = OutcomeFiles(folder)
    files.add(1)
    before = bytes_of(folder)
    files.add(1)

    assert before == bytes_of(folder)


@pytest.mark.parametrize("kind", [RoundKind.CHALLENGE, RoundKind.FINAL])
def test_challenges_and_finals_do_not_count(folder, run, kind):
    put(folder, run, 1, kind=kind)

    assert not OutcomeFiles(folder).add(1)
    assert () == OutcomeFiles(folder).season(1).rounds


@pytest.mark.parametrize("state", [state for state in RoundState if state is not RoundState.COMPLETE])
def test_a_round_counts_only_once_it_is_complete(folder, run, state):
    put(folder, run, 1, state=state)

    assert not OutcomeFiles(folder).add(1)


def test_what_a_killed_referee_left_out_is_kept_later(folder, run):
    for number in (1, 2, 3):
        put(folder, run, number, kind=RoundKind.CHALLENGE if number == 3 else RoundKind.PLACEMENT)
    files = OutcomeFiles(folder)
    files.add(2)

    assert (1, 2) == files.brought_up(1).rounds
    assert (1, 2) == files.season(1).rounds


def test_a_season_is_the_same_whether_its_last_rounds_were_kept_before_or_not(folder, run):
    for number in (1, 2, 101):
        put(folder, run, number)
    files = OutcomeFiles(folder)
    files.add(1)
    kept = files.brought_up(1)
    written = bytes_of(folder)
    files.rebuild()

    assert (1, 2, 101) == kept.rounds
    assert written == bytes_of(folder)
    for group, own in files.season(1).groups.items():
        for array in ("rounds", "order", "places", "forfeited"):
            assert np.array_equal(getattr(kept.groups[group], array), getattr(own, array))


def test_for_a_ladder_each_file_is_read_once(folder, run, monkeypatch):
    for number in (1, 101, 102):
        put(folder, run, number)
        OutcomeFiles(folder).add(number)
    put(folder, run, 2)
    read = []
    real = outcome_files._read
    monkeypatch.setattr(outcome_files, "_read", lambda path: read.append(path.name) or real(path))

    assert (1, 2, 101, 102) == OutcomeFiles(folder).brought_up(1).rounds
    assert ["000000.msgpack", "000001.msgpack"] == read


def test_rounds_before_a_damaged_one_are_kept(folder, run):
    for number in (1, 2):
        put(folder, run, number)
    (folder.round(2) / "run.json").write_text("{")

    with pytest.raises(TournamentError):
        OutcomeFiles(folder).brought_up(1)

    assert (1,) == OutcomeFiles(folder).season(1).rounds


def test_a_rebuild_forgets_rounds_that_have_no_folder(folder, run):
    for number in (1, 250):
        put(folder, run, number)
        OutcomeFiles(folder).add(number)
    shutil.rmtree(folder.round(250))
    OutcomeFiles(folder).rebuild()

    assert (1,) == OutcomeFiles(folder).season(1).rounds


def test_rounds_of_another_season_do_not_count(folder, run):
    for number, season in ((1, 1), (2, 2), (3, 2)):
        put(folder, run, number, season=season)
        OutcomeFiles(folder).add(number)

    assert [(1,), (2, 3), ()] == [OutcomeFiles(folder).season(season).rounds for season in (1, 2, 3)]


def test_a_damaged_file_is_refused_with_what_to_do(folder, run):
    put(folder, run, 1)
    OutcomeFiles(folder).add(1)
    path = next(folder.outcomes.iterdir())
    path.write_bytes(path.read_bytes()[:-9])

    with pytest.raises(RunError, match="tournament arena rebuild"):
        OutcomeFiles(folder).season(1)


def test_points_and_faults_are_those_of_the_run(folder, run):
    put(folder, run, 1)
    OutcomeFiles(folder).add(1)
    outcomes = OutcomeFiles(folder).season(1)
    counted = counted_games(results_of_run(run, read_run(run)))
    for own in counted.groups:
        games = outcomes.groups[own.games.group].games(outcomes.names)

        assert own.games.entrants == games.entrants
        assert placement_points(own.games).values.tolist() == placement_points(games).values.tolist()
        assert own.games.forfeited.tolist() == games.forfeited.tolist()
    assert {"cia"} == set(outcomes.faults)
    assert sum(own.faults["cia"].total() for own in counted.groups) == outcomes.faults["cia"].total()


def test_sums_by_pair_are_those_of_the_head_to_head(folder, run):
    for number in (1, 2):
        put(folder, run, number)
        OutcomeFiles(folder).add(number)
    outcomes = OutcomeFiles(folder).season(1)
    counted = counted_games(results_of_run(run, read_run(run)))
    for own in counted.groups:
        pairs = pair_outcomes(outcomes.groups[own.games.group], last_rounds=[1, 2])
        columns = (pairs.stretch, pairs.first, pairs.second, pairs.games, pairs.won, pairs.level)
        found = list(zip(*(column.tolist() for column in columns), strict=True))
        told = [
            (outcomes.names.index(one.entrant), outcomes.names.index(one.opponent), one.games, one.wins, one.draws)
            for one in head_to_head(own.games)
        ]

        assert [(stretch, *one) for stretch in (0, 1) for one in told] == found


def test_names_come_by_the_round_they_first_sat_in(folder, run):
    put(folder, run, 1)
    OutcomeFiles(folder).add(1)
    one = OutcomeFiles(folder).season(1)
    renamed = type(one)(names=("zoe", "ada", "new"), rounds=(7,), groups=one.groups, faults={})
    both = joined_outcomes([renamed, one])

    assert ("zoe", "ada", "new", "bea", "cia") == both.names
    assert all(
        np.array_equal(own.order[: len(own.order) // 2], one.groups[name].order) for name, own in both.groups.items()
    )


def test_a_ladder_can_be_read_without_numpy():
    import subprocess

    code = "import sys, tournament.arena.ladder_file; assert 'numpy' not in sys.modules, 'numpy'"

    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_outcomes_that_are_known_already_are_kept_with_the_same_bytes(folder, run):
    put(folder, run, 1)
    files = OutcomeFiles(folder)
    files.add(1)
    kept = bytes_of(folder)
    known = files.season(1)
    shutil.rmtree(folder.outcomes)
    files.keep([known], season=1)

    assert kept == bytes_of(folder)
