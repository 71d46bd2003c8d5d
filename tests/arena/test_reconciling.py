"""What a killed referee left half done, as the next one finds it."""

from __future__ import annotations

import fcntl
import os
from datetime import timedelta
from pathlib import Path

import pytest
from arena.courts import NOW, made_round, make_competition, make_received, make_version, planned
from msgspec.structs import replace

from tournament.arena.files import VERSION_FILE, Lane, RoundKind
from tournament.records.run import RunState
from tournament.store.folder import read_run


@pytest.fixture
def competition(arena):
    """Returns the folder and the row of a competition with a version that somebody wants to see play."""
    folder, row = make_competition(arena)
    return folder, row, make_version(folder, row)


def challenge_of(row, version, *, asked=NOW):
    from tournament.arena.models import Challenge, Participant

    owner = Participant.objects.create(competition=row, public_name="Ada", joined=NOW)
    return Challenge.objects.create(competition=row, version=version, asked_by=owner, asked=asked)


def made_for(folder, challenge):
    plan = replace(planned("keeper.v1", "random", "cautious"), kind=RoundKind.CHALLENGE, challenge=challenge.pk)
    made_round(folder, plan)


def reconciled(arena, folder, row):
    """Reconciles a competition; returns what was said."""
    from tournament.arena.play.desk import Desk
    from tournament.arena.play.knowing import Competition
    from tournament.arena.play.reconciling import reconcile

    said = []
    reconcile(Competition(row, folder), Desk(folder=arena, say=said.append))
    return said


def lost_round(row, number):
    from tournament.arena.models import RoundRow

    RoundRow.objects.create(
        competition=row, number=number, season=1, kind="ladder", lane="long", state="complete", planned=NOW
    )


def troubles():
    from tournament.arena.models import Trouble

    return list(Trouble.objects.order_by("pk").values_list("text", flat=True))


def test_of_one_round_whose_folder_is_gone_hosts_read_its_number_and_what_to_do(arena, competition):
    folder, row, _ = competition
    lost_round(row, 7)

    reconciled(arena, folder, row)

    told = (
        f"The folder of 1 round is gone: 7. It counts no more. Restore what is missing in {folder.rounds} from a "
        "backup, and start the referee again."
    )
    assert [told] == troubles()


def test_of_many_rounds_whose_folders_are_gone_hosts_read_once(arena, competition):
    folder, row, _ = competition
    for number in range(1, 41):
        lost_round(row, number)

    reconciled(arena, folder, row)

    (told,) = troubles()
    assert told.startswith("The folders of 40 rounds are gone: 1, 2, 3, 4, 5 and 35 more. They count no more.")


def test_of_versions_whose_folders_are_gone_hosts_read_once(arena, competition):
    from tournament.arena.models import VersionRow

    folder, row, version = competition
    for number in (2, 3):
        VersionRow.objects.create(bot=version.bot, number=number, state="retired", received=NOW, changed=NOW)

    reconciled(arena, folder, row)

    (told,) = troubles()
    assert told.startswith("The folders of 2 versions are gone: keeper.v2, keeper.v3. They take part no more.")


def test_a_round_whose_row_was_not_written_is_that_of_its_challenge_and_no_second_one_is_made(arena, competition):
    from tournament.arena.models import RoundRow

    folder, row, version = competition
    challenge = challenge_of(row, version)
    made_for(folder, challenge)

    reconciled(arena, folder, row)

    challenge.refresh_from_db()
    assert RoundRow.objects.get() == challenge.round
    assert challenge.asked_by == challenge.round.asked_by


def test_a_round_whose_row_was_written_and_not_linked_is_linked(arena, competition):
    folder, row, version = competition
    challenge = challenge_of(row, version)
    made_for(folder, challenge)
    reconciled(arena, folder, row)
    type(challenge).objects.update(round=None)

    reconciled(arena, folder, row)

    challenge.refresh_from_db()
    assert 1 == challenge.round.number


def test_a_round_is_begun_where_the_referee_was_killed_while_it_wrote_its_file(arena, competition, monkeypatch):
    """Found by killing: what was half written lay beside, no run was begun there, and the round was abandoned."""
    from tournament.arena.models import RoundRow
    from tournament.arena.play.rounds import play_round
    from tournament.arena.states import move_round
    from tournament.arena.transitions import RoundState

    folder, row, _ = competition
    made_round(folder, planned("random", "cautious", "steady", blocks=1))
    reconciled(arena, folder, row)
    with monkeypatch.context() as killed:
        killed.setattr(os, "fsync", _raise_killed)
        with pytest.raises(SystemExit):
            move_round(RoundRow.objects.get(), RoundState.PLAYING, folder=folder, at=NOW)

    reconciled(arena, folder, row)
    play_round(folder.path, 1, None)

    assert RunState.COMPLETE is read_run(folder.round(1)).state


def _raise_killed(*words):
    """Ends a process between two of its calls, as far as a test can."""
    raise SystemExit


def test_a_challenge_that_was_asked_for_after_a_round_was_planned_is_not_answered_by_it(arena, competition):
    folder, row, version = competition
    challenge = challenge_of(row, version, asked=NOW + timedelta(seconds=2))
    made_for(folder, challenge)

    reconciled(arena, folder, row)

    challenge.refresh_from_db()
    assert challenge.round is None


def test_a_round_whose_folder_is_there_and_whose_row_the_database_did_not_take_is_taken_up(arena, competition):
    from tournament.arena.models import RoundRow
    from tournament.arena.play.dates import ClockWatch
    from tournament.arena.play.desk import Desk
    from tournament.arena.play.knowing import Competition
    from tournament.arena.play.lane_runner import LaneRunner

    folder, row, _ = competition
    plan = planned("keeper.v1", "random", "cautious")
    made_round(folder, plan)
    desk = Desk(folder=arena, say=lambda text: None)
    lane = LaneRunner(Lane.LONG, desk, None, clock=ClockWatch(desk))

    made = lane._made(Competition(row, folder), plan)

    assert [(1, "planned")] == list(RoundRow.objects.values_list("number", "state"))
    assert made == RoundRow.objects.get()


def test_a_version_that_is_handed_in_while_folders_are_read_waits_for_its_check(arena, competition, monkeypatch):
    """Found by killing: it was told to be gone, and was retired without a check."""
    from tournament.arena.models import VersionRow
    from tournament.arena.play import reconciling

    folder, row, _ = competition
    places = list(reconciling.version_places(folder))

    def read(_):
        yield from places
        make_received(folder, row, number=2)

    monkeypatch.setattr(reconciling, "version_places", read)
    said = reconciled(arena, folder, row)

    assert [(1, "active"), (2, "received")] == list(
        VersionRow.objects.order_by("number").values_list("number", "state")
    )
    assert [] == said


@pytest.mark.parametrize("command", ["referee", "rebuild"])
def test_of_a_version_in_whose_making_the_site_was_killed_nothing_is_left(arena, competition, monkeypatch, command):
    """Found by killing: its program lay there for ever, and it was a version where its file was written already."""
    from arena.making import make_bot, make_participant

    from tournament.arena.models import VersionRow
    from tournament.arena.play.rebuilding import rebuild
    from tournament.arena.taking_part import hand_in, handing_in

    folder, row, _ = competition
    owner = make_participant(row, "ada")
    bot = make_bot(owner, "bold")
    with monkeypatch.context() as killed:
        killed.setattr(Path, "rename", _raise_killed)
        killed.setattr(handing_in.shutil, "rmtree", lambda *words, **named: None)
        with pytest.raises(SystemExit):
            hand_in(owner.account, bot, file_name="bot.py", chunks=[b"from tournament import Bot"], now=NOW)
    assert 1 == len(list(folder.bots.glob(f"bold/*/{VERSION_FILE}")))

    reconciled(arena, folder, row) if command == "referee" else rebuild(arena, now=NOW)

    assert [] == list((folder.bots / "bold").iterdir())
    assert ["keeper"] == list(VersionRow.objects.values_list("bot__name", flat=True))


def test_the_row_of_whoever_hands_in_is_waited_for(arena, competition, monkeypatch):
    """A row made meanwhile by the referee would be an error for whoever hands in, and belong to nobody."""
    from tournament.arena.play import reconciling

    folder, row, _ = competition
    free = []

    def index(*words):
        free.append(may_be_locked(folder.bots))
        return reconciling_index(*words)

    reconciling_index = reconciling.index_version
    monkeypatch.setattr(reconciling, "index_version", index)
    reconciled(arena, folder, row)

    assert [False] == free


def may_be_locked(folder):
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
