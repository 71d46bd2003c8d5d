"""`--events FILE`: what is there already, and what happens when there is no room for it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tournament import Run, run_tournament
from tournament.configuration.validation import validate_files
from tournament.errors import UsageError
from tournament.records.run import RunState
from tournament.run.following import EventWriter
from tournament.run.listeners import Observers
from tournament.store.folder import read_run

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="a device of Linux that has no room")


@pytest.fixture
def events(configure, tmp_path):
    """A file of the events of a run."""
    path = tmp_path / "events.jsonl"
    run_tournament(configure(), out=tmp_path / "run", observer=EventWriter(path))
    return path


def noted(path, text):
    """Writes one more event and returns the lines before it, and whether it is the last."""
    EventWriter(path).note(text)
    *before, last = path.read_bytes().splitlines(keepends=True)
    return before, text.encode() in last and last.startswith(b'{"event":"note"')


def test_an_event_that_a_power_cut_tore_is_dropped(events):
    """The next one would be glued to it, and neither could be read."""
    lines = events.read_bytes().splitlines(keepends=True)
    events.write_bytes(b"".join(lines)[:-20])

    assert (lines[:-1], True) == noted(events, "after the cut")
    assert [] == validate_files([events])


def test_an_event_that_lacks_its_newline_alone_stays(events):
    """It is whole."""
    whole = events.read_bytes()
    events.write_bytes(whole[:-1])

    assert (whole.splitlines(keepends=True), True) == noted(events, "after the cut")


def test_a_last_line_that_is_no_event_is_not_touched(tmp_path):
    """A file that was named by mistake loses nothing."""
    path = tmp_path / "notes"
    path.write_text("to do\ncall home")

    assert ([b"to do\n", b"call home\n"], True) == noted(path, "begun")


def test_what_is_never_written_changes_no_file(events):
    """A command that is refused leaves the file as it is."""
    torn = events.read_bytes()[:-20]
    events.write_bytes(torn)
    EventWriter(events)

    assert torn == events.read_bytes()


@needs_full
def test_a_run_whose_events_have_no_room_says_how_it_goes_on(configure, tmp_path):
    """Its folder is there by then: the same words would be refused."""
    folder = tmp_path / "my run"
    with pytest.raises(UsageError) as caught:
        run_tournament(configure(), out=folder, observer=EventWriter(FULL))
    Run.open(folder).play()

    advice = f"Go on with another:\n  tournament resume '{folder}' --events OTHER.jsonl"
    assert f"/dev/full cannot be written: No space left on device. {advice}" == str(caught.value)
    assert RunState.COMPLETE is read_run(folder).state


@needs_full
def test_a_run_that_is_complete_says_so_when_only_its_last_event_has_no_room(configure, tmp_path):
    """There is nothing to resume."""

    class Late(EventWriter):
        def finished(self, info, folder):
            os.dup2(os.open(FULL, os.O_WRONLY), self._descriptor)
            self._path = FULL
            super().finished(info, folder)

    folder = tmp_path / "run"
    with pytest.raises(UsageError, match=f"{folder} is complete all the same"):
        run_tournament(configure(), out=folder, observer=Observers(Late(tmp_path / "events.jsonl")))

    assert RunState.COMPLETE is read_run(folder).state
