"""A planned round as an ordinary run folder."""

from __future__ import annotations

import msgspec
import pytest
from arena.courts import RULES, made_round, make_competition, make_version, planned, read_version_file

from tournament import audit, standings
from tournament.arena.files import CompetitionFile, RoundEntrant
from tournament.arena.play.house import groups_of, house_bots
from tournament.arena.play.rounds import (
    check_plan,
    configuration_of,
    entry_of_version,
    play_round,
)
from tournament.arena.play.tallies import run_in
from tournament.arena.transitions import RoundState
from tournament.configuration.types import GameEntry
from tournament.errors import ConfigurationError, RunError, SchedulerGoneError
from tournament.records.run import RunState
from tournament.run.run import Run


@pytest.fixture
def folder(arena):
    """Returns the folder of a competition with one version."""
    folder, row = make_competition(arena)
    make_version(folder, row)
    return folder


def test_a_round_plays_what_was_planned(folder):
    plan = planned("keeper.v1", "random", "cautious", focus=("keeper.v1",))

    check_plan(configuration_of(folder, made_round(folder, plan)), plan)


def test_a_round_says_who_plays_it_and_with_which_program(folder):
    round_file = made_round(folder, planned("keeper.v1", "random", "cautious"))

    digest = read_version_file(folder, "keeper", 1).digest
    assert RoundEntrant(name="keeper.v1", bot="keeper", number=1, digest=digest) == round_file.entrants[0]
    assert ("random", None, RoundState.PLANNED) == (
        round_file.entrants[1].bot,
        round_file.entrants[1].number,
        round_file.state,
    )


def test_a_round_is_an_ordinary_run_that_audits_clean(folder):
    made_round(folder, planned("keeper.v1", "random", "cautious"))

    play_round(folder.path, 1, None)

    place = folder.round(1)
    report = audit(place)
    info = run_in(folder.round(1))
    assert [] == list(report.findings)
    assert (RunState.COMPLETE, True, False) == (info.state, info.compress, (place / "master.secret").exists())
    assert info.segments[0].commitment is not None
    assert {"keeper.v1", "random", "cautious"} == {row.entrant for row in standings(place).groups[0].rows}


def test_a_round_whose_scheduler_is_gone_names_no_command_of_a_run(folder, monkeypatch):
    def lose_scheduler(run):
        raise SchedulerGoneError("tcp://10.0.0.5:8786", "Go on with: tournament resume")

    made_round(folder, planned("keeper.v1", "random", "cautious"))
    monkeypatch.setattr(Run, "play", lose_scheduler)

    with pytest.raises(RunError) as refused:
        play_round(folder.path, 1, None)

    assert str(refused.value) == (
        "The scheduler at tcp://10.0.0.5:8786 is gone, or the connection to it. The round goes on by itself once it is "
        "back. To play on this machine, take `cluster` out of arena.yaml and start the referee again."
    )


def test_the_master_of_a_round_is_drawn_anew(folder):
    for number in (1, 2):
        made_round(folder, planned("keeper.v1", "random", "cautious"), number=number)
        play_round(folder.path, number, None)

    assert run_in(folder.round(1)).segments[0].master != run_in(folder.round(2)).segments[0].master


def test_a_version_is_named_with_paths_below_the_competition(folder):
    file = read_version_file(folder, "keeper", 1)
    (folder.version("keeper", 1).program / "main").write_text("")
    file = msgspec.structs.replace(
        file, spec={"command": ["./main", "--fast"], "files": ["data.txt"], "games": ["scout"]}
    )

    assert {
        "name": "keeper.v1",
        "command": ["bots/keeper/1/program/main", "--fast"],
        "files": ["bots/keeper/1/program/data.txt"],
        "games": ["scout"],
    } == entry_of_version(folder, file)


def test_house_bots_fill_the_largest_table_of_every_game(folder):
    games = (GameEntry(game="scout", players=(3, 5)), GameEntry(game="explorers", players=2))
    rules = CompetitionFile(title="Cup", games=games)

    house = house_bots(rules, folder)

    assert ["random", "cautious", "steady", "strong", "random_2"] == [bot.name for bot in house]
    assert [("scout-3p", "scout", 3), ("scout-5p", "scout", 5), ("explorers-2p", "explorers", 2)] == list(
        groups_of(rules)
    )


def test_house_bots_that_are_no_examples_are_refused(folder):
    rules = msgspec.structs.replace(RULES, house=("stedy",))

    with pytest.raises(ConfigurationError, match=r'house: stedy is no example bot .* Did you mean "steady"'):
        house_bots(rules, folder)


def test_what_a_killed_referee_left_of_a_round_is_made_anew(folder):
    beside = folder.rounds / ".new-000001"
    beside.mkdir()
    (beside / "half").write_text("")

    made_round(folder, planned("keeper.v1", "random", "cautious"))

    assert ["round.json"] == [path.name for path in folder.round(1).iterdir()]
