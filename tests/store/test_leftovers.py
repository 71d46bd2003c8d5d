"""What processes that died were writing is removed; nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from tournament.store.leftovers import QUIET_SECONDS, place_beside, remove_leftovers_of_dead


@pytest.fixture
def dead():
    """Returns the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def make_old(path):
    """Has a file or a folder look as if nobody had touched it for long."""
    then = time.time() - QUIET_SECONDS - 1
    os.utime(path, (then, then))


@pytest.mark.parametrize("word", ["new", "old"])
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_file_or_a_folder_that_a_dead_process_left_is_removed(tmp_path, dead, word, is_folder):
    left = tmp_path / f"ladder.json.{dead}.{word}"
    if is_folder:
        left.mkdir()
        (left / "inside").touch()
    else:
        left.touch()
    make_old(left)

    assert [left] == remove_leftovers_of_dead(tmp_path)
    assert [] == list(tmp_path.iterdir())


def test_what_a_living_process_writes_stays(tmp_path):
    written = place_beside(tmp_path / "ladder.json")
    written.touch()
    make_old(written)

    assert [] == remove_leftovers_of_dead(tmp_path)
    assert written.exists()


def test_what_was_touched_just_now_stays(tmp_path, dead):
    """A process of another container has a number of its own, which is nobody's here."""
    written = tmp_path / f"ladder.json.{dead}.new"
    written.touch()

    assert [] == remove_leftovers_of_dead(tmp_path)
    assert written.exists()


@pytest.mark.parametrize(
    "name", ["{}.new", "ladder.{}", "ladder.json.new", "ladder.{}.new.json", "ladder.{}x.new", ".{}.new"]
)
def test_a_file_that_is_named_otherwise_stays(tmp_path, dead, name):
    kept = tmp_path / name.format(dead)
    kept.touch()
    make_old(kept)

    assert [] == remove_leftovers_of_dead(tmp_path)
    assert kept.exists()


def test_what_lies_below_stays(tmp_path, dead):
    kept = tmp_path / "program" / f"bot.py.{dead}.new"
    kept.parent.mkdir()
    kept.touch()
    make_old(kept)

    assert [] == remove_leftovers_of_dead(tmp_path)
    assert kept.exists()


def test_with_a_name_only_what_begins_with_it_is_removed(tmp_path, dead):
    left, kept = (tmp_path / f"{name}.tar.{dead}.new" for name in ("monday", "friday"))
    for path in (left, kept):
        path.touch()
        make_old(path)

    assert [left] == remove_leftovers_of_dead(tmp_path, "monday.tar.")
    assert kept.exists()


def test_a_link_is_removed_and_what_it_leads_to_stays(tmp_path, dead):
    kept = tmp_path / "kept"
    kept.mkdir()
    left = tmp_path / f"environment.{dead}.new"
    left.symlink_to(kept)
    then = time.time() - QUIET_SECONDS - 1
    os.utime(left, (then, then), follow_symlinks=False)

    assert [left] == remove_leftovers_of_dead(tmp_path)
    assert [kept] == list(tmp_path.iterdir())


def test_where_there_is_no_folder_nothing_is_done(tmp_path):
    assert [] == remove_leftovers_of_dead(tmp_path / "nowhere")
