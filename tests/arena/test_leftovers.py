"""What processes of an arena were writing when they died: the next referee removes it, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from arena.made_site import made_ladder, make_playing
from arena.making import NOON, RULES

from tournament.arena import hosting
from tournament.arena.checks import checking, environment
from tournament.arena.files import format_moment
from tournament.arena.hosting import competitions
from tournament.arena.ladder_file import write_ladder
from tournament.arena.models import BotRow, VersionRow
from tournament.arena.operating import backup, fitness
from tournament.arena.operating.leftovers import remove_leftovers
from tournament.arena.places import arena_folder, competition_folder, version_folder
from tournament.arena.scheduling.paces import PacesFile, SlowVersion, tell_paces
from tournament.arena.season.outcome_files import OutcomeFiles
from tournament.arena.states import move_round, move_version
from tournament.arena.taking_part import leaving
from tournament.arena.transitions import RoundState, VersionState
from tournament.arena.web import rendering
from tournament.store.layout import COMPRESSED_FILE
from tournament.store.leftovers import QUIET_SECONDS
from tournament.store.lines import write_index


def die(*words, **named):
    """Ends a process between two of its calls, as far as a test can."""
    raise SystemExit


@pytest.fixture
def dying(monkeypatch):
    """Has this process be one that will be dead by and by, and die as it writes through to the disk.

    What a process does as it ends in an orderly way, it does not do.
    """
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()

    def begin():
        monkeypatch.setattr("os.getpid", lambda: process.pid)
        monkeypatch.setattr("os.fsync", die)
        for module in (competitions, backup, environment):
            monkeypatch.setattr(module.shutil, "rmtree", lambda *words, **named: None)

    return begin


def files_in(folder):
    return {path for path in folder.rglob("*") if path.is_file()}


def make_old(paths):
    """Has files, and the folders in which they lie, look as if nobody had touched them for long."""
    then = time.time() - QUIET_SECONDS - 1
    for path in paths:
        os.utime(path, (then, then))
        os.utime(path.parent, (then, then))


def ladder(site):
    write_ladder(competition_folder(site.competition), made_ladder())


def paces(site):
    slow = SlowVersion(name="keeper.v1", deals_today=20, game_ms=812.5)
    told = PacesFile(competition="cup", made=format_moment(NOON), deals_a_day=100, slow=(slow,))
    tell_paces(competition_folder(site.competition), told)


def outcomes(site):
    folder = competition_folder(site.competition)
    folder.outcomes.mkdir()
    OutcomeFiles(folder).brought_up(1)


def rules(site):
    hosting.change_rules(site.host, site.competition, RULES + "deals_a_day: 7\n", now=NOON)


def version(site):
    folder = competition_folder(site.competition)
    move_version(VersionRow.objects.first(), VersionState.RETIRED, folder=folder, at=NOON)


def round_of_the_ladder(site):
    (row,) = site.competition.rounds.filter(state="playing")
    move_round(row, RoundState.INTERRUPTED, folder=competition_folder(site.competition), at=NOON)


def steps_of_a_check(site):
    checking._end(version_folder(VersionRow.objects.first()), checking.CheckOutcome.REFUSED, why="It failed.")


def who_left(site):
    leaving._mark_left(BotRow.objects.first())


def what_a_machine_is_fit_for(site):
    fitness.examine(arena_folder())


def index_of_records(site):
    write_index(competition_folder(site.competition).round(1) / COMPRESSED_FILE, entries())


def entries():
    yield b"an entry"
    die()


def download(site):
    run = competition_folder(site.competition).round(1)
    rendering.make_zip(run, arena_folder().cache / "rounds" / "cup-000001" / "complete", "round-1")


def python_of_bots(site):
    environment.python_for(environment.environment_with(()), competition_folder(site.competition).environment)


def new_competition(site):
    competitions.add_competition("autumn", RULES, by="the command", now=NOON)


def rules_that_are_read(site):
    competitions._checked(RULES, competition_folder(site.competition).path)
    die()


WRITERS = (
    *(ladder, paces, outcomes, rules, version, round_of_the_ladder, steps_of_a_check, who_left),
    *(what_a_machine_is_fit_for, index_of_records, download, python_of_bots, new_competition, rules_that_are_read),
)


@pytest.fixture
def whole(site, run, monkeypatch):
    """Returns a site with a round that is being played; examinations of the machine find nothing."""
    make_playing(site, run, games=1)
    monkeypatch.setattr(fitness, "EXAMINATIONS", {})
    return site


@pytest.mark.parametrize("write", WRITERS)
def test_what_a_process_was_writing_when_it_died_is_removed(whole, dying, monkeypatch, write):
    before = files_in(arena_folder().path)
    dying()
    monkeypatch.setattr(rendering, "write_zip", lambda folder, out, root: die(out.touch()))
    monkeypatch.setattr(environment.compileall, "compile_dir", die)
    with pytest.raises(SystemExit):
        write(whole)
    monkeypatch.undo()
    left = files_in(arena_folder().path) - before
    cached = {path for path in left if "cache" in path.parts and path.suffix != ".new"}
    assert left - cached
    make_old(left)

    remove_leftovers(arena_folder())

    assert before | cached == files_in(arena_folder().path)


def test_the_referee_removes_it_as_it_begins(whole, dying, monkeypatch, referee):
    dying()
    with pytest.raises(SystemExit):
        ladder(whole)
    monkeypatch.undo()
    folder = competition_folder(whole.competition).path
    (left,) = folder.glob("*.new")
    make_old([left])

    referee().tick()

    assert [] == list(folder.glob("*.new"))


def test_what_was_handed_in_stays_whatever_it_is_called(whole, dying):
    program = version_folder(VersionRow.objects.first()).program
    dying()
    kept = program / f"bot.py.{os.getpid()}.new"
    kept.touch()
    make_old([kept])

    remove_leftovers(arena_folder())

    assert kept.exists()


def test_the_next_backup_removes_what_one_of_any_name_left(whole, dying, monkeypatch, tmp_path):
    """Accounts and the secret are in it, and backups are named by their day."""
    kill_a_backup(monkeypatch, dying, tmp_path / "monday.tar")
    left = [path for path in tmp_path.iterdir() if path != arena_folder().path]
    modes = {path.stat().st_mode & 0o077 for path in left}
    names = {path.name.partition(".")[0] for path in left}
    make_old(left)

    backup.back_up(arena_folder(), tmp_path / "tuesday.tar")

    assert (2, {0}, {backup.UNFINISHED}) == (len(left), modes, names)
    assert {tmp_path / "tuesday.tar", arena_folder().path} == set(tmp_path.iterdir())


def test_an_arena_that_is_restored_removes_what_a_killed_backup_left(whole, dying, monkeypatch, tmp_path):
    backup.back_up(arena_folder(), tmp_path / "whole.tar")
    kill_a_backup(monkeypatch, dying, tmp_path / "monday.tar")
    make_old(path for path in tmp_path.glob(f"{backup.UNFINISHED}*"))
    monkeypatch.setattr(backup, "set_up", lambda path: None)
    monkeypatch.setattr(backup, "load_database", lambda folder, kept: None)

    backup.restore(tmp_path / "whole.tar", tmp_path / "again")

    assert {tmp_path / "whole.tar", tmp_path / "again", arena_folder().path} == set(tmp_path.iterdir())


def kill_a_backup(monkeypatch, dying, out):
    dying()
    monkeypatch.setattr(backup, "_add_folders", die)
    monkeypatch.setattr(Path, "unlink", lambda *words, **named: None)
    with pytest.raises(SystemExit):
        backup.back_up(arena_folder(), out)
    monkeypatch.undo()
