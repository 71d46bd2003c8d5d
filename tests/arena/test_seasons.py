"""A season that ends because what it is played with on this machine has another version."""

from __future__ import annotations

import pytest
from arena.courts import NOW, RULES, made_round, make_competition, make_version, planned
from msgspec.structs import replace

from tournament.arena.acts import read_acts
from tournament.arena.files import ActKind
from tournament.arena.season import beginning
from tournament.arena.season.beginning import season_environment


@pytest.fixture
def look(arena):
    """Returns what lets a referee look around once, with what it said until then."""
    from tournament.arena.play.desk import Desk
    from tournament.arena.play.refereeing import Refereeing

    said, made = [], []

    def once():
        if not made:
            desk = Desk(folder=arena, say=said.append, now=lambda: NOW, free_share=lambda: 0.0)
            made.append(Refereeing(desk, cores=(None, None)))  # with a full disk it plays nothing
        made[0].tick()
        return said

    yield once
    for one in made:
        one.end()


def test_another_version_of_this_program_begins_a_season_with_an_act_and_an_announcement(arena, look, monkeypatch):
    from tournament.arena.models import Announcement, VersionRow

    folder, row = make_competition(arena)
    make_version(folder, row)
    made_round(folder, planned("keeper.v1", "random", "cautious"))
    monkeypatch.setattr(beginning, "__version__", "9.9.9")

    look()
    look()

    row.refresh_from_db()
    assert (2, False) == (row.season, VersionRow.objects.get().placed)
    assert [ActKind.ANNOUNCE, ActKind.SEASON] == [act.kind for act in read_acts(folder)]
    told = Announcement.objects.get().text
    assert "Season 2 begins, in which nothing played so far counts. It is played with tournament 9.9.9, CPython" in told


def test_a_season_goes_on_while_nothing_changes(arena, look):
    folder, row = make_competition(arena)
    made_round(folder, planned("random", "cautious", "steady"))

    look()

    row.refresh_from_db()
    assert (1, ()) == (row.season, read_acts(folder))


def test_a_frozen_competition_keeps_its_season_and_its_hosts_are_told_once(arena, look):
    from tournament.arena.models import Trouble

    folder, row = make_competition(arena, state="frozen")
    made_round(folder, planned("random", "cautious", "steady"), environment="0" * 64)

    look()
    look()

    row.refresh_from_db()
    assert 1 == row.season
    assert 1 == Trouble.objects.filter(competition=row, text__contains="It is frozen").count()


def test_python_packages_and_rules_are_part_of_what_a_season_is_played_with():
    now = season_environment(RULES)

    digests = {
        one.digest
        for one in (
            now,
            replace(now, tournament="9.9.9"),
            replace(now, rules_versions={"scout": 99}),
            replace(now, bots=replace(now.bots, python="CPython 9")),
            season_environment(replace(RULES, packages=("msgspec",))),
        )
    }
    assert 5 == len(digests)
