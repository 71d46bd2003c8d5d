"""What may be lost when a run goes on: the block that was being written, and what the disk had not got yet."""

from __future__ import annotations

import shutil
from itertools import product
from pathlib import Path

import pytest
from small_runs import CRASHER, FAST, configuration_file
from test_damage import everything, lines_of
from test_resume import Stopper, data, stopped

from tournament import Run, audit, run_tournament
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import resolve
from tournament.configuration.types import Budget
from tournament.errors import Interrupted, RecordError, RunError
from tournament.records.results import CLOCKS_FILE, FAULTS_FILE, RESULTS_FILE
from tournament.records.run import RunState
from tournament.store.files import Synced, format_synced, read_synced
from tournament.store.folder import read_run
from tournament.store.layout import SYNCED_FILE, index_path, records_path
from tournament.store.lines import id_in, placed_lines
from tournament.store.repair import mend
from tournament.store.results import read_results


class Dying(Stopper):
    """Ends a run as an error of ours does, after so many blocks."""

    def block(self, block, results) -> None:
        self.blocks -= 1
        if self.blocks == 0:
            raise RuntimeError("on purpose")


def killed(folder: Path) -> Path:
    """Has a run look as if its runner had been killed."""
    path = folder / "run.json"
    for state in (RunState.FAILED, RunState.INTERRUPTED):
        path.write_text(path.read_text().replace(f'"state": "{state}"', f'"state": "{RunState.RUNNING}"'))
    return folder


def extended(configure, folder: Path, **changes) -> Path:
    """Returns a run of 120 games and an extension that was killed after 7 blocks."""
    run_tournament(configure(budget=Budget(deals=10), **changes), out=folder)
    with pytest.raises(RuntimeError, match="on purpose"):
        Run.open(folder, observer=Dying(7)).extend(budget=Budget(deals=10))
    return killed(folder)


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("left", [0, 50, 119])
def test_a_segment_that_is_over_keeps_all_its_games(configure, tmp_path, left, asked):
    """Its master is public, so its games are never played again: nothing is changed, whatever was asked for."""
    folder = extended(configure, tmp_path / "run")
    records = records_path(folder)
    records.write_bytes(b"".join(lines_of(records)[:left]))
    before = everything(folder)

    with pytest.raises(RunError, match=r"Segment 0 .* is over, .* found .*Take|take the file from a copy"):
        Run.open(folder).play(play_again=asked)
    assert before == everything(folder)
    assert 134 == sum(1 for _ in read_results(folder))


def test_an_extension_that_was_killed_goes_on_behind_whole_segments(configure, tmp_path):
    """And the whole run is as if nobody had been killed."""
    folder = extended(configure, tmp_path / "run")
    Run.open(folder).play()

    assert 240 == sum(1 for _ in read_results(folder))
    assert () == audit(folder).findings


@pytest.mark.parametrize("keep", ["all", "sample:50%"])
@pytest.mark.parametrize("compress", [False, True])
@pytest.mark.parametrize("left", [0, 9], ids=["none left", "some left"])
def test_whole_results_are_not_cut_without_being_asked(configure, tmp_path, keep, compress, left):
    """Their records are gone, but they were played: the command that plays them again is told, and does so."""
    changes = {"keep": keep, "compress": compress}
    undisturbed = run_tournament(configure(**changes), out=tmp_path / "whole")
    folder = stopped(configure(**changes), tmp_path / "run", after=9)
    records = records_path(folder)
    records.write_bytes(b"" if not left else records.read_bytes()[: records.stat().st_size * 2 // 3])
    before = everything(folder)

    with pytest.raises(RunError, match=r"have whole results .* Nothing was changed\. .* --play-again"):
        Run.open(folder).play()
    assert before == everything(folder)
    watcher = Stopper()
    Run.open(folder, observer=watcher).play(play_again=True)
    assert data(undisturbed) == data(folder)
    if keep == "all":
        assert any("their results are dropped, too, and they are played again" in note for note in watcher.notes)


@pytest.mark.parametrize("keep", ["all", "sample:50%"])
def test_damage_in_the_middle_is_played_again_when_asked(configure, tmp_path, keep):
    """Everything from there on goes, and comes again on the same deals."""
    undisturbed = run_tournament(configure(keep=keep), out=tmp_path / "whole")
    folder = stopped(configure(keep=keep), tmp_path / "run", after=9)
    records = records_path(folder)
    lines = lines_of(records)
    lines[2] = lines[2].replace(b"discard", b"discord", 1)
    records.write_bytes(b"".join(lines))

    with pytest.raises(RunError, match=r"damaged in its middle, .* --play-again"):
        Run.open(folder).play()
    Run.open(folder).play(play_again=True)
    assert data(undisturbed) == data(folder)


def test_records_without_a_result_are_not_cut_without_being_asked(configure, tmp_path):
    """Where few records are kept, only the results know all games: the end that they have lost is told."""
    changes = {"keep": "sample:50%"}
    undisturbed = run_tournament(configure(**changes), out=tmp_path / "whole")
    folder = stopped(configure(**changes), tmp_path / "run", after=9)
    results = folder / RESULTS_FILE
    results.write_bytes(b"".join(lines_of(results)[:4]))
    before = everything(folder)

    with pytest.raises(RunError, match=r"results\.jsonl has lost its end: games\.jsonl has records of \d blocks"):
        Run.open(folder).play()
    assert before == everything(folder)
    Run.open(folder).play(play_again=True)
    assert data(undisturbed) == data(folder)


@pytest.mark.parametrize("compress", [False, True])
def test_a_record_with_another_result_is_neither_kept_nor_cut_unasked(configure, tmp_path, compress):
    """Both are whole, and one of them was changed: nobody can tell which."""
    folder = stopped(configure(compress=compress), tmp_path / "run", after=9)
    results = folder / RESULTS_FILE
    lines = lines_of(results)
    lines[-1] = lines[-1].replace(b'"digest":"', b'"digest":"0')[:-4] + lines[-1][-3:]
    results.write_bytes(b"".join(lines))
    before = everything(folder)

    with pytest.raises(RunError, match="--play-again"):
        Run.open(folder).play()
    assert before == everything(folder)


# A machine that stops: behind what was on the disk anything may be cut, or full of zeros.

KINDS = [
    pytest.param((keep, compress), id=f"{keep}{' compressed' if compress else ''}")
    for keep, compress in product(("all", "faults"), (False, True))
]
ENDS = (0.0, 0.02, 0.3, 0.55, 0.8, 0.97, 1.0)
"""Where the end of a file begins that is lost: shares of what was not on the disk."""


def ends_of(path: Path, synced: int) -> list[bytes]:
    """Returns what a failing machine may leave of a file: whole, cut, or with zeros from some byte on, or both."""
    whole = path.read_bytes()
    at = [synced + round((len(whole) - synced) * share) for share in ENDS]
    left = [whole[:byte] for byte in at]
    left += [whole[:byte] + bytes(len(whole) - byte) for byte in at[:-1]]
    left += [whole[:byte] + bytes((len(whole) - byte) // 2) for byte in at[1:-2]]
    return left


@pytest.fixture(scope="module", params=KINDS)
def failed(request, tmp_path_factory):
    """Returns an undisturbed run, and one whose machine stopped behind nine blocks, six of them on the disk."""
    keep, compress = request.param
    base = tmp_path_factory.mktemp("failed")
    bots = base / "bots"
    bots.mkdir()
    for number, name in enumerate(("ada", "bea", "cia")):
        (bots / f"{name}.py").write_text(FAST.format(index=-(number % 2)))
    (bots / "dora.py").write_text(CRASHER)
    changes = {"keep": keep, "compress": compress}
    configuration = resolve(ConfigurationSource(configuration_file(**changes), base, None, {}))
    whole = run_tournament(configuration, out=base / "whole")
    folder = killed(stopped(configuration, base / "run", after=9))
    six = stopped(configuration, base / "six", after=6)
    sizes = [(six / name).stat().st_size for name in (records_path(six).name, RESULTS_FILE)]
    (folder / SYNCED_FILE).write_bytes(format_synced(Synced(records=sizes[0], results=sizes[1])))
    return whole, folder


def test_what_a_failing_machine_leaves_is_mended(failed, tmp_path):
    """Every combination of lost ends of records and results: whole blocks stay, and only they."""
    whole, folder = failed
    synced = read_synced(folder)
    names = (records_path(folder).name, RESULTS_FILE)
    expected = {name: (whole / name).read_bytes() for name in names}
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    wrong = []
    combinations = list(product(ends_of(folder / names[0], synced.records), ends_of(folder / names[1], synced.results)))
    for number, left in enumerate(combinations):
        for name, bytes_left in zip(names, left, strict=True):
            (copy / name).write_bytes(bytes_left)
        index_path(copy / names[0]).unlink(missing_ok=True)
        try:
            mend(copy, read_run(copy))
        except (RunError, RecordError) as error:
            wrong.append((number, str(error)))
            continue
        mended = {name: (copy / name).read_bytes() for name in names}
        blocks = mended[RESULTS_FILE].count(b"\n") // 2
        agrees = mended[names[0]] == records_of(whole, blocks)
        if not (6 <= blocks <= 9 and expected[RESULTS_FILE].startswith(mended[RESULTS_FILE]) and agrees):
            wrong.append((number, f"{blocks} blocks"))

    assert [] == wrong
    assert 17 * 17 == len(combinations)


def records_of(whole: Path, blocks: int) -> bytes:
    """Returns the records of the first blocks of a run."""
    path = records_path(whole)
    first = list(dict.fromkeys(result.block for result in read_results(whole)))[:blocks]
    ends = [line.end for line in placed_lines(path) if (id_in(line.data) or "").rpartition(".")[0] in first]
    return path.read_bytes()[: max(ends, default=0)]


@pytest.mark.parametrize("share", [0.3, 0.8])
@pytest.mark.parametrize("zeros", [False, True])
def test_a_run_whose_machine_stopped_goes_on_by_itself(failed, tmp_path, share, zeros):
    """Nobody is asked for what the disk never had, and the bytes are those of an undisturbed run."""
    whole, folder = failed
    shutil.copytree(folder, tmp_path / "run")
    shutil.copytree(folder.parent / "bots", tmp_path / "bots")
    folder = tmp_path / "run"
    synced = read_synced(folder)
    records = records_path(folder)
    left = records.read_bytes()
    at = synced.records + round((len(left) - synced.records) * share)
    records.write_bytes(left[:at] + bytes(len(left) - at if zeros else 0))
    Run.open(folder).play()

    assert data(whole) == data(folder)
    assert not (folder / SYNCED_FILE).exists()


def test_lines_lost_beside_the_records_are_told(configure, bots, tmp_path):
    """Times and tracebacks come from nowhere again, and nobody should look for them in vain."""
    (bots / "dora.py").write_text(CRASHER)
    folder = stopped(configure(), tmp_path / "run", after=9)
    clocks, faults = folder / CLOCKS_FILE, folder / FAULTS_FILE
    told = len(lines_of(faults))
    clocks.write_bytes(b"".join(lines_of(clocks)[:13]))
    faults.write_bytes(b"".join(lines_of(faults)[1:]))
    watcher = Stopper()
    Run.open(folder, observer=watcher).play()

    assert told > 1
    assert [
        f"{clocks} has lost the times of games (5 lines); no game and no standing depends on them.",
        f"{faults} has lost what is told of faults (1 lines); no game and no standing depends on them.",
    ] == watcher.notes[:2]


def test_nothing_is_said_of_lost_lines_where_none_are(configure, bots, tmp_path):
    """What a bot does after the end of a game is no fault, and a fault at the start is one."""
    (bots / "dora.py").write_text(CRASHER)
    folder = stopped(configure(), tmp_path / "run", after=9)
    watcher = Stopper()
    with pytest.raises(Interrupted):
        Run.open(folder, observer=Stopper(1)).play()
    Run.open(folder, observer=watcher).play()

    assert [] == [note for note in watcher.notes if "has lost" in note]


@pytest.mark.parametrize(
    "name", ["games.jsonl", "results.jsonl", "clocks.jsonl", "faults.jsonl", "logs", "logs/ada.txt"]
)
def test_nothing_is_appended_behind_a_link(configure, tmp_path, name):
    """In a run that somebody sent a file may lead anywhere."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    elsewhere = tmp_path / "elsewhere"
    path = folder / name
    if path.exists():
        path.rename(elsewhere)
    else:
        elsewhere.write_bytes(b"")
    path.symlink_to(elsewhere)
    before = elsewhere.read_bytes() if elsewhere.is_file() else sorted(elsewhere.iterdir())

    with pytest.raises(RunError, match="is a link"):
        Run.open(folder).play()

    assert before == (elsewhere.read_bytes() if elsewhere.is_file() else sorted(elsewhere.iterdir()))
