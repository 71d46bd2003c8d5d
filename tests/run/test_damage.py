"""Damaged run folders: nothing that was played is thrown away."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from small_runs import CRASHER
from test_resume import Stopper, data, stopped

from tournament import Run, run_tournament
from tournament.configuration.types import Budget
from tournament.errors import Interrupted, RunError
from tournament.records.results import FAULTS_FILE, RESULTS_FILE
from tournament.records.run import RunState
from tournament.store.folder import read_run
from tournament.store.layout import records_path

ENDER = """
from tournament import Bot


class Ender(Bot):
    \"\"\"Raises an exception after every game, which is no fault.\"\"\"

    def act(self, view):
        return view.legal_actions()[0]

    def end(self, result):
        raise ValueError("after the game")
"""


def lines_of(path: Path) -> list[bytes]:
    """Returns the lines of a file with their newlines."""
    return path.read_bytes().splitlines(keepends=True)


def everything(folder: Path) -> dict[str, bytes]:
    """Returns what a run folder holds, but for its lock."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file() and "lock" not in path.name}


def without_a_line(folder: Path) -> None:
    """Takes a record out of the middle."""
    records = records_path(folder)
    lines = lines_of(records)
    records.write_bytes(b"".join(lines[:6] + lines[7:]))


def torn(folder: Path) -> None:
    """Takes the end of the last record away."""
    records = records_path(folder)
    records.write_bytes(records.read_bytes()[:-100])


def without_the_last_block(folder: Path) -> None:
    """Takes the last block out of every file."""
    for path in (records_path(folder), folder / RESULTS_FILE):
        path.write_bytes(b"".join(lines_of(path)[:-2]))


@pytest.mark.parametrize("damage", [without_a_line, torn, without_the_last_block])
@pytest.mark.parametrize(
    "grow",
    [
        lambda folder: Run.open(folder).play(),
        lambda folder: Run.open(folder).extend(budget=Budget(deals=1)),
        lambda folder: Run.open(folder).final(budget=Budget(deals=1)),
    ],
    ids=["resume", "extend", "final"],
)
def test_of_a_complete_run_nothing_is_ever_cut(configure, tmp_path, damage, grow):
    """It would not be played again: its end has come, and its master is public."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    damage(folder)
    before = everything(folder)

    with pytest.raises(RunError, match=r"is complete, but expected 18 whole blocks .* found|damaged in its middle"):
        grow(folder)
    assert before == everything(folder)


def test_a_complete_run_gets_its_lost_results_back(configure, tmp_path):
    """They follow from its records."""
    folder = run_tournament(configure(), out=tmp_path / "run")
    before = data(folder)
    (folder / RESULTS_FILE).unlink()
    Run.open(folder).play()

    assert before == data(folder)


@pytest.mark.parametrize("keep", ["all", "none", "sample:50%"])
@pytest.mark.parametrize("name", ["records", RESULTS_FILE])
def test_a_line_missing_in_the_middle_does_not_cost_what_follows(configure, tmp_path, keep, name):
    """Only the block that was being written is dropped; of lost results of kept records all are made anew."""
    undisturbed = run_tournament(configure(keep=keep), out=tmp_path / "whole")
    folder = stopped(configure(keep=keep), tmp_path / "run", after=9)
    path = records_path(folder) if name == "records" else folder / name
    lines = lines_of(path)
    if not lines:
        return  # none are kept
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    before = everything(folder)

    if keep == "all" and name == RESULTS_FILE:
        Run.open(folder).play()
        assert data(undisturbed) == data(folder)
        return
    with pytest.raises(RunError, match="damaged in its middle"):
        Run.open(folder).play()
    assert before == everything(folder)


def test_a_block_without_records_in_the_middle_does_not_cost_its_results(configure, tmp_path):
    """Whole lines may be missing: then the results know of a block that the records do not."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    records = records_path(folder)
    lines = lines_of(records)
    records.write_bytes(b"".join(lines[:4] + lines[6:]))
    before = everything(folder)

    with pytest.raises(RunError, match="damaged in its middle"):
        Run.open(folder).play()
    assert before == everything(folder)


@pytest.mark.parametrize("keep", ["none", "faults"])
def test_lost_results_that_no_record_tells_are_missed(configure, tmp_path, keep):
    """The run would begin again otherwise, and drop what records there are."""
    folder = stopped(configure(keep=keep), tmp_path / "run", after=9)
    (folder / RESULTS_FILE).unlink()

    with pytest.raises(RunError, match=r"results\.jsonl is gone, .* Take the file from a copy"):
        Run.open(folder).play()


def test_results_that_cannot_be_read_are_made_anew(configure, tmp_path):
    """Their id alone is not enough: the file is made anew from the records, as its error promises."""
    undisturbed = run_tournament(configure(), out=tmp_path / "whole")
    folder = stopped(configure(), tmp_path / "run", after=9)
    path = folder / RESULTS_FILE
    lines = lines_of(path)
    lines[5] = lines[5].replace(b'"places"', b'"plcaes"')
    path.write_bytes(b"".join(lines))
    Run.open(folder).play()

    assert data(undisturbed) == data(folder)


@pytest.mark.parametrize("complete", [True, False])
def test_tracebacks_from_after_the_end_of_games_stay(configure, bots, tmp_path, complete):
    """They stand behind all games of their block, and so not in the order of the games."""
    (bots / "ada.py").write_text(ENDER)
    (bots / "bea.py").write_text(CRASHER)
    whole = run_tournament(configure(), out=tmp_path / "whole")
    folder = tmp_path / "run"
    if complete:
        shutil.copytree(whole, folder)
    else:
        stopped(configure(), folder, after=9)
    Run.open(folder).play()

    assert b"after the game" in (whole / FAULTS_FILE).read_bytes()
    assert (whole / FAULTS_FILE).read_bytes() == (folder / FAULTS_FILE).read_bytes()


def test_a_lost_file_is_named_with_what_can_be_done(configure, tmp_path):
    """A run that has lost its records, or its configuration, is still a run."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    (folder / "tournament.yaml").rename(tmp_path / "kept.yaml")
    with pytest.raises(RunError, match=r"has no tournament\.yaml, .* Take it from a copy"):
        Run.open(folder).play()
    (tmp_path / "kept.yaml").rename(folder / "tournament.yaml")
    records_path(folder).unlink()

    with pytest.raises(RunError, match=r"has lost its games\.jsonl, .* Take the file from a copy"):
        Run.open(folder).play()


def test_a_run_that_was_killed_says_all_that_may_have_ended_it(configure, tmp_path):
    """Not only a bot: a full disk, too, leaves no word behind."""
    folder = stopped(configure(), tmp_path / "run", after=9)
    path = folder / "run.json"
    path.write_text(path.read_text().replace(f'"state": "{RunState.INTERRUPTED}"', f'"state": "{RunState.RUNNING}"'))
    watcher = Stopper()
    Run.open(folder, observer=watcher).play()

    assert any("killed, the machine stopped, or the disk was full" in note for note in watcher.notes)


SUITE = "name: mine\npurpose: tests\nseeds: [{seeds}]\n"
SEEDS = ", ".join(map(str, range(18)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("1, 2, 3,", "1, 2, 33,"), "The seeds of the deal suite mine are no longer those"),
        (("deals_from: mine.yaml", "seed: a master"), "deals_from was mine and is left out"),
        (("deals_from: mine.yaml", "deals_from: seeds/smoke.yaml"), "deals_from was mine and is smoke"),
    ],
)
def test_other_deals_are_refused_by_name(configure, bots, tmp_path, change, message):
    """Resume is refused when the deals changed: they come from the seeds of a suite, not from its name."""
    suite = bots.parent / "mine.yaml"
    suite.write_text(SUITE.format(seeds=SEEDS))
    folder = stopped(configure(seed=None, deals_from="mine.yaml"), tmp_path / "run", after=5)
    for path in (suite, folder / "tournament.yaml"):
        path.write_text(path.read_text().replace(*change))

    with pytest.raises(RunError, match=message):
        Run.open(folder).play()
    assert RunState.INTERRUPTED is read_run(folder).state


def test_a_run_on_the_same_suite_goes_on(configure, bots, tmp_path):
    """Wherever the suite lies and whatever else stands in it."""
    suite = bots.parent / "mine.yaml"
    suite.write_text(SUITE.format(seeds=SEEDS))
    changes = {"seed": None, "deals_from": "mine.yaml"}
    undisturbed = run_tournament(configure(**changes), out=tmp_path / "whole")
    folder = stopped(configure(**changes), tmp_path / "run", after=5)
    suite.write_text(SUITE.format(seeds=SEEDS.replace("17", "'17'")).replace("tests", "more tests"))
    Run.open(folder).play()

    assert data(undisturbed) == data(folder)


def test_a_bot_that_changed_twice_counts_on(configure, bots, tmp_path):
    """`ada_2`, then `ada_3`."""
    folder = stopped(configure(), tmp_path / "run", after=5)
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed\n")
    with pytest.raises(Interrupted):
        Run.open(folder, observer=Stopper(3)).play(accept_changes=True)
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# changed again\n")
    Run.open(folder).play(accept_changes=True)

    assert {"ada", "ada_2", "ada_3"} == {one.name for one in read_run(folder).entrants if one.name.startswith("ada")}
