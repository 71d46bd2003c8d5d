"""What must not be lost, or must not end a run: odd folders, odd texts of bots, files in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tournament import Run, run_tournament
from tournament.auditing import audit
from tournament.cli.app import app
from tournament.configuration.types import Budget
from tournament.errors import ConfigurationError, RunError, UsageError
from tournament.records.run import RunState
from tournament.store import folder
from tournament.store.files import RunLock
from tournament.store.folder import begin_folder, read_run
from tournament.store.writer import RunWriter

LOUD = """
from tournament import Bot


class Loud(Bot):
    def act(self, view):
        print("\\ud800")
        raise ValueError("\\ud800\\udfff\\0")
"""


def test_half_a_surrogate_pair_in_an_exception_is_a_crash(bots, configure, tmp_path):
    """A bot that raises is a fault; what it says cannot end the run."""
    (bots / "ada.py").write_text(LOUD)
    run = run_tournament(configure(), out=tmp_path / "run")
    lines = [json.loads(line) for line in (run / "faults.jsonl").read_text().splitlines()]

    assert RunState.COMPLETE == read_run(run).state
    assert "\\ud800\\udfff" in lines[0]["traceback"]
    assert not audit(run).findings


def unbegun(folder):
    """Makes what a runner has made when it is killed right before `run.json`."""
    begin_folder(folder).release()
    with RunWriter(folder, keep="all", compressed=True) as writer:
        writer.write_configuration("name: small\n")
    (folder / "master.secret.new").write_text("{}")


@pytest.mark.parametrize("prepare", [lambda folder: folder.mkdir(), unbegun])
def test_a_run_takes_a_folder_in_which_none_began(configure, tmp_path, prepare):
    """A runner killed before `run.json` leaves nothing that is worth keeping, and nothing in the way."""
    prepare(tmp_path / "run")
    run = run_tournament(configure(), out=tmp_path / "run")

    assert RunState.COMPLETE == read_run(run).state
    assert not (run / "games.jsonl.zst").exists()
    assert not (run / "master.secret.new").exists()


@pytest.mark.parametrize("name", ["notes.txt", "tournament.yaml", "results.jsonl", "master.secret", "logs/x.txt"])
def test_a_folder_with_anything_else_is_left_alone(tmp_path, name):
    """Runs are never written over, and neither is anything else."""
    path = tmp_path / "run" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")

    with pytest.raises(RunError, match="exists already"):
        begin_folder(tmp_path / "run")
    assert "mine" == path.read_text()


def test_a_folder_in_which_a_runner_begins_right_now_is_left_alone(tmp_path):
    """One runner at a time."""
    unbegun(tmp_path / "run")
    lock = RunLock(tmp_path / "run")

    with pytest.raises(RunError, match="another process"):
        begin_folder(tmp_path / "run")
    lock.release()
    assert (tmp_path / "run" / "tournament.yaml").exists()


def test_a_run_that_another_process_began_meanwhile_is_left_alone(configure, tmp_path, monkeypatch):
    """Two runners may both find an empty folder; the second comes too late."""
    run = run_tournament(configure(), out=tmp_path / "run")
    before = (run / "run.json").read_bytes()
    found_empty = iter([True])
    is_unbegun = folder._is_unbegun
    monkeypatch.setattr(Path, "exists", lambda path: path.name == "run")
    monkeypatch.setattr(folder, "_is_unbegun", lambda path: next(found_empty, False) or is_unbegun(path))

    with pytest.raises(RunError, match="meanwhile"):
        begin_folder(run)
    assert before == (run / "run.json").read_bytes()


def test_an_extension_of_any_length_is_refused(configure, tmp_path):
    """The audit works out at most 5,000,000 blocks a segment."""
    run = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")
    before = (run / "run.json").read_bytes()

    with pytest.raises(ConfigurationError, match="5,000,000"):
        Run.open(run).extend(budget=Budget(deals=10**26))
    with pytest.raises(ConfigurationError, match="finite"):
        Run.open(run).extend(budget=Budget(minutes=float("inf")))
    assert before == (run / "run.json").read_bytes()


def test_a_long_reason_is_refused(configure, tmp_path):
    """A reason has at most 500 characters."""
    run = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")

    with pytest.raises(UsageError, match="501 characters"):
        Run.open(run).disqualify("ada", reason="x" * 501)


def test_outputs_are_not_written_over_other_files(configure, tmp_path):
    """A run is never written over, whatever the command; an earlier output only when that is asked for."""
    run = run_tournament(configure(budget=Budget(deals=1)), out=tmp_path / "run")
    game = f"{run}#explorers-2p.0.000000.0"
    note, page, table = tmp_path / "note.txt", tmp_path / "page.html", tmp_path / "table.csv"
    for path in (note, page, table):
        path.write_text("old")
    before = (run / "run.json").read_bytes(), (run / "results.jsonl").read_bytes()

    def code(*words):
        return CliRunner().invoke(app, [str(word) for word in words]).exit_code

    refused = [
        code("export", run, "--rows", "games", "--out", run / "run.json", "--force"),
        code("export", run, "--rows", "games", "--out", note),
        code("export", run, "--format", "csv", "--out", table),
        code("replay", game, "--html", run / "results.jsonl", "--force"),
        code("replay", game, "--html", page),
    ]
    assert 0 == code("export", run, "--format", "csv", "--out", table, "--force")
    assert 0 == code("replay", game, "--html", page, "--force")

    assert all(refused)
    assert before == ((run / "run.json").read_bytes(), (run / "results.jsonl").read_bytes())
    assert "old" == note.read_text()
    assert "old" not in (page.read_text(), table.read_text())


def test_a_run_begins_in_the_folder_of_a_round_and_leaves_its_file_alone(tmp_path):
    place = tmp_path / "run"
    place.mkdir()
    (place / "round.json").write_text("{}")

    begin_folder(place).release()

    assert "{}" == (place / "round.json").read_text()
