"""Resume."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tournament import Run, audit, run_tournament
from tournament.configuration.types import Budget, GameEntry
from tournament.errors import Interrupted, RecordError, RunError
from tournament.records.results import RESULTS_FILE
from tournament.records.run import Format, RunState
from tournament.run import segment
from tournament.run.listeners import Observers
from tournament.store import writer
from tournament.store.files import RunLock
from tournament.store.folder import read_run
from tournament.store.layout import index_path, parse_reference, records_path
from tournament.store.reader import find_record
from tournament.store.results import read_results


class Stopper(Observers):
    """Stops a run after so many blocks, and remembers what it is told."""

    def __init__(self, blocks: int = -1) -> None:
        super().__init__()
        self.blocks = blocks
        self.notes: list[str] = []

    def block(self, block, results) -> None:
        self.blocks -= 1
        if self.blocks == 0:
            raise KeyboardInterrupt

    def note(self, text: str) -> None:
        self.notes.append(text)


def stopped(configuration, folder: Path, *, after: int) -> Path:
    """Returns a run that was interrupted after so many blocks."""
    with pytest.raises(Interrupted):
        run_tournament(configuration, out=folder, observer=Stopper(after))
    return folder


def data(folder: Path) -> list[bytes]:
    """Returns what has to come out the same: records, index and results."""
    records = records_path(folder)
    return [path.read_bytes() for path in (records, index_path(records), folder / RESULTS_FILE)]


@pytest.fixture
def whole(configure, tmp_path):
    """Returns an undisturbed run of 18 blocks."""
    return run_tournament(configure(), out=tmp_path / "whole")


@pytest.mark.parametrize(("after", "workers"), [(1, 1), (9, 1), (17, 1), (9, 2)])
def test_an_interrupted_run_ends_with_the_bytes_of_an_undisturbed_one(configure, tmp_path, whole, after, workers):
    """Resume is: count the blocks, go on."""
    folder = stopped(configure(workers=workers), tmp_path / "run", after=after)
    Run.open(folder).play()

    assert data(whole) == data(folder)
    assert RunState.COMPLETE is read_run(folder).state


def test_an_interruption_says_the_command_that_goes_on(configure, tmp_path):
    """The exact command is printed, and the exit code is not 0."""
    with pytest.raises(Interrupted, match=f"tournament resume {tmp_path}/run") as caught:
        run_tournament(configure(), out=tmp_path / "run", observer=Stopper(3))

    assert 130 == caught.value.exit_code
    assert RunState.INTERRUPTED is read_run(tmp_path / "run").state


@pytest.mark.parametrize("planted", [-1, 1])
def test_a_planted_off_by_one_is_not_overlooked(configure, tmp_path, whole, planted, monkeypatch):
    """A resume that counts a block too few plays it twice; one too many is told at once."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    real = list(read_results(folder))
    wrong = real[:-2] if planted < 0 else [*real, *list(read_results(whole))[20:22]]
    monkeypatch.setattr(segment, "read_results", lambda _: iter(wrong))
    try:
        Run.open(folder).play()
    except RunError:
        return

    assert data(whole) != data(folder)


@pytest.mark.parametrize("cut", [1, 400])
@pytest.mark.parametrize("compress", [False, True])
def test_a_torn_end_is_dropped_with_a_message_and_played_again(configure, tmp_path, cut, compress):
    """A torn or half block at the end is dropped with a message; a killed runner never came to its results."""
    undisturbed = run_tournament(configure(compress=compress), out=tmp_path / "whole")
    folder = stopped(configure(compress=compress), tmp_path / "run", after=9)
    records, results = records_path(folder), folder / RESULTS_FILE
    records.write_bytes(records.read_bytes()[:-cut])
    results.write_bytes(b"".join(results.read_bytes().splitlines(keepends=True)[:-2]))
    watcher = Stopper()
    Run.open(folder, observer=watcher).play()

    assert watcher.notes[0].startswith("Dropped the end of the records")
    assert data(undisturbed) == data(folder)


@pytest.mark.parametrize("lost", [RESULTS_FILE, "games.jsonl.index", "clocks.jsonl"])
def test_a_lost_file_beside_the_records_is_made_anew(configure, tmp_path, whole, lost):
    """The records say everything; times are lost."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    (folder / lost).unlink()
    Run.open(folder).play()

    assert data(whole) == data(folder)


@pytest.mark.parametrize("name", [RESULTS_FILE, "clocks.jsonl", "faults.jsonl"])
def test_torn_files_beside_the_records_are_cut(configure, tmp_path, whole, name):
    """Whole blocks only, in every file."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    with (folder / name).open("ab") as file:
        file.write(b'{"id":"explorers-2p.0.000009.0"')
    Run.open(folder).play()

    assert data(whole) == data(folder)
    assert b'{"id":"explorers-2p.0.000009.0"{' not in (folder / name).read_bytes()


def test_records_damaged_in_the_middle_are_not_thrown_away(configure, tmp_path):
    """Only an end is dropped: hours of play are not."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    records = records_path(folder)
    lines = records.read_bytes().splitlines(keepends=True)
    records.write_bytes(b"".join([*lines[:4], b"garbage\n", *lines[5:]]))

    with pytest.raises(RunError, match="damaged in its middle"):
        Run.open(folder).play()
    assert 18 == len(records.read_bytes().splitlines())


@pytest.mark.parametrize("keep", ["none", "faults", "sample:40%"])
def test_a_run_that_keeps_few_records_goes_on_from_its_results(configure, tmp_path, keep):
    """Standings stay exact from results.jsonl."""
    undisturbed = run_tournament(configure(keep=keep), out=tmp_path / "whole")
    folder = stopped(configure(keep=keep), tmp_path / "run", after=9)
    Run.open(folder).play()

    assert data(undisturbed) == data(folder)
    assert (undisturbed / "standings.json").read_bytes() == (folder / "standings.json").read_bytes()


def test_standings_do_not_depend_on_what_is_kept(configure, tmp_path, whole):
    """--keep none: standings still exact."""
    folder = run_tournament(configure(keep="none"), out=tmp_path / "run")

    assert (whole / "standings.json").read_bytes() == (folder / "standings.json").read_bytes()


@pytest.mark.parametrize("after", [1, 3, 5])
def test_a_knockout_goes_on_where_it_was(configure, tmp_path, after):
    """A knockout is a pure function of the results so far."""
    games = (GameEntry(game="explorers", players=2),)
    changes = {"schedule": Format.KNOCKOUT, "budget": Budget(deals=2), "games": games}
    undisturbed = run_tournament(configure(**changes), out=tmp_path / "whole")
    folder = stopped(configure(**changes), tmp_path / "run", after=after)
    Run.open(folder).play()

    assert data(undisturbed) == data(folder)
    assert read_run(undisturbed).segments[0].blocks == read_run(folder).segments[0].blocks


def test_a_changed_bot_is_refused_by_name(configure, bots, tmp_path):
    """Resume is refused, naming the difference, when a fingerprint changed."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed\n")

    with pytest.raises(RunError, match="ada: the fingerprint for explorers was"):
        Run.open(folder).play()


def test_an_accepted_change_makes_a_new_entrant(configure, bots, tmp_path):
    """--accept-changes: the segment is closed, its master published, and the rest is a new segment."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed\n")
    Run.open(folder).play(accept_changes=True)
    info = read_run(folder)
    first, second = info.segments

    assert 5 == first.ended_after
    assert ("ada_2", "bea", "cia", "dora") == second.fields[0].entrants
    assert 13 == second.blocks
    assert 36 == sum(1 for _ in read_results(folder))
    assert () == tuple(audit(folder).findings)


def test_a_changed_configuration_is_refused_by_name(configure, tmp_path):
    """Resume is refused, naming the difference, when the configuration changed."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    path = folder / "tournament.yaml"
    path.write_text(path.read_text().replace("deals: 3", "deals: 4"))

    with pytest.raises(RunError, match=r'budget was {"deals":3} and is {"deals":4}'):
        Run.open(folder).play()


def test_changed_rules_are_refused_by_name(configure, tmp_path):
    """Resume is refused, naming the difference, when the rules changed."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    path = folder / "run.json"
    path.write_text(path.read_text().replace('"rules_version": 1', '"rules_version": 7'))

    with pytest.raises(RunError, match="rules version of explorers was 7 and is 1"):
        Run.open(folder).play()


def test_a_second_runner_is_refused(configure, tmp_path):
    """A lock: one runner a folder."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    lock = RunLock(folder)

    with pytest.raises(RunError, match="being played right now"):
        Run.open(folder).play()
    lock.release()


def test_a_lost_secret_is_told(configure, tmp_path):
    """Without the master nobody knows the deals that are left."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    (folder / "master.secret").unlink()

    with pytest.raises(RunError, match=r"master\.secret is missing"):
        Run.open(folder).play()


def test_a_complete_run_has_nothing_to_go_on_with(whole):
    """Resuming a complete run changes nothing."""
    before = data(whole)
    watcher = Stopper()
    Run.open(whole, observer=watcher).play()

    assert before == data(whole)
    assert "is complete" in watcher.notes[0]


def test_a_new_run_into_an_old_folder_is_refused_naming_resume(configure, whole):
    """An existing --out is refused, naming resume."""
    with pytest.raises(RunError, match="tournament resume"):
        run_tournament(configure(), out=whole)


def test_a_folder_that_cannot_be_made_is_told(configure):
    """Read-only: a clear refusal."""
    with pytest.raises(RunError, match="cannot be written"):
        run_tournament(configure(), out="/proc/none/run")


@pytest.mark.parametrize("writes", [7, 11, 13])
@pytest.mark.parametrize("all_at_once", [False, True], ids=["a little room", "no room"])
def test_a_full_disk_stops_the_run_and_resume_goes_on(configure, tmp_path, whole, writes, all_at_once, monkeypatch):
    """Disk full in the middle of a block: the file that failed first is told, and nothing is lost."""
    left = writes
    append, replace = writer._append, writer._replace

    def until_full(file, lines):
        nonlocal left
        left -= 1
        if left < 0:
            file.write(lines[: len(lines) // 2])
            raise RunError(f"{file.name} cannot be written: {OSError(errno.ENOSPC, 'No space left').strerror}.")
        append(file, lines)

    def while_room(path, lines):
        if left < 0 and all_at_once:
            raise RunError(f"{path} cannot be written: no room for it, either.")
        replace(path, lines)

    monkeypatch.setattr(writer, "_append", until_full)
    monkeypatch.setattr(writer, "_replace", while_room)
    with pytest.raises(RunError, match=r"jsonl\S* cannot be written: No space left"):
        run_tournament(configure(), out=tmp_path / "run")
    monkeypatch.undo()
    Run.open(tmp_path / "run").play()

    assert data(whole) == data(tmp_path / "run")


def test_a_record_is_found_through_the_index_without_reading_the_others(whole):
    """An index beside the records: the rest of the file may be anything."""
    records = records_path(whole)
    lines = records.read_bytes().splitlines(keepends=True)
    records.write_bytes(b"".join(b"x" * (len(line) - 1) + b"\n" for line in lines[:-1]) + lines[-1])
    last = "explorers-2p.0.000017.1"

    assert last == find_record(parse_reference(f"{whole}#{last}")).id


@pytest.mark.parametrize("compress", [False, True])
def test_a_record_is_found_by_id_and_digest_with_and_without_an_index(configure, tmp_path, compress):
    """The index is rebuilt when missing."""
    folder = run_tournament(configure(compress=compress), out=tmp_path / "run")
    digest = list(read_results(folder))[5].digest
    index = index_path(records_path(folder))
    before = index.read_bytes()
    index.unlink()
    by_scan = find_record(parse_reference(f"{folder}#{digest[:10]}"))

    assert by_scan == find_record(parse_reference(f"{folder}#{digest[:10]}"))
    assert by_scan == find_record(parse_reference(f"{folder}#{by_scan.id}"))
    assert before == index.read_bytes()


def test_an_index_of_other_records_leads_nobody_astray(whole):
    """What the index points at is checked."""
    index = index_path(records_path(whole))
    index.write_bytes(bytes(24) * 36)

    assert "explorers-2p.0.000003.1" == find_record(parse_reference(f"{whole}#explorers-2p.0.000003.1")).id
    with pytest.raises(RecordError, match="no record"):
        find_record(parse_reference(f"{whole}#explorers-2p.0.000099.1"))
