"""What planning is told of a competition."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

NOW = datetime(2026, 12, 1, 15, tzinfo=UTC)


def known_of(arena, row):
    from tournament.arena.play.knowing import Competition

    return Competition(row, arena.competition(row.name)).known(NOW, clock=0.0)


@pytest.mark.parametrize(("state", "is_admitting"), [("received", False), ("checking", True), ("accepted", True)])
def test_planning_is_told_of_a_check_under_way_so_that_the_final_waits(arena, state, is_admitting):
    from arena.making import make_bot, make_competition, make_participant, make_version

    row = make_competition(arena, state="frozen")
    make_version(make_bot(make_participant(row, "ada"), "keeper"), state)

    known = known_of(arena, row)

    assert is_admitting == known.is_admitting
    assert (state == "received") == bool(known.checks)


def test_both_lanes_are_told_the_same_that_was_gathered_once_and_anew_once_something_has_begun(
    arena, referee, monkeypatch
):
    from arena.making import make_bot, make_competition, make_participant, make_version

    from tournament.arena.play.knowing import Competition

    row = make_competition(arena, state="paused")
    gathered = []
    real = Competition.known
    monkeypatch.setattr(Competition, "known", lambda self, now, **told: gathered.append(now) or real(self, now, **told))
    refereeing = referee()

    refereeing.tick()
    idle = len(gathered)
    make_version(make_bot(make_participant(row, "ada"), "keeper"), "received")
    refereeing.tick()

    assert (1, 2) == (idle, len(gathered) - idle)
    assert refereeing.lanes[0].work is not None


def test_a_ladder_is_read_again_only_once_its_file_has_changed(arena, monkeypatch):
    from arena.made_site import made_ladder
    from arena.making import make_competition
    from msgspec.structs import replace

    from tournament.arena.ladder_file import write_ladder
    from tournament.arena.play.knowing import Competition

    row = make_competition(arena)
    folder = arena.competition(row.name)
    competition = Competition(row, folder)
    assert competition.ladder() is None

    write_ladder(folder, made_ladder())
    first = competition.ladder()
    assert first is competition.ladder()

    write_ladder(folder, replace(made_ladder(), games=480))
    assert (400, 480) == (first.games, competition.ladder().games)


def test_planning_is_told_of_house_bots_that_are_challenged(arena):
    from arena.courts import make_competition, make_version

    from tournament.arena.models import Challenge
    from tournament.arena.scheduling.placements import challenge_round

    folder, row = make_competition(arena)
    version = make_version(folder, row)
    Challenge.objects.create(competition=row, version=version, asked=NOW, house=["cautious", "steady"])

    known = known_of(arena, row)
    (asked,) = known.challenges
    planned = challenge_round(known, asked)

    assert {"cautious", "steady"} == {bot.name for bot in asked.opponents}
    assert ({"keeper.v1", "cautious", "steady"}, ("keeper.v1",)) == (set(planned.entrants), planned.focus)
