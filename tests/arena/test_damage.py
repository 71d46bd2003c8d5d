"""Damaged files, and a database that goes away in the middle: nothing stands still but what is concerned."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from types import SimpleNamespace

import pytest
from arena.courts import (
    NOW,
    made_round,
    make_competition,
    make_received,
    make_version,
    planned,
    read_version_file,
)
from django.db import OperationalError

from tournament.arena.acts import read_acts
from tournament.arena.checks.check_steps import CheckOutcome
from tournament.arena.checks.checking import CheckResult
from tournament.arena.files import ROUND_FILE, VERSION_FILE, RoundFile, StateChange, read_json, write_json
from tournament.arena.folder import with_full_disk
from tournament.arena.ladder_file import read_ladder
from tournament.arena.play.children import ProcessEnding, ProcessOutcome
from tournament.arena.play.tallies import TALLIES_FILE, Tallies
from tournament.arena.states import move_round, move_version
from tournament.arena.transitions import CompetitionState, RoundState, VersionState


def troubles():
    from tournament.arena.models import Trouble

    return "\n".join(Trouble.objects.values_list("text", flat=True))


def cut_off(path):
    path.write_bytes(path.read_bytes()[:40])


class Checked:
    """In place of the process of a check: it ended at once, and the version is good."""

    is_alive = is_stopping = False

    def __init__(self, *arguments, **named):
        pass

    def ending(self):
        found = CheckResult(outcome=CheckOutcome.ACCEPTED, digest="d" * 64, spec={"bot": "bot.py"})
        return ProcessEnding(outcome=ProcessOutcome.DONE, answer=found)


@pytest.fixture
def checks(monkeypatch):
    """Has every check end at once."""
    from tournament.arena.play import works

    monkeypatch.setattr(works, "LaneProcess", Checked)


def tick(refereeing, until):
    """Lets a referee, whose checks end at once, work until something holds."""
    for _ in range(20):
        if until():
            return
        refereeing.tick()
    raise AssertionError(f"it did not come to that; it said {refereeing.said}")


def test_a_row_that_its_file_is_ahead_of_follows_when_the_change_is_made_again(arena):
    from msgspec.structs import replace

    folder, row = make_competition(arena)
    version = make_version(folder, row, state="received")
    path = folder.version("keeper", 1).path / VERSION_FILE
    file = read_version_file(folder, "keeper", 1)
    change = StateChange(at=file.changes[0].at, state=VersionState.CHECKING)
    write_json(path, replace(file, changes=(*file.changes, change)))

    move_version(version, VersionState.CHECKING, folder=folder, at=NOW)

    version.refresh_from_db()
    assert "checking" == version.state
    assert 2 == len(read_version_file(folder, "keeper", 1).changes)


def test_a_round_whose_file_is_ahead_of_its_row_is_complete_when_that_is_said_again(arena):
    from msgspec.structs import replace

    from tournament.arena.play.indexing import index_round

    folder, row = make_competition(arena)
    made_round(folder, planned("random", "cautious", "steady"))
    one = index_round(row, folder.round(1))
    move_round(one, RoundState.PLAYING, folder=folder, at=NOW)
    path = folder.round(1) / ROUND_FILE
    write_json(path, replace(read_json(path, RoundFile), state=RoundState.COMPLETE))

    move_round(one, RoundState.COMPLETE, folder=folder, at=NOW, games=6)

    one.refresh_from_db()
    assert ("complete", 6) == (one.state, one.games)


@pytest.mark.parametrize("at_state", ["checking", "accepted", "active"])
def test_a_database_that_goes_away_between_file_and_row_loses_no_check(arena, referee, checks, monkeypatch, at_state):
    from tournament.arena import states
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_received(folder, row)
    follow, failed = states.follow_version, []

    def fails_once(version, file):
        if file.state == at_state and not failed:
            failed.append(at_state)
            raise OperationalError("gone")
        follow(version, file)

    monkeypatch.setattr(states, "follow_version", fails_once)
    refereeing = referee(patience_seconds=0.0)

    tick(refereeing, lambda: VersionRow.objects.get().state == "active")

    changes = [change.state.value for change in read_version_file(folder, "keeper", 1).changes]
    assert (["received", "checking", "accepted", "active"], [at_state]) == (changes, failed)


FULL = SimpleNamespace(total=1 << 30, free=4096)
ROOMY = SimpleNamespace(total=1 << 30, free=1 << 29)


@pytest.mark.parametrize(
    ("disk", "why"), [(FULL, "disk I/O error (the disk of {} is full: make room on it)"), (ROOMY, "disk I/O error")]
)
def test_hosts_are_told_that_the_disk_is_full_whatever_sqlite_calls_it(arena, referee, monkeypatch, disk, why):
    """Found by CI: SQLite says that the disk is full only where it has no room for a row."""
    from tournament.arena.models import Trouble
    from tournament.arena.play import refereeing as module

    def fails(folder):
        raise OperationalError("disk I/O error")

    refereeing = referee()
    with monkeypatch.context() as full:
        full.setattr(module, "remove_leftovers", fails)
        full.setattr(shutil, "disk_usage", lambda place: disk)
        refereeing.tick()
    refereeing.tick()

    why = why.format(arena.path)
    assert f"The database does not answer, and is waited for: {why}" in refereeing.said
    assert [f"For a while the database took nothing: {why}"] == list(Trouble.objects.values_list("text", flat=True))


def test_a_full_disk_is_said_of_the_place_that_lies_on_it(monkeypatch, tmp_path):
    roomy, full = tmp_path / "arena", tmp_path / "backups"
    monkeypatch.setattr(shutil, "disk_usage", lambda place: FULL if place == full else ROOMY)

    assert f"it fails (the disk of {full} is full: make room on it)" == with_full_disk("it fails", roomy, full)


def test_the_disk_of_an_arena_says_nothing_of_a_database_elsewhere(arena, monkeypatch):
    arena.database.unlink()
    monkeypatch.setattr(shutil, "disk_usage", lambda place: FULL)

    assert "the server is gone" == arena.database_failure("the server is gone")


def test_a_competition_whose_rules_are_gone_does_not_stop_the_others(arena, referee, checks):
    from tournament.arena.models import VersionRow

    broken, _ = make_competition(arena, "broken")
    folder, row = make_competition(arena, "cup", state="paused")
    refereeing = referee(patience_seconds=0.0)
    refereeing.tick()
    (broken.path / "competition.yaml").unlink()
    make_received(folder, row)

    tick(refereeing, lambda: VersionRow.objects.get().state == "active")

    assert "competition.yaml" in troubles()


def test_a_version_file_that_is_cut_off_while_it_waits_keeps_no_other_from_its_check(arena, referee, checks):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    refereeing = referee(patience_seconds=0.0)
    refereeing.tick()
    make_received(folder, row, "bold")
    make_received(folder, row, "keeper")
    cut_off(folder.version("bold", 1).path / VERSION_FILE)

    tick(refereeing, lambda: VersionRow.objects.get(bot__name="keeper").state == "active")

    assert "A check could not be begun" in troubles()


def test_what_became_of_a_check_is_written_as_soon_as_it_can_be(arena, referee, checks):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_received(folder, row, "bold")
    path = folder.version("bold", 1).path / VERSION_FILE
    refereeing = referee(patience_seconds=0.0)
    tick(refereeing, lambda: refereeing.lanes[0].work is not None)
    whole = path.read_bytes()
    cut_off(path)
    make_received(folder, row, "keeper")

    tick(refereeing, lambda: VersionRow.objects.get(bot__name="keeper").state == "active")
    assert "What became of the check of bold.v1 cannot be written" in troubles()
    path.write_bytes(whole)

    tick(refereeing, lambda: VersionRow.objects.get(bot__name="bold").state == "active")


def test_a_date_does_not_act_on_a_competition_that_a_host_closed_just_now(arena):
    from tournament.arena.models import CompetitionRow
    from tournament.arena.play.dates import follow_dates
    from tournament.arena.play.desk import Desk
    from tournament.arena.play.knowing import Competition

    folder, row = make_competition(arena)
    row.freezes = NOW
    row.save()
    CompetitionRow.objects.update(state="closed")  # after the referee has read the row

    follow_dates(Competition(row, folder), Desk(folder=arena, say=print, now=lambda: NOW + timedelta(days=1)))

    assert (CompetitionState.CLOSED, ()) == (CompetitionRow.objects.get().state, read_acts(folder))


def test_a_database_that_is_older_than_the_folders_is_brought_to_what_they_say(arena, referee):
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_version(folder, row, number=2, state="retired", digest="a" * 64)
    make_version(folder, row, number=10, state="active", digest="b" * 64)
    VersionRow.objects.update(state="retired")
    VersionRow.objects.filter(number=2).update(state="active")

    referee().tick()

    assert [(2, "retired"), (10, "active")] == list(
        VersionRow.objects.order_by("number").values_list("number", "state")
    )


def test_a_check_that_ends_after_that_of_a_later_version_does_not_take_its_place(arena, referee):
    """The machine failed at the check of the second one, and meanwhile the third was handed in and accepted."""
    from tournament.arena.models import VersionRow

    folder, row = make_competition(arena, state="paused")
    make_version(folder, row, number=2, state="accepted", digest="b" * 64)
    make_version(folder, row, number=3, digest="c" * 64)

    referee().tick()

    states = VersionRow.objects.order_by("number").values_list("number", "state")
    assert [(2, "retired"), (3, "active")] == list(states)
    assert "Version 3 was handed in later" in VersionRow.objects.get(number=2).why


def test_a_machine_that_fails_three_times_at_a_check_tells_hosts_once(arena, referee, monkeypatch):
    from tournament.arena.play import works

    class Failing(Checked):
        def ending(self):
            return ProcessEnding(outcome=ProcessOutcome.FAILED, text="no memory")

    monkeypatch.setattr(works, "LaneProcess", Failing)
    folder, row = make_competition(arena, state="paused")
    make_received(folder, row)
    refereeing = referee(patience_seconds=0.0)

    for _ in range(12):
        refereeing.tick()

    changes = [change.state.value for change in read_version_file(folder, "keeper", 1).changes]
    assert changes.count("checking") > 3
    assert 1 == troubles().count("The machine failed 3 times at the check of keeper.v1")


@pytest.fixture
def played(arena):
    """Returns the folder of a competition with a complete round, whose tally is written."""
    from tournament.arena.play.indexing import index_round
    from tournament.arena.play.knowing import Competition
    from tournament.arena.play.rounds import play_round
    from tournament.arena.play.works import settle_round

    folder, row = make_competition(arena, state="paused")
    made_round(folder, planned("random", "cautious", "steady"))
    one = index_round(row, folder.round(1))
    move_round(one, RoundState.PLAYING, folder=folder, at=NOW)
    play_round(folder.path, 1, None)
    assert settle_round(Competition(row, folder), one, at=NOW)
    return folder


def test_tallies_that_were_torn_are_whole_again_after_the_next_start(played, referee):
    path = played.outcomes / TALLIES_FILE
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:30])

    referee().tick()
    assert whole == path.read_bytes()

    path.unlink()
    referee().tick()
    assert whole == path.read_bytes()


def test_a_round_whose_folder_is_gone_counts_no_more_on_the_ladder(played, referee):
    referee().tick()
    assert (1, 6) == (len(Tallies(played).of_season(1)), read_ladder(played).games)

    shutil.rmtree(played.round(1))
    referee().tick()

    assert (0, 0) == (len(Tallies(played).of_season(1)), read_ladder(played).games)


def test_a_round_file_says_what_it_is(played):
    told = json.loads((played.round(1) / ROUND_FILE).read_bytes())

    assert ("tournament-round", 1) == (told["format"], told["version"])
